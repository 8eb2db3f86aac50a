"""Low-rank proximal steps of terms that act on singular values or eigenvalues."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.kernels.dense_passes import DensePasses
from bgsub.solver.spectra.atoms import LowRank, SingularPair
from bgsub.solver.spectra.linalg import full_svd, gram_vectors, leading_eigenpairs
from bgsub.solver.spectra.subspace import SMALLEST_FULL, Leading, Subspace

FIRST_RANK = 10
"""Number of directions tried first when the rank is unknown."""

CLEAR_DROP = 2.0
"""Ratio of successive singular values at which the rank of the data is taken to be found."""

GROWTH = 1.5
"""Factor by which a rank that was too small grows."""


LEAST_THRESHOLD = 1e-6
"""Threshold, relative to σ₁, from which a full step may use the Gram matrix: X is then accurate to 2e-10·σ₁."""


class SpectralOracle:
    """Steps of one term, with warm starts and an adaptive rank.

    The proximal step takes the leading r singular values of a point A and lets the term shrink them, as in
    section 3.2.1 of Garber, Kaplan and Sabach. **Rank test**: the step of rank r equals the exact one if
    σ_{r+1}(A) is at most the threshold θ subtracted from the leading values, since the exact step then zeroes
    it too. If the test fails, the step is the best one of rank at most r, which is all that the paper's
    theorems need for r ≥ rank X*; the method decides from its progress whether to continue or to :meth:`grow`.

    Parameters
    ----------
    term
        Nuclear-norm ball, trace ball or nuclear-norm penalty.
    passes
        For products with large matrices.
    rank
        Initial r. None: the first step doubles r until the values drop by CLEAR_DROP or the test
        succeeds. 0: full decompositions.
    adapts
        If True, r shrinks to the number of values kept, and may grow; otherwise it is fixed.

    Attributes
    ----------
    enough
        True if the last step passed the rank test.
    known
        Rank of a point that is already known: a lower bound on the first rank found.
    gain
        The decomposition ends at a power step with a relative gain below this; smaller is more accurate.
    """

    def __init__(self, term: Any, passes: DensePasses, rank: int | None = None, adapts: bool = True) -> None:
        self.enough = True
        self.known = 1
        self.gain = 1e-2
        self._term = term
        self._rank = rank
        self._adapts = adapts
        self._points = Subspace(passes.product)

    @property
    def rank(self) -> int | None:
        """Rank r of the next proximal step; None while unknown, 0 for a full decomposition."""
        return self._rank

    @property
    def is_eigen(self) -> bool:
        """True if the term acts on eigenvalues rather than singular values."""
        return bool(self._term.decomposition == "eigen")

    def lowest(self, gradient: NDArray[Any]) -> SingularPair:
        """Return (λ, v, v), the smallest eigenvalue of the symmetric part of *gradient* and its eigenvector."""
        values, vectors = leading_eigenpairs(-gradient, 1)
        return SingularPair(-float(values[0]), vectors[:, 0], vectors[:, 0])

    def grow(self) -> bool:
        """Raise the rank of the next step; return whether that was possible."""
        if self.enough or not self._rank or not self._adapts:
            return False
        self._rank = int(np.ceil(GROWTH * self._rank)) + 1
        return True

    def prox(self, point: NDArray[Any], weight: float) -> LowRank:
        """Return the proximal point of rank at most r."""
        limit = min(point.shape)
        if self._rank is None:
            self._rank = self._first_rank(point, weight)
        if self._rank == 0 and limit > SMALLEST_FULL and not self.is_eigen:
            step = self._gram_step(point, weight)
            if step is not None:
                return step
        rank = limit if self._rank == 0 else min(self._rank, limit)
        found = self._leading(point, rank)
        values, theta = self._term.shrink_values(found.values[:rank], weight)
        self.enough = rank == limit or bool(found.values[rank] <= theta)
        keep = values > 0
        if self.enough and self._rank and self._adapts:
            self._rank = max(int(np.count_nonzero(keep)), 1)
        return LowRank(found.left[:, :rank][:, keep] * values[keep], found.right[:, :rank][:, keep])

    def _gram_step(self, point: NDArray[Any], weight: float) -> LowRank | None:
        """Return the exact proximal point via the Gram matrix, or None if that would be inaccurate."""
        wide = point if point.shape[0] <= point.shape[1] else point.T
        vectors, values = gram_vectors(wide)
        shrunk, theta = self._term.shrink_values(values, weight)
        if 0 < theta < LEAST_THRESHOLD * values[0]:
            return None
        # U·f(Σ)/Σ·Uᵀ·A; if nothing is shrunk, the factors are 1 and the inaccurate small values are not used.
        keep = shrunk > 0 if theta > 0 else np.ones(len(values), bool)
        factors = shrunk[keep] / values[keep] if theta > 0 else np.ones(len(values))
        u = vectors[:, keep]
        left, right = (u * factors).astype(point.dtype), wide.T @ u.astype(point.dtype)
        self.enough = True
        return LowRank(left, right) if wide is point else LowRank(right, left)

    def _first_rank(self, point: NDArray[Any], weight: float) -> int:
        limit = int(min(point.shape))
        rank = min(max(FIRST_RANK, self.known), limit)
        while rank < limit:
            values = self._leading(point, rank).values
            kept, theta = self._term.shrink_values(values[:rank], weight)
            if values[rank] <= theta:
                return max(int(np.count_nonzero(kept)), self.known)
            if (drops := _drops(values[:rank])).size:
                return max(int(drops[-1]) + 1, self.known)
            rank = min(2 * rank, limit)
        return limit

    def _leading(self, point: NDArray[Any], rank: int) -> Leading:
        if self.is_eigen:
            values, vectors = leading_eigenpairs(point, min(rank + 1, len(point)))
            return Leading(vectors, values, vectors)
        if self._rank == 0 or min(point.shape) <= SMALLEST_FULL:
            return Leading(*full_svd(point))
        return self._points.leading(point, rank, self.gain)


def _drops(values: NDArray[Any]) -> NDArray[Any]:
    """Return the indices where a value is CLEAR_DROP times the next, among those above rounding."""
    above = values[:-1] > np.finfo(values.dtype).eps * values[0]
    return np.flatnonzero(above & (values[:-1] >= CLEAR_DROP * values[1:]))
