"""The optimisation problem: data, two terms and a loss."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgsub.errors import IncompatibleProblem, InputError, OptionError
from bgsub.solver.arrays import (
    LARGEST_DOUBLE,
    real_dtype,
    real_numbers,
    square_norm,
    working_data,
    working_vector,
)
from bgsub.solver.checks import number, require_kind, shown
from bgsub.solver.losses.protocol import Loss
from bgsub.solver.losses.squared import SquaredLoss
from bgsub.solver.parts import Block, Part, full
from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.lp_ball import LpBall
from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall
from bgsub.solver.sets.points import largest_modulus, real_array, require_square
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.spectra.lazy import BLOCK_ENTRIES, LazyMatrix


@runtime_checkable
class Term(Protocol):
    """A convex set or a penalty; optional capabilities are listed in :mod:`bgsub.solver.capabilities`."""

    @property
    def diameter(self) -> float:
        """Diameter of the set in the Frobenius norm; infinite for a penalty or an unbounded set."""
        ...

    @property
    def convexity(self) -> float:
        """Strong convexity modulus δ of the penalty; 0 if none."""
        ...

    def set_convexity(self, entries: int) -> float:
        """Return the strong convexity modulus γ of the set for matrices of *entries* entries; 0 if none."""
        ...

    def value(self, point: Any) -> float:
        """Return the norm bounded by the set, or the penalty."""
        ...

    def cost(self, point: Any) -> float:
        """Return the term's contribution to the objective."""
        ...

    def is_feasible(self, point: Any, tolerance: float = 1e-6) -> bool:
        """Return whether *point* is in the set, up to a relative *tolerance*."""
        ...

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return an upper bound on ``−⟨P, gradient⟩ − R(P)`` over all P with R(P) ≤ *level*."""
        ...


class SplitProblem:
    """``min g(X + Y) + R_X(X′) + R_Y(Y)`` over ``X = 1·offsetᵀ + X′`` and Y; R is a set indicator or a penalty.

    Parameters
    ----------
    matrix
        Data M, ``(n, p)`` for most losses; for video, grey levels, frames × pixels. uint8 and float32 are processed
        in float32, other types in float64. Copied only if dtype or memory order requires it; never written to.
    low_rank
        Term of X′, e.g. ``NuclearNormBall(tau)``.
    sparse
        Term of Y, e.g. ``L1Ball(s)``.
    offset
        ``(p,)``, shared by all n rows, rounded to the working precision; zero by default. All norms are those
        of X′, the part without it.
    loss
        g; ``SquaredLoss()`` by default, i.e. ½‖X + Y − M‖²_F.

    Raises
    ------
    InputError
        The matrix is empty, has a shape the loss does not accept, or holds NaN, infinite or non-real values;
        the offset has a length other than p or values too large for the working precision; the matrix is not
        square but a term requires symmetric matrices.
    OptionError
        A term or the loss is not one, or the loss violates ``0 < alpha ≤ beta < ∞``.
    IncompatibleProblem
        An offset with a loss whose data are not a matrix.
    """

    __slots__ = ("dtype", "loss", "low_rank", "matrix", "offset", "shape", "sparse")

    def __init__(
        self,
        matrix: ArrayLike,
        low_rank: Term,
        sparse: Term,
        offset: ArrayLike | None = None,
        loss: Loss | None = None,
    ) -> None:
        for term, name in ((low_rank, "low_rank"), (sparse, "sparse")):
            require_kind(term, Term, f"{name} of SplitProblem", "a term such as L1Ball(3.0)")
        self.loss: Loss = SquaredLoss() if loss is None else checked_loss(loss)
        self.matrix: NDArray[Any] = working_data(matrix)
        self.loss.check(self.matrix)
        self.dtype = real_dtype(self.matrix)
        self.shape: tuple[int, int] = self.loss.shape(self.matrix)
        if offset is not None and not self.loss.on_matrices:
            raise IncompatibleProblem(
                f"{type(self.loss).__name__} takes no offset: subtract its image from the data instead"
            )
        self.offset: NDArray[Any] = working_vector(offset, self.shape[1], self.dtype, "the offset")
        for term in (low_rank, sparse):
            if getattr(term, "decomposition", None) == "eigen":
                require_square(self.shape)
        self.low_rank = low_rank
        self.sparse = sparse

    @property
    def is_blockwise(self) -> bool:
        """True if the certificate works block by block: squared loss, nuclear-norm ball, entrywise term of Y."""
        return (
            isinstance(self.loss, SquaredLoss)
            and isinstance(self.low_rank, NuclearNormBall)
            and isinstance(self.sparse, L1Ball | LpBall | ElasticNet)
        )

    def term(self, part: Part) -> Any:
        """Return the term of *part*."""
        return self.low_rank if part is Part.LOW_RANK else self.sparse

    def zero_low_rank(self) -> LowRank:
        """Return X with X′ = 0."""
        return LowRank.zeros(self.shape, self.offset, self.dtype)

    def as_low_rank(self, block: Block) -> LowRank:
        """Return X in factored form, with the offset; an array is factored by a full SVD."""
        if isinstance(block, LowRank):
            return LowRank(block.left, block.right, self.offset)
        u, values, vt = np.linalg.svd(full(block, self.shape, self.dtype), full_matrices=False)
        return LowRank(u * values, vt.T, self.offset)

    def centred(self, dtype: Any = None) -> NDArray[Any]:
        """Return M − 1·offsetᵀ, the data for X′ + Y, in *dtype* (by default the working precision)."""
        data = self.matrix.astype(dtype or self.dtype, copy=False)
        return data - self.offset if self.offset.any() else data

    def gradient(self, low_rank: LowRank, sparse: NDArray[Any]) -> LazyMatrix:
        """Return the gradient of the squared loss, ``X + Y − M``, without forming it."""
        left, right = with_offset(low_rank)
        return LazyMatrix(self.matrix, sparse, -1.0, 1.0, left, right)

    def beyond_offset(self, low_rank: LowRank, sparse: NDArray[Any]) -> LazyMatrix:
        """Return X′ + Y, without forming it."""
        return LazyMatrix(self.matrix, sparse, 0.0, 1.0, low_rank.left, low_rank.right)

    def objective_at_zero(self) -> float:
        """Return the objective at X′ = 0, Y = 0: the scale of every relative tolerance."""
        if isinstance(self.loss, SquaredLoss):
            # A block of rows at a time, so as not to copy a whole video.
            rows = max(1, BLOCK_ENTRIES // self.shape[1])
            pieces = (self.matrix[low : low + rows] - self.offset for low in range(0, len(self.matrix), rows))
            return sum(map(square_norm, pieces)) / 2
        return self.loss.value(self.centred(), np.zeros(self.shape, self.dtype))


def require_problem(value: object, owner: str) -> None:
    """Raise unless *value* is a :class:`SplitProblem`.

    Raises
    ------
    OptionError
        *value* is something else; the message names *owner*, the function it was passed to.
    """
    if not isinstance(value, SplitProblem):
        raise OptionError(f"{owner} takes a SplitProblem first, but was given {shown(value)}")


def checked_point(
    problem: SplitProblem, low_rank: object, sparse: object, owner: str
) -> tuple[LowRank, NDArray[Any]]:
    """Return a point (X, Y), X with the problem's offset; each array keeps its precision, float32 or float64.

    Raises
    ------
    OptionError
        X is not a :class:`LowRank`; the message names *owner*, the function it was passed to.
    InputError
        Wrong shapes, NaN, infinite or complex values, or values beyond 1e140.
    """
    if not isinstance(low_rank, LowRank):
        raise OptionError(
            f"low_rank of {owner} must be a LowRank, as that of a Result is, but is {shown(low_rank)}"
        )
    array = real_numbers(sparse, f"sparse of {owner}")
    if low_rank.shape != problem.shape or array.shape != problem.shape:
        raise InputError(
            f"low_rank and sparse of {owner} have shapes {low_rank.shape} and {array.shape}, but the problem has "
            f"{problem.shape}"
        )
    left, right = (real_numbers(factor, f"low_rank of {owner}") for factor in (low_rank.left, low_rank.right))
    peaks = {"low_rank": largest_modulus(left) * largest_modulus(right), "sparse": largest_modulus(array)}
    for name, peak in peaks.items():
        if not peak <= LARGEST_DOUBLE:
            raise InputError(f"{name} of {owner} must be finite and at most 1e140, but holds {peak:.1e}")
    return LowRank(real_array(left), real_array(right), problem.offset), real_array(array)


def checked_loss(loss: Loss) -> Loss:
    """Return *loss*, checked.

    Raises
    ------
    OptionError
        *loss* is not a loss, or violates ``0 < alpha ≤ beta < ∞``.
    """
    require_kind(loss, Loss, "loss of SplitProblem", "a loss such as SquaredLoss()")
    owner = type(loss).__name__
    alpha, beta = (number(getattr(loss, name), f"{name} of {owner}", above=0) for name in ("alpha", "beta"))
    if alpha > beta:
        raise OptionError(f"alpha of {owner} must be at most beta, but they are {alpha!r} and {beta!r}")
    return loss


def with_offset(low_rank: LowRank) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return factors ``(n, 1 + k)`` and ``(p, 1 + k)`` of X, the first columns representing the offset."""
    n, p = low_rank.shape
    dtype = low_rank.left.dtype
    offset = np.zeros(p, dtype) if low_rank.offset is None else low_rank.offset
    left = np.concatenate([np.ones((n, 1), dtype), low_rank.left], axis=1)
    return left, np.concatenate([offset[:, None], low_rank.right], axis=1)
