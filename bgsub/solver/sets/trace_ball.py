"""Positive semidefinite matrices of bounded trace."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.sets.base import ConstraintTerm
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.points import finite, real_matrix, require_entries, require_square
from bgsub.solver.sets.radius import positive_radius
from bgsub.solver.sets.spectral import is_finite, smallest_eigenpair, smallest_eigenvalue, symmetric_part
from bgsub.solver.spectra.atoms import LowRank, SingularPair
from bgsub.solver.threshold import DenseShrinkage


@dataclass(frozen=True, slots=True)
class TraceBall(ConstraintTerm):
    """``{X : X = Xᵀ ⪰ 0, tr X ≤ radius}``: the set for a corrupted covariance matrix.

    Points and gradients are square; only the symmetric part of a gradient matters.

    Attributes
    ----------
    radius
        τ > 0, in the units of the entries.

    Raises
    ------
    OptionError
        *radius* is not a finite positive number.
    InputError
        From every method: a point or gradient is not square.
    """

    radius: float
    decomposition: ClassVar[str] = "eigen"

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", positive_radius(self.radius, "TraceBall"))

    @property
    def diameter(self) -> float:
        """Frobenius diameter: √2·τ.

        ``‖A − B‖² = ‖A‖² + ‖B‖² − 2⟨A, B⟩ ≤ 2τ²``, since ``⟨A, B⟩ ≥ 0`` and ``‖A‖_F ≤ tr A`` for positive semidefinite
        A and B. Attained by τ·uuᵀ and τ·vvᵀ with u ⟂ v; 1 × 1 matrices are at most τ apart.
        """
        return math.sqrt(2) * self.radius

    def value(self, point: LowRank | NDArray[Any]) -> float:
        """Return the trace of *point*; the offset of a :class:`LowRank` is excluded."""
        if isinstance(point, LowRank):
            require_square(point.shape)
            return float(np.einsum("ij,ij->", point.left, point.right, dtype=np.float64))
        return float(np.trace(real_matrix(point, square=True), dtype=np.float64))

    def is_feasible(self, point: LowRank | NDArray[Any], tolerance: float = 1e-6) -> bool:
        """Return whether tr X ≤ τ + τ·tolerance, λ_min ≥ −τ·tolerance and ‖X − Xᵀ‖_F/2 ≤ τ·tolerance.

        Cost O(n³), or O(n k²) for a :class:`LowRank` with k columns.
        """
        if not is_finite(point):
            return False
        core = _core(point) if isinstance(point, LowRank) else real_matrix(point, square=True)
        symmetric = symmetric_part(core)
        slack = tolerance * self.radius
        return (
            self.value(point) <= self.radius + slack
            and float(np.linalg.norm(core - symmetric)) <= slack
            and -smallest_eigenvalue(symmetric) <= slack
        )

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return ``max −⟨X, G⟩`` over the set: τ·max(−λ_min(sym G), 0), never an underestimate. *level* is unused."""
        return self.conjugate_at(smallest_eigenvalue(symmetric_part(gradient)), level)

    def conjugate_at(self, smallest: float, level: float) -> float:
        """Return :meth:`conjugate` for a gradient whose symmetric part has the smallest eigenvalue *smallest*."""
        return self.radius * max(-smallest, 0.0)

    def lmo(self, gradient: NDArray[Any] | SingularPair) -> LowRank:
        """Return the minimiser of ``⟨X, G⟩``: τ·vvᵀ with the eigenvector v of λ_min(sym G) if that is negative, else 0.

        *gradient* is an array ``(n, n)`` or just the pair (λ_min, v, v).

        Raises
        ------
        InputError
            The array is empty, not square or not finite.
        """
        if not isinstance(gradient, SingularPair):
            gradient = finite(real_matrix(gradient, square=True))
            require_entries(gradient)
            value, vector = smallest_eigenpair(symmetric_part(gradient))
            gradient = SingularPair(value, vector, vector)
        column = gradient.left[:, None]
        if gradient.value >= 0:
            return LowRank.zeros((len(column), len(column)), dtype=column.dtype)
        return LowRank(self.radius * column, column)

    def project(self, point: NDArray[Any]) -> NDArray[Any]:
        """Return the projection: the eigenvalues of the symmetric part are projected onto ``{λ ≥ 0, Σλ ≤ τ}``.

        float32 stays float32, other types become float64. Cost: a full eigendecomposition in float64.
        """
        point = finite(real_matrix(point, square=True))
        values, vectors = np.linalg.eigh(symmetric_part(point))
        root = vectors * np.sqrt(self.shrink_values(values)[0])
        return np.asarray(root @ root.T, dtype=point.dtype)

    def shrink_values(
        self, values: NDArray[Any], weight: float = 1.0
    ) -> tuple[NDArray[np.floating[Any]], float]:
        """Return the eigenvalues of the projection, and the threshold θ ≥ 0: ``max(λ − θ, 0)`` with sum at most τ.

        *values* are those of the symmetric part of the point, of either sign; *weight* does not matter for a set. If
        only the r largest are given, the rank-r projection is exact if and only if the next one is at most θ.
        """
        above = DenseShrinkage(np.maximum(values, 0))
        theta = L1Ball(self.radius).shrinkage(above, 0.0, np.dtype(np.float64)).theta
        return np.maximum(values - theta, 0), theta


def _core(point: LowRank) -> NDArray[np.float64]:
    """Return ``QᵀXQ``, at most 2k × 2k, for an orthonormal basis Q of the row and column spaces of X = left·rightᵀ."""
    require_square(point.shape)
    left, right = point.left.astype(np.float64), point.right.astype(np.float64)
    basis = np.linalg.qr(np.concatenate([left, right], axis=1)).Q
    return np.asarray((basis.T @ left) @ (right.T @ basis))
