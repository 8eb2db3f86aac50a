"""The engine for video: compiled passes over the data, X in factors, and nothing of full size but M and Y."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, cast

from numpy.typing import NDArray

from bgsub.solver.atoms import Entry, LowRank
from bgsub.solver.capabilities import EntryVertex, PairVertex, Shrinkage
from bgsub.solver.kernels import Point, Target
from bgsub.solver.parts import Ends, Part, bounded
from bgsub.solver.passes import Direction, Passes, Sketch, packed, target
from bgsub.solver.problem import SplitProblem
from bgsub.solver.ritz import first_basis, leading_pair, rayleigh_ritz
from bgsub.solver.rules import Trial
from bgsub.solver.threshold import Threshold
from bgsub.solver.tiles import Workers

PAIR_ACCURACY = 0.03
"""Growth of σ₁ in a power step at which it counts as found in the first iteration; less later, in proportion to η."""

SAMPLE_ACCURACY = 1e-4
"""Relative accuracy of the threshold search on a sample, which only provides a start."""


@dataclass(frozen=True, slots=True)
class SparseEnd:
    """The end of Y as the kernels read it: ``soft(q − ρ∇, θ)``, q = M − X̂, plus one entry.

    ``low_rank`` is the end X̂ for which the threshold was searched, and ``direction`` what the search found.
    """

    rho: float
    theta: float
    entry: Entry | None = None
    low_rank: LowRank | None = None
    direction: Direction | None = None


@dataclass(frozen=True, slots=True)
class _Guess:
    """Where the next threshold search begins: the last θ, and the share of the last Σ|v| that the sample claimed."""

    threshold: float = 0.0
    sample_share: float = 1.0


class StreamedEngine:
    """Squared loss, nuclear-norm ball and ℓ1 ball; proximal steps of Y only.

    Parameters
    ----------
    problem
        One that :meth:`takes` accepts.
    low_rank
        X, with the offset of the problem.
    sparse
        Y ``(n, p)``; it becomes the engine's own and is overwritten.
    workers
        The threads. Results do not depend on their number.
    """

    def __init__(
        self, problem: SplitProblem, low_rank: LowRank, sparse: NDArray[Any], workers: Workers
    ) -> None:
        self.problem = problem
        self._passes = Passes(problem.matrix, problem.dtype, workers)
        self._low_rank, self._sparse = low_rank, sparse
        self._guess = _Guess()
        self._moves = 0
        self._look(self._refine(first_basis(problem.shape[0])))

    @staticmethod
    def takes(problem: SplitProblem) -> bool:
        """Tell whether the kernels know this loss and these two terms."""
        return problem.is_robust_pca

    @property
    def objective(self) -> float:
        """The value of f at the point."""
        return self._sketch.square / 2

    @property
    def gap(self) -> float:
        """Estimate of the gap; at most the objective, since f* ≥ 0."""
        spectral = self._ritz.pair.value
        low_rank, sparse = (self.problem.term(part) for part in Part)
        gap = self._sketch.inner + low_rank.support(spectral) + sparse.support(self._sketch.peak.value)
        return float(min(gap, self.objective))

    @property
    def rank(self) -> int:
        """Upper bound on the rank of X beyond the offset."""
        return min(self._low_rank.columns, *self.problem.shape)

    def lmo(self, part: Part) -> Any:
        """Return the vertex of one part: up to a few passes over the data for X, none for Y."""
        if part is Part.SPARSE:
            entry = cast(EntryVertex, self.problem.sparse).lmo(self._sketch.peak)
            return SparseEnd(0.0, math.inf, entry)
        accuracy = PAIR_ACCURACY * 2 / (self._moves + 2)
        found = leading_pair(self._ritz, self._refine, accuracy)
        self._basis = found.basis
        return cast(PairVertex, self.problem.low_rank).lmo(found.pair)

    def prox(self, part: Part, weight: float, other: LowRank) -> SparseEnd:
        """Return the projection of Y; two to three passes over the data, more only far from the last threshold."""
        if part is not Part.SPARSE:
            raise NotImplementedError("the streamed engine takes no proximal step of X")
        rho = 1 / weight - 1
        found = self._search(target(self._offset(other), rho, 0.0))
        self._guess = _Guess(found.theta, found.shrunk.sample_share)
        return SparseEnd(rho, found.theta, None, other, found.shrunk)

    def here(self, part: Part) -> LowRank:
        """Return X as it is; Y cannot stay."""
        if part is not Part.LOW_RANK:
            raise NotImplementedError("in the streamed engine Y moves in every step")
        return LowRank(self._low_rank.left, self._low_rank.right)

    def trial(self, ends: Ends, weight: float) -> Trial:
        """Return slope and curvature: one pass over the data where the threshold search has not been there before."""
        direction = ends.sparse.direction
        if direction is None or ends.sparse.low_rank is not ends.low_rank:
            direction = self._passes.measure(self._point(), self._target(ends))
        start, slope, square = self.objective, direction.slope, direction.square
        return Trial(slope, square, weight, start, 1.0, lambda g: start + g * slope + g * g * square / 2)

    def move(self, ends: Ends, step: float) -> None:
        """Go towards the ends and look at the gradient there: one pass over the data."""
        sketch = self._passes.advance(self._point(), self._target(ends), step, self._basis)
        if ends.low_rank.left is not self._low_rank.left:
            mixed = self._low_rank.mix(step, ends.low_rank)
            self._low_rank = bounded(self._low_rank, mixed)
        self._moves += 1
        self._look(sketch)

    def result(self) -> tuple[LowRank, NDArray[Any], float]:
        """Return X, Y and the last threshold."""
        return self._low_rank, self._sparse, self._guess.threshold

    def _look(self, sketch: Sketch) -> None:
        self._sketch, self._ritz = sketch, rayleigh_ritz(sketch)
        self._basis = self._ritz.basis

    def _refine(self, basis: NDArray[Any]) -> Sketch:
        still = target(self.problem.zero_low_rank(), 0.0, math.inf)
        return self._passes.advance(self._point(), still, 0.0, basis)

    def _point(self) -> Point:
        return Point(self.problem.matrix, self._sparse, *packed(self._low_rank))

    def _offset(self, low_rank: LowRank) -> LowRank:
        return LowRank(low_rank.left, low_rank.right, self.problem.offset)

    def _target(self, ends: Ends) -> Target:
        y: SparseEnd = ends.sparse
        return target(self._offset(ends.low_rank), y.rho, y.theta, y.entry)

    def _search(self, end: Target) -> Threshold[Direction]:
        """Find the threshold of the projection: first on a sample of the columns, then on all.

        What the sample over- or underrates is the same from one iteration to the next: the last one corrects this one.
        """
        real, point, share = self._passes.dtype.type, self._point(), self._guess.sample_share

        def shrink(theta: float) -> Direction:
            return self._passes.measure(point, end._replace(theta=real(theta)))

        def shrink_sample(theta: float) -> Direction:
            found = self._passes.measure(point, end._replace(theta=real(theta)), True)
            return replace(found, total=found.total / share, count=found.count / share)

        sparse, start = cast(Shrinkage, self.problem.sparse), self._guess.threshold
        if self._passes.may_sample and share > 0:
            start = sparse.shrinkage(shrink_sample, start, self._passes.dtype, SAMPLE_ACCURACY).theta
        return sparse.shrinkage(shrink, start, self._passes.dtype)
