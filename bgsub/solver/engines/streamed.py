"""Streamed engine for video: compiled passes over the data, X in factored form, only M and Y at full size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from numpy.typing import NDArray

from bgsub.solver.capabilities import PairVertex
from bgsub.solver.engines.lp_side import RootSide
from bgsub.solver.engines.side import Side
from bgsub.solver.engines.soft_sides import BallSide, NetSide
from bgsub.solver.kernels.iteration import Point
from bgsub.solver.kernels.lp_passes import RootPasses
from bgsub.solver.kernels.passes import Direction, Passes, Sketch, packed
from bgsub.solver.kernels.tiles import Workers
from bgsub.solver.losses.squared import SquaredLoss
from bgsub.solver.parts import Ends, Part, bounded
from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.problem import SplitProblem
from bgsub.solver.rules.rule import Trial
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.lp_ball import LpBall
from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.spectra.ritz import first_basis, leading_pair, rayleigh_ritz

PAIR_ACCURACY = 0.03
"""Relative growth of σ₁ per power step at which the leading pair is accepted at first; later it shrinks like η."""

STEPS: dict[type, frozenset[str]] = {
    L1Ball: frozenset({"lmo", "prox"}),
    ElasticNet: frozenset({"prox"}),
    LpBall: frozenset({"prox"}),
}
"""The terms of Y supported by the kernels, and those of their steps that need no data-sized array besides Y."""


@dataclass(frozen=True, slots=True)
class SparseEnd:
    """Endpoint of Y, in the representation of its side.

    ``low_rank`` is the endpoint X̂ for which it was found; ``direction`` holds the sums over the step, if known.
    """

    end: Any
    low_rank: LowRank | None = None
    direction: Direction | None = None


class StreamedEngine:
    """Engine for the squared loss, the nuclear-norm ball and, for Y, one of the terms in STEPS; X takes LMO steps only.

    Parameters
    ----------
    problem
        One that :meth:`takes` accepts.
    low_rank
        X, with the offset of the problem.
    sparse
        Y ``(n, p)``; the engine takes ownership and overwrites it.
    workers
        The threads. Results do not depend on their number.
    """

    def __init__(
        self, problem: SplitProblem, low_rank: LowRank, sparse: NDArray[Any], workers: Workers
    ) -> None:
        self.problem = problem
        self._low_rank, self._sparse = low_rank, sparse
        self._side = _side(problem, workers)
        self._moves = 0
        self._look(self._refine(first_basis(problem.shape[0])))

    @staticmethod
    def takes(problem: SplitProblem, asks: Iterable[tuple[Part, str]]) -> bool:
        """Return whether the kernels support this loss, these two terms and the steps a method *asks* for."""
        known = {
            Part.LOW_RANK: {"lmo"} if isinstance(problem.low_rank, NuclearNormBall) else set(),
            Part.SPARSE: STEPS.get(type(problem.sparse), frozenset()),
        }
        return isinstance(problem.loss, SquaredLoss) and all(step in known[part] for part, step in asks)

    @property
    def objective(self) -> float:
        """The objective f at the current point."""
        return self._sketch.square / 2 + self._side.cost(self._sketch)

    @property
    def gap(self) -> float:
        """Estimate of the Frank–Wolfe gap; at most the objective, since f* ≥ 0."""
        low_rank = cast(NuclearNormBall, self.problem.low_rank).support(self._ritz.pair.value)
        conjugates = low_rank + self._side.conjugate(self._point(), self._sketch)
        return float(min(self._sketch.inner + self._side.cost(self._sketch) + conjugates, self.objective))

    @property
    def rank(self) -> int:
        """Upper bound on the rank of X, offset excluded."""
        return min(self._low_rank.columns, *self.problem.shape)

    def lmo(self, part: Part) -> Any:
        """Return the LMO vertex of one part: up to a few passes over the data for X, none for Y."""
        if part is Part.SPARSE:
            return SparseEnd(self._side.vertex(self._sketch.peak))
        accuracy = PAIR_ACCURACY * 2 / (self._moves + 2)
        found = leading_pair(self._ritz, self._refine, accuracy)
        self._basis = found.basis
        return cast(PairVertex, self.problem.low_rank).lmo(found.pair)

    def prox(self, part: Part, weight: float, other: LowRank) -> SparseEnd:
        """Return the proximal endpoint of Y: no pass for a penalty, two to three for a ball."""
        if part is not Part.SPARSE:
            raise NotImplementedError("the streamed engine takes no proximal step of X")
        end, direction = self._side.prox(self._point(), self._offset(other), weight)
        return SparseEnd(end, other, direction)

    def here(self, part: Part) -> LowRank:
        """Return X unchanged; not available for Y."""
        if part is not Part.LOW_RANK:
            raise NotImplementedError("in the streamed engine Y moves in every step")
        return LowRank(self._low_rank.left, self._low_rank.right)

    def trial(self, ends: Ends, weight: float) -> Trial:
        """Return slope and curvature: one pass over the data, unless computing the endpoint has already given them."""
        direction: Direction | None = ends.sparse.direction
        if direction is None or ends.sparse.low_rank is not ends.low_rank:
            direction = self._side.measure(self._point(), self._offset(ends.low_rank), ends.sparse.end)
        rise = self._side.cost_of_end(direction) - self._side.cost(self._sketch)
        smooth, slope, square = self._sketch.square / 2, direction.slope, direction.square

        def along(step: float) -> float:
            cost = self._side.cost_between(self._point(), self._offset(ends.low_rank), ends.sparse.end, step)
            return smooth + step * slope + step * step * square / 2 + cost

        return Trial(slope + rise, square, weight, self.objective, 1.0, along)

    def move(self, ends: Ends, step: float) -> None:
        """Move towards *ends* and sketch the gradient there: one pass over the data."""
        low_rank = self._offset(ends.low_rank)
        sketch = self._side.advance(self._point(), low_rank, ends.sparse.end, step, self._basis)
        if ends.low_rank.left is not self._low_rank.left:
            mixed = self._low_rank.mix(step, ends.low_rank)
            self._low_rank = bounded(self._low_rank, mixed)
        self._moves += 1
        self._look(sketch)

    def result(self) -> tuple[LowRank, NDArray[Any], float]:
        """Return X, Y and the last threshold."""
        return self._low_rank, self._sparse, self._side.threshold

    def _look(self, sketch: Sketch) -> None:
        self._sketch, self._ritz = sketch, rayleigh_ritz(sketch)
        self._basis = self._ritz.basis

    def _refine(self, basis: NDArray[Any]) -> Sketch:
        return self._side.look(self._point(), basis)

    def _point(self) -> Point:
        return Point(self.problem.matrix, self._sparse, *packed(self._low_rank))

    def _offset(self, low_rank: LowRank) -> LowRank:
        return LowRank(low_rank.left, low_rank.right, self.problem.offset)


def _side(problem: SplitProblem, workers: Workers) -> Side:
    """Return the steps for the term of Y."""
    zero, term, data = problem.zero_low_rank(), problem.sparse, (problem.matrix, problem.dtype, workers)
    if isinstance(term, LpBall):
        return RootSide(term, RootPasses(*data), zero)
    if isinstance(term, ElasticNet):
        return NetSide(term, Passes(*data), zero)
    return BallSide(cast(L1Ball, term), Passes(*data), zero)
