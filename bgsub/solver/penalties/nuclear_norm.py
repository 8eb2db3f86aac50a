"""Nuclear norm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.penalties.base import Penalty, norm_conjugate, prox_weight
from bgsub.solver.sets.points import Real
from bgsub.solver.sets.radius import positive_parameter
from bgsub.solver.sets.spectral import map_singular_values, nuclear_norm, spectral_norm
from bgsub.solver.spectra.atoms import LowRank


@dataclass(frozen=True, slots=True)
class NuclearNormPenalty(Penalty):
    """``R(X) = λ‖X‖_*``.

    Attributes
    ----------
    weight
        λ > 0, in the units of the gradient's singular values.

    Raises
    ------
    OptionError
        *weight* is not a finite positive number.
    """

    weight: float
    decomposition: ClassVar[str] = "singular"

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", positive_parameter(self.weight, "weight", "NuclearNormPenalty"))

    def value(self, point: LowRank | NDArray[Any]) -> float:
        """Return R(point); the offset of a :class:`LowRank` is excluded."""
        return self.weight * nuclear_norm(point)

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return ``sup −⟨X, G⟩ − R(X)`` over ``R(X) ≤ level``: ``(level/λ)·max(‖G‖₂ − λ, 0)``, rounded upwards."""
        return self.conjugate_at(spectral_norm(gradient), level)

    def conjugate_at(self, largest: float, level: float) -> float:
        """Return :meth:`conjugate` for a gradient whose largest singular value is *largest*."""
        return norm_conjugate(self.weight, largest, level)

    def prox(self, point: NDArray[Any], weight: float) -> Real:
        """Return ``argmin_V R(V) + weight/2·‖V − point‖²_F``: singular-value soft thresholding by λ/weight.

        float32 stays float32, other types become float64. Cost: a full SVD in float64.

        Raises
        ------
        OptionError
            *weight* is not a finite positive number.
        InputError
            *point* is not finite.
        """
        return map_singular_values(point, lambda values: self.shrink_values(values, weight)[0])

    def shrink_values(self, values: NDArray[Any], weight: float) -> tuple[NDArray[np.floating[Any]], float]:
        """Return the singular values of the proximal point, and the threshold λ/weight subtracted from them.

        *values* are those of the point, nonnegative and decreasing. If only the r leading ones are given, the rank-r
        proximal point is exact if and only if the next one is at most the threshold.
        """
        theta = self.weight / prox_weight(weight, "NuclearNormPenalty")
        return np.maximum(values - theta, 0), theta
