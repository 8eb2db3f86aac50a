"""The matrices whose singular values have a bounded sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.atoms import LowRank, SingularPair
from bgsub.solver.lazy import LazyMatrix
from bgsub.solver.linalg import dense_leading_pair, truncated_svd
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.radius import positive_radius


@dataclass(frozen=True, slots=True)
class NuclearNormBall:
    """``{X : ‖X‖_* = Σσ_i(X) ≤ radius}``.

    Attributes
    ----------
    radius
        τ > 0, in the units of the entries.

    Raises
    ------
    OptionError
        The radius is not a finite number above zero.
    """

    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", positive_radius(self.radius, "NuclearNormBall"))

    @property
    def diameter(self) -> float:
        """Largest Frobenius distance of two members: 2τ."""
        return 2 * self.radius

    def value(self, point: LowRank | NDArray[Any]) -> float:
        """Return ‖point‖_*; of a :class:`LowRank`, the part beyond its offset."""
        if isinstance(point, LowRank):
            return point.nuclear_norm()
        return float(np.linalg.svd(np.asarray(point, dtype=np.float64), compute_uv=False).sum())

    def is_feasible(self, point: LowRank | NDArray[Any], tolerance: float = 1e-6) -> bool:
        """Tell whether ``‖point‖_* ≤ radius·(1 + tolerance)``."""
        return self.value(point) <= self.radius * (1 + tolerance)

    def support(self, spectral_norm: float) -> float:
        """Return ``max ⟨X, G⟩`` over the ball for a G with this largest singular value."""
        return self.radius * spectral_norm

    def lmo(self, gradient: NDArray[Any] | SingularPair) -> LowRank:
        """Return the vertex ``−τ·u vᵀ`` that minimises ``⟨X, gradient⟩``.

        *gradient* is an array ``(n, p)`` or only its leading singular pair (u, v).
        """
        pair = gradient if isinstance(gradient, SingularPair) else dense_leading_pair(gradient)
        return LowRank(-self.radius * pair.left[:, None], pair.right[:, None])

    def project(self, point: NDArray[Any]) -> NDArray[Any]:
        """Return the nearest member: the singular values are projected on the ℓ1 ball of radius τ. A full SVD."""
        u, values, vt = np.linalg.svd(np.asarray(point, dtype=np.float64), full_matrices=False)
        return np.asarray((u * L1Ball(self.radius).project(values)) @ vt)

    def project_low_rank(self, point: LazyMatrix, rank: int) -> LowRank:
        """Return the nearest member of rank at most *rank*.

        The truncated singular value decomposition, its values projected on the ℓ1 ball of radius τ: the low-rank
        proximal step of Garber, Kaplan and Sabach, eq. robPCAexp:2.
        """
        u, values, v = truncated_svd(point, rank)
        values = L1Ball(self.radius).project(values)
        keep = values > 0
        return LowRank(u[:, keep] * values[keep], v[:, keep])
