"""Matrices with a bounded nuclear norm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.sets.base import NormBall
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.points import finite, real_matrix, require_entries
from bgsub.solver.sets.radius import positive_radius
from bgsub.solver.sets.spectral import map_singular_values, nuclear_norm, spectral_norm
from bgsub.solver.spectra.atoms import LowRank, SingularPair
from bgsub.solver.spectra.linalg import dense_leading_pair
from bgsub.solver.threshold import DenseShrinkage


@dataclass(frozen=True, slots=True)
class NuclearNormBall(NormBall):
    """``{X : ‖X‖_* = Σσ_i(X) ≤ radius}``; Frobenius diameter 2τ.

    Attributes
    ----------
    radius
        τ > 0, in the units of the entries.

    Raises
    ------
    OptionError
        *radius* is not a finite positive number.
    """

    radius: float
    decomposition: ClassVar[str] = "singular"

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", positive_radius(self.radius, "NuclearNormBall"))

    def value(self, point: LowRank | NDArray[Any]) -> float:
        """Return ‖point‖_*; the offset of a :class:`LowRank` is excluded."""
        return nuclear_norm(point)

    def support(self, spectral_norm: float) -> float:
        """Return ``max ⟨X, G⟩`` over the ball for a G with this spectral norm."""
        return self.radius * spectral_norm

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return ``max −⟨X, gradient⟩`` over the ball: τ‖gradient‖₂, never an underestimate. *level* is unused."""
        return self.support(spectral_norm(gradient))

    def conjugate_at(self, largest: float, level: float) -> float:
        """Return :meth:`conjugate` for a gradient whose largest singular value is *largest*."""
        return self.support(largest)

    def lmo(self, gradient: NDArray[Any] | SingularPair) -> LowRank:
        """Return the vertex ``−τ·u vᵀ`` minimising ``⟨X, gradient⟩``.

        *gradient* is an array ``(n, p)`` or just its leading singular pair (u, v).

        Raises
        ------
        InputError
            The array is empty, not two-dimensional or not finite.
        """
        if not isinstance(gradient, SingularPair):
            gradient = finite(real_matrix(gradient))
            require_entries(gradient)
            gradient = dense_leading_pair(gradient)
        return LowRank(-self.radius * gradient.left[:, None], gradient.right[:, None])

    def project(self, point: NDArray[Any]) -> NDArray[Any]:
        """Return the projection: the singular values are projected onto the ℓ1 ball of radius τ.

        float32 stays float32, other types become float64. Cost: a full SVD in float64.
        """
        return map_singular_values(point, lambda values: self.shrink_values(values)[0])

    def shrink_values(
        self, values: NDArray[Any], weight: float = 1.0
    ) -> tuple[NDArray[np.floating[Any]], float]:
        """Return the singular values of the projection, and the threshold θ subtracted from them.

        *values* are those of the point, nonnegative and decreasing; *weight* does not matter for a set. If only the r
        leading ones are given, the rank-r projection is exact if and only if the next one is at most θ.
        """
        theta = L1Ball(self.radius).shrinkage(DenseShrinkage(values), 0.0, np.dtype(np.float64)).theta
        return np.maximum(values - theta, 0), theta
