"""Which of the two parts takes the proximal step, and which the conditional-gradient step.

At (X, Y) with ∇ = X + Y − M, weight η and β = 1 both roles return the end (V, W) of the step and the sums over the
direction ``D = V + W − X − Y``. With the vertex W of one part, the other part's end is the projection of
``(X + Y) − W − ∇/η``, X counted from its offset.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

from numpy.typing import NDArray

from bgsub.errors import OptionError
from bgsub.solver.atoms import Entry, LowRank
from bgsub.solver.capabilities import EntryVertex, LowRankProjection, PairVertex, Shrinkage, require
from bgsub.solver.kernels import Point, Target
from bgsub.solver.lazy import LazyMatrix
from bgsub.solver.methods.state import Guess, State
from bgsub.solver.passes import Direction, Passes, target
from bgsub.solver.problem import SplitProblem
from bgsub.solver.ritz import leading_pair, rayleigh_ritz
from bgsub.solver.threshold import Threshold

PAIR_ACCURACY = 0.03
"""Growth of σ₁ in a power step at which it counts as found, at η = 1; less for a smaller η, in proportion."""

SAMPLE_ACCURACY = 1e-4
"""Relative accuracy of the threshold search on a sample, which only provides a start."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of a step: X̂, both ends as the kernels read them, sums over D, and hints for the next step."""

    low_rank: LowRank
    target: Target
    direction: Direction
    basis: NDArray[Any]
    guess: Guess


class Roles(Protocol):
    """An assignment of the two steps to the two parts."""

    @property
    def name(self) -> str:
        """The method's name in the paper."""
        ...

    def check(self, problem: SplitProblem) -> None:
        """Raise where a set lacks a capability."""
        ...

    def end(self, problem: SplitProblem, passes: Passes, state: State, point: Point, weight: float) -> End:
        """Return the end of the step from *state* at weight η."""
        ...


@dataclass(frozen=True, slots=True)
class ProjectSparse:
    """Y by a projection, X by a vertex of rank one (ALT-PGCG): for ‖Y‖₁ ≫ ‖X′‖_*, as in video."""

    @property
    def name(self) -> str:
        """The method's name in the paper."""
        return "ALT-PGCG"

    def check(self, problem: SplitProblem) -> None:
        """Raise unless the low-rank set has ``lmo`` and the sparse set ``shrinkage``."""
        require(problem.low_rank, ("lmo", "support"), "low-rank", self.name)
        require(problem.sparse, ("shrinkage", "support"), "sparse", self.name)

    def end(self, problem: SplitProblem, passes: Passes, state: State, point: Point, weight: float) -> End:
        """Return the end of the step; two to three passes over the data, more only far from the last threshold."""
        still = target(problem.zero_low_rank(), 0.0, math.inf)
        pair, basis = leading_pair(
            state.sketch, lambda u: passes.advance(point, still, 0.0, u), PAIR_ACCURACY * weight
        )
        vertex = cast(PairVertex, problem.low_rank).lmo(pair)
        end = target(LowRank(vertex.left, vertex.right, problem.offset), 1 / weight - 1, 0.0)
        found = _search(cast(Shrinkage, problem.sparse), passes, point, end, state.guess)
        end = end._replace(theta=problem.dtype.type(found.theta))
        return End(vertex, end, found.shrunk, basis, Guess(found.theta, found.shrunk.sample_share))


def _search(
    sparse: Shrinkage, passes: Passes, point: Point, end: Target, guess: Guess
) -> Threshold[Direction]:
    """Find the threshold of the projection: on a sample of the columns first, then on all of them.

    What the sample over- or underrates is the same from one iteration to the next, so the last one corrects this one.
    """
    real = passes.dtype.type

    def shrink(theta: float) -> Direction:
        return passes.measure(point, end._replace(theta=real(theta)))

    def shrink_sample(theta: float) -> Direction:
        found = passes.measure(point, end._replace(theta=real(theta)), True)
        share = guess.sample_share
        return replace(found, total=found.total / share, count=found.count / share)

    start = guess.threshold
    if passes.may_sample and guess.sample_share > 0:
        start = sparse.shrinkage(shrink_sample, start, passes.dtype, SAMPLE_ACCURACY).theta
    return sparse.shrinkage(shrink, start, passes.dtype)


@dataclass(frozen=True, slots=True)
class ProjectLowRank:
    """X by a projection of given rank, Y by a vertex with one entry (ALT-CGPG): for ‖X′‖_* ≫ ‖Y‖₁.

    Attributes
    ----------
    rank
        Rank r of the singular value decomposition. The theory asks for at least the rank of an optimal X.

    Raises
    ------
    OptionError
        A rank that is not a whole number of at least one.
    """

    rank: int

    def __post_init__(self) -> None:
        if isinstance(self.rank, bool) or not isinstance(self.rank, int) or self.rank < 1:
            raise OptionError(f"rank of alt_cgpg must be a whole number of at least 1, but is {self.rank!r}")

    @property
    def name(self) -> str:
        """The method's name in the paper."""
        return "ALT-CGPG"

    def check(self, problem: SplitProblem) -> None:
        """Raise unless the low-rank set has ``project_low_rank`` and the sparse set ``lmo``."""
        require(problem.low_rank, ("project_low_rank", "support"), "low-rank", self.name)
        require(problem.sparse, ("lmo", "support"), "sparse", self.name)

    def end(self, problem: SplitProblem, passes: Passes, state: State, point: Point, weight: float) -> End:
        """Return the end of the step: one truncated singular value decomposition and one pass over the data."""
        vertex = cast(EntryVertex, problem.sparse).lmo(state.sketch.peak)
        projected = cast(LowRankProjection, problem.low_rank).project_low_rank(
            _proximal_point(problem, state, vertex, weight), self.rank
        )
        low_rank = LowRank(projected.left.astype(problem.dtype), projected.right.astype(problem.dtype))
        end = target(LowRank(low_rank.left, low_rank.right, problem.offset), 0.0, math.inf, vertex)
        _, _, basis = rayleigh_ritz(state.sketch)
        return End(low_rank, end, passes.measure(point, end), basis, state.guess)


def _proximal_point(problem: SplitProblem, state: State, vertex: Entry, weight: float) -> LazyMatrix:
    """Return ``X′ + Y − W − ∇/η``, not formed."""
    gradient = problem.gradient(state.low_rank, state.sparse)
    left = gradient.left.astype("float64") * (1 - 1 / weight)
    left[:, 0] -= 1.0  # the offset, which is no part of X′
    minus = Entry(vertex.row, vertex.column, -vertex.value)
    return LazyMatrix(problem.matrix, state.sparse, 1 / weight, 1 - 1 / weight, left, gradient.right, minus)
