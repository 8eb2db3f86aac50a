"""The problem: data, two constraint sets, a loss."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgsub.solver.arrays import real_dtype, working_matrix, working_vector
from bgsub.solver.atoms import LowRank
from bgsub.solver.lazy import LazyMatrix
from bgsub.solver.losses.squared import SquaredLoss


@runtime_checkable
class ConstraintSet(Protocol):
    """A compact convex set; what else a method needs of one is in :mod:`bgsub.solver.capabilities`."""

    @property
    def diameter(self) -> float:
        """Largest Frobenius distance of two members."""
        ...

    def value(self, point: Any) -> float:
        """Return the norm that the set bounds."""
        ...

    def is_feasible(self, point: Any, tolerance: float = 1e-6) -> bool:
        """Tell whether *point* is a member, up to a relative *tolerance*."""
        ...

    def support(self, dual_norm: float) -> float:
        """Return ``max ⟨point, G⟩`` over the set, given the dual norm of G."""
        ...


class SplitProblem:
    """``min ½‖X + Y − M‖²_F`` over ``X = 1·offsetᵀ + X′``, X′ in a low-rank set, Y in a sparse set.

    Parameters
    ----------
    matrix
        M, ``(n, p)``; for video frames × rows, grey levels. uint8 and float32 are worked on in float32, other types in
        float64. Copied only when the type or the memory order asks for it; never written to.
    low_rank
        The set of X′, e.g. ``NuclearNormBall(tau)``.
    sparse
        The set of Y, e.g. ``L1Ball(s)``.
    offset
        ``(p,)``, the same for every one of the n rows, rounded to the working precision; zero by default. All norms
        are those of X′, the part beyond it.
    loss
        ``SquaredLoss()``.

    Raises
    ------
    InputError
        A matrix that is not two-dimensional, is empty, or holds NaN, infinite or complex values or objects; an offset
        of another length than p.
    """

    __slots__ = ("dtype", "loss", "low_rank", "matrix", "offset", "sparse")

    def __init__(
        self,
        matrix: ArrayLike,
        low_rank: ConstraintSet,
        sparse: ConstraintSet,
        offset: ArrayLike | None = None,
        loss: SquaredLoss | None = None,
    ) -> None:
        self.matrix: NDArray[Any] = working_matrix(matrix)
        self.dtype = real_dtype(self.matrix)
        self.offset: NDArray[Any] = working_vector(offset, self.matrix.shape[1], self.dtype, "the offset")
        self.low_rank = low_rank
        self.sparse = sparse
        self.loss = SquaredLoss() if loss is None else loss

    @property
    def shape(self) -> tuple[int, int]:
        """Shape ``(n, p)`` of the data."""
        n, p = self.matrix.shape
        return int(n), int(p)

    def zero_low_rank(self) -> LowRank:
        """Return X with X′ = 0."""
        return LowRank.zeros(self.shape, self.offset, self.dtype)

    def gradient(self, low_rank: LowRank, sparse: NDArray[Any]) -> LazyMatrix:
        """Return the gradient at (X, Y), not formed."""
        return self.loss.gradient(self.matrix, low_rank, sparse)

    def beyond_offset(self, low_rank: LowRank, sparse: NDArray[Any]) -> LazyMatrix:
        """Return X′ + Y, not formed."""
        return LazyMatrix(self.matrix, sparse, 0.0, 1.0, low_rank.left, low_rank.right)

    def objective_at_zero(self) -> float:
        """Return the objective at X′ = 0, Y = 0: the scale of every relative tolerance."""
        nothing = np.broadcast_to(np.zeros((), self.dtype), self.shape)
        return self.loss.value(self.gradient(self.zero_low_rank(), nothing).square_norm())
