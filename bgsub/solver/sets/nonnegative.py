"""The nonnegative orthant."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.sets.base import ConstraintTerm
from bgsub.solver.sets.points import Real, finite, largest_modulus, real_array


@dataclass(frozen=True, slots=True)
class NonNegative(ConstraintTerm):
    """``{Y : Y ≥ 0}``, entrywise: a cone, so there is no LMO."""

    @property
    def diameter(self) -> float:
        """Frobenius diameter: infinite."""
        return math.inf

    def value(self, point: NDArray[Any]) -> float:
        """Return the magnitude of the most negative entry; 0 if there is none."""
        point = real_array(point)
        return max(-float(point.min()), 0.0) if point.size else 0.0

    def is_feasible(self, point: NDArray[Any], tolerance: float = 1e-6) -> bool:
        """Return whether no entry is below ``−tolerance·max|y_ij|``."""
        return self.value(point) <= tolerance * largest_modulus(real_array(point))

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return ``sup −⟨Y, gradient⟩`` over the cone: 0 if the gradient has no negative entry, else infinity."""
        return 0.0 if self.value(gradient) == 0 else math.inf

    def dual(self, gradient: NDArray[Any]) -> Real:
        """Return the nearest gradient whose :meth:`conjugate` is finite, for the certificate."""
        return self.project(gradient)

    def project(self, point: NDArray[Any]) -> Real:
        """Return the projection ``max(point, 0)``. float32 stays float32, other types become float64."""
        return np.asarray(np.maximum(finite(real_array(point)), 0))
