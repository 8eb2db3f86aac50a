"""Entrywise ℓ1 norm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from bgsub.solver.penalties.base import Penalty, norm_conjugate, prox_weight
from bgsub.solver.sets.points import Real, absolute_sum, finite, largest_modulus, real_array, soft_threshold
from bgsub.solver.sets.radius import positive_parameter


@dataclass(frozen=True, slots=True)
class L1Penalty(Penalty):
    """``R(Y) = λ‖Y‖₁``.

    Attributes
    ----------
    weight
        λ > 0, in the units of the gradient.

    Raises
    ------
    OptionError
        *weight* is not a finite positive number.
    """

    weight: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", positive_parameter(self.weight, "weight", "L1Penalty"))

    def value(self, point: NDArray[Any]) -> float:
        """Return R(point), summed in float64."""
        return self.weight * absolute_sum(real_array(point))

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return ``sup −⟨Y, G⟩ − R(Y)`` over ``R(Y) ≤ level``: ``(level/λ)·max(max|g_ij| − λ, 0)``."""
        return norm_conjugate(self.weight, largest_modulus(real_array(gradient)), level)

    def prox(self, point: NDArray[Any], weight: float) -> Real:
        """Return ``argmin_V R(V) + weight/2·‖V − point‖²_F``: ``soft(point, λ/weight)``.

        float32 stays float32, other types become float64. Allocates only the result.

        Raises
        ------
        OptionError
            *weight* is not a finite positive number.
        InputError
            *point* is not finite.
        """
        return soft_threshold(finite(real_array(point)), self.weight / prox_weight(weight, "L1Penalty"))
