"""The problem: data, two terms, a loss."""

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
    """A convex set or a penalty; what else a method needs of one is in :mod:`bgsub.solver.capabilities`."""

    @property
    def diameter(self) -> float:
        """Largest Frobenius distance of two members; infinite for a penalty or an unbounded set."""
        ...

    @property
    def convexity(self) -> float:
        """Strong convexity δ of the penalty; 0 where there is none."""
        ...

    def set_convexity(self, entries: int) -> float:
        """Return the strong convexity γ of the set among matrices with so many entries; 0 where there is none."""
        ...

    def value(self, point: Any) -> float:
        """Return the norm that the set bounds, or the penalty."""
        ...

    def cost(self, point: Any) -> float:
        """Return what the term adds to the objective."""
        ...

    def is_feasible(self, point: Any, tolerance: float = 1e-6) -> bool:
        """Tell whether *point* is a member, up to a relative *tolerance*."""
        ...

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return an upper bound of ``−⟨P, gradient⟩ − R(P)`` over all P with R(P) ≤ *level*."""
        ...


class SplitProblem:
    """``min g(X + Y) + R_X(X′) + R_Y(Y)`` over ``X = 1·offsetᵀ + X′``, R an indicator of a set or a penalty.

    Parameters
    ----------
    matrix
        The data M: for most losses ``(n, p)``; for video frames × rows, grey levels. uint8 and float32 are worked on
        in float32, other types in float64. Copied only when the type or the memory order asks for it; never written to.
    low_rank
        The term of X′, e.g. ``NuclearNormBall(tau)``.
    sparse
        The term of Y, e.g. ``L1Ball(s)``.
    offset
        ``(p,)``, the same for every one of the n rows, rounded to the working precision; zero by default. All norms
        are those of X′, the part beyond it.
    loss
        g; ``SquaredLoss()`` by default, that is ½‖X + Y − M‖²_F.

    Raises
    ------
    InputError
        A matrix that is empty, of a shape that the loss does not take, or holds NaN, infinite or complex values or
        objects; an offset of another length than p, or with values too large for the working precision; a matrix that
        is not square with a term of symmetric ones.
    OptionError
        Terms or a loss that are none; a loss without ``0 < alpha ≤ beta < ∞``.
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
        """Whether a certificate takes one block of the gradient at a time: squared loss, nuclear-norm ball, entries."""
        return (
            isinstance(self.loss, SquaredLoss)
            and isinstance(self.low_rank, NuclearNormBall)
            and isinstance(self.sparse, L1Ball | LpBall | ElasticNet)
        )

    def term(self, part: Part) -> Any:
        """Return the term of one part."""
        return self.low_rank if part is Part.LOW_RANK else self.sparse

    def zero_low_rank(self) -> LowRank:
        """Return X with X′ = 0."""
        return LowRank.zeros(self.shape, self.offset, self.dtype)

    def as_low_rank(self, block: Block) -> LowRank:
        """Return X in factors, with the offset; an array is factored by a full singular value decomposition."""
        if isinstance(block, LowRank):
            return LowRank(block.left, block.right, self.offset)
        u, values, vt = np.linalg.svd(full(block, self.shape, self.dtype), full_matrices=False)
        return LowRank(u * values, vt.T, self.offset)

    def centred(self, dtype: Any = None) -> NDArray[Any]:
        """Return M − 1·offsetᵀ in the working precision, or in *dtype*: the data of X′ + Y."""
        data = self.matrix.astype(dtype or self.dtype, copy=False)
        return data - self.offset if self.offset.any() else data

    def gradient(self, low_rank: LowRank, sparse: NDArray[Any]) -> LazyMatrix:
        """Return ``X + Y − M``, not formed: the gradient of the squared loss."""
        left, right = with_offset(low_rank)
        return LazyMatrix(self.matrix, sparse, -1.0, 1.0, left, right)

    def beyond_offset(self, low_rank: LowRank, sparse: NDArray[Any]) -> LazyMatrix:
        """Return X′ + Y, not formed."""
        return LazyMatrix(self.matrix, sparse, 0.0, 1.0, low_rank.left, low_rank.right)

    def objective_at_zero(self) -> float:
        """Return the objective at X′ = 0, Y = 0: the scale of every relative tolerance."""
        if isinstance(self.loss, SquaredLoss):
            # Some rows at a time: the data of a video are not to be copied.
            rows = max(1, BLOCK_ENTRIES // self.shape[1])
            pieces = (self.matrix[low : low + rows] - self.offset for low in range(0, len(self.matrix), rows))
            return sum(map(square_norm, pieces)) / 2
        return self.loss.value(self.centred(), np.zeros(self.shape, self.dtype))


def require_problem(value: object, owner: str) -> None:
    """Raise unless *value* is a :class:`SplitProblem`.

    Raises
    ------
    OptionError
        It is something else; the message names the *owner*, the function that it was given to.
    """
    if not isinstance(value, SplitProblem):
        raise OptionError(f"{owner} takes a SplitProblem first, but was given {shown(value)}")


def checked_point(
    problem: SplitProblem, low_rank: object, sparse: object, owner: str
) -> tuple[LowRank, NDArray[Any]]:
    """Return a point (X, Y) of the problem, X with the problem's offset, in float32 or float64: in whichever it is.

    Raises
    ------
    OptionError
        X is no :class:`LowRank`; the message names the *owner*, whose arguments they are.
    InputError
        Other shapes, NaN, infinite or complex values, or values beyond 1e140.
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
    """Return *loss*.

    Raises
    ------
    OptionError
        It is no loss, or its constants are not ``0 < alpha ≤ beta < ∞``.
    """
    require_kind(loss, Loss, "loss of SplitProblem", "a loss such as SquaredLoss()")
    owner = type(loss).__name__
    alpha, beta = (number(getattr(loss, name), f"{name} of {owner}", above=0) for name in ("alpha", "beta"))
    if alpha > beta:
        raise OptionError(f"alpha of {owner} must be at most beta, but they are {alpha!r} and {beta!r}")
    return loss


def with_offset(low_rank: LowRank) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return factors ``(n, 1 + k)`` and ``(p, 1 + k)`` of X whose first columns make up the offset."""
    n, p = low_rank.shape
    dtype = low_rank.left.dtype
    offset = np.zeros(p, dtype) if low_rank.offset is None else low_rank.offset
    left = np.concatenate([np.ones((n, 1), dtype), low_rank.left], axis=1)
    return left, np.concatenate([offset[:, None], low_rank.right], axis=1)
