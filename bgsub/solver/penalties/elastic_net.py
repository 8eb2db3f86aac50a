"""Elastic net: entrywise ℓ1 norm plus squared Frobenius norm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.penalties.base import Penalty, prox_weight
from bgsub.solver.sets.points import Real, absolute_sum, finite, pieces, real_array, soft_threshold
from bgsub.solver.sets.radius import nonnegative_parameter, positive_parameter


@dataclass(frozen=True, slots=True)
class ElasticNet(Penalty):
    """``R(Y) = λ1·‖Y‖₁ + λ2·‖Y‖²_F``, 2λ2-strongly convex (Garber, Kaplan and Sabach, Theorem 3).

    Attributes
    ----------
    lambda1
        λ1 ≥ 0, in the units of the gradient.
    lambda2
        λ2 > 0, without a factor ½ in front of the square.

    Raises
    ------
    OptionError
        A parameter is not finite or is negative, or λ2 is zero.
    """

    lambda1: float
    lambda2: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "lambda1", nonnegative_parameter(self.lambda1, "lambda1", "ElasticNet"))
        object.__setattr__(self, "lambda2", positive_parameter(self.lambda2, "lambda2", "ElasticNet"))

    @property
    def convexity(self) -> float:
        """Strong convexity of R in the Frobenius norm: 2λ2."""
        return 2 * self.lambda2

    def value(self, point: NDArray[Any]) -> float:
        """Return R(point), summed in float64."""
        point = real_array(point)
        squares = sum(float(np.square(piece, dtype=np.float64).sum()) for piece in pieces(point))
        return self.lambda1 * absolute_sum(point) + self.lambda2 * squares

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return ``sup −⟨Y, G⟩ − R(Y)`` over all Y: ``Σ max(|g_ij| − λ1, 0)²/(4λ2)``, in float64.

        The supremum over ``R(Y) ≤ level`` is at most that; *level* is unused.
        """
        total = 0.0
        for piece in pieces(real_array(gradient)):
            beyond = np.maximum(np.abs(piece).astype(np.float64) - self.lambda1, 0)
            total += float(np.vdot(beyond, beyond))
        return total / (4 * self.lambda2)

    def lmo(self, gradient: NDArray[Any]) -> Real:
        """Return the minimiser of ``⟨Y, gradient⟩ + R(Y)``: ``soft(−gradient, λ1)/(2λ2)``, an array ``(n, p)``."""
        return soft_threshold(finite(real_array(gradient)), self.lambda1, -1 / (2 * self.lambda2))

    def prox(self, point: NDArray[Any], weight: float) -> Real:
        """Return ``argmin_V R(V) + weight/2·‖V − point‖²_F``: ``soft(point, λ1/weight)·weight/(weight + 2λ2)``.

        float32 stays float32, other types become float64. Allocates only the result.

        Raises
        ------
        OptionError
            *weight* is not a finite positive number.
        InputError
            *point* is not finite.
        """
        weight = prox_weight(weight, "ElasticNet")
        point = finite(real_array(point))
        return soft_threshold(point, self.lambda1 / weight, weight / (weight + 2 * self.lambda2))
