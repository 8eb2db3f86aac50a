"""Terms of Y whose prox is soft thresholding, for the streamed engine."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from bgsub.solver.engines.side import SetSide
from bgsub.solver.kernels.iteration import Point, Target
from bgsub.solver.kernels.passes import Direction, Passes, Sketch, Soft, target
from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.spectra.atoms import Entry, LowRank
from bgsub.solver.threshold import Threshold

SAMPLE_ACCURACY = 1e-4
"""Relative accuracy of the threshold search on a sample, which only provides a warm start."""


@dataclass(frozen=True, slots=True)
class SoftEnd:
    """Endpoint ``κ·soft(q − ρ∇, θ)`` of Y with q = M − X̂, plus an optional single entry."""

    soft: Soft
    entry: Entry | None = None


class SoftSide:
    """Common base of the ℓ1 ball and the elastic net."""

    threshold = 0.0
    level = -1.0

    def __init__(self, passes: Passes, zero: LowRank) -> None:
        self.passes = passes
        self._still = target(zero, Soft(0.0, math.inf, 1.0, self.level))

    def measure(self, point: Point, low_rank: LowRank, end: SoftEnd) -> Direction:
        """Return the sums over the step."""
        return self.passes.measure(point, target(low_rank, end.soft, end.entry))

    def advance(
        self, point: Point, low_rank: LowRank, end: SoftEnd, step: float, basis: NDArray[Any]
    ) -> Sketch:
        """Move Y and sketch the gradient there."""
        return self.passes.advance(point, target(low_rank, end.soft, end.entry), step, basis)

    def look(self, point: Point, basis: NDArray[Any]) -> Sketch:
        """Sketch the gradient at the current point."""
        return self.passes.advance(point, self._still, 0.0, basis)


@dataclass(frozen=True, slots=True)
class _Guess:
    """Warm start for the next threshold search: the last θ, and the sample's estimate of Σ|v| relative to the total."""

    threshold: float = 0.0
    sample_share: float = 1.0


class BallSide(SoftSide, SetSide):
    """ℓ1 ball: the threshold search takes two to three passes, more only if the threshold has changed a lot."""

    def __init__(self, ball: L1Ball, passes: Passes, zero: LowRank) -> None:
        super().__init__(passes, zero)
        self._ball, self._guess = ball, _Guess()

    @property
    def threshold(self) -> float:  # type: ignore[override]
        """The last threshold."""
        return self._guess.threshold

    def vertex(self, peak: Entry) -> SoftEnd:
        """Return the vertex: one entry."""
        return SoftEnd(Soft(0.0, math.inf), self._ball.lmo(peak))

    def prox(self, point: Point, low_rank: LowRank, weight: float) -> tuple[SoftEnd, Direction]:
        """Return the projection."""
        rho = 1 / weight - 1
        found = self._search(point, target(low_rank, Soft(rho, 0.0)))
        self._guess = _Guess(found.theta, found.shrunk.sample_share)
        return SoftEnd(Soft(rho, found.theta)), found.shrunk

    def _search(self, point: Point, end: Target) -> Threshold[Direction]:
        """Find the threshold of the projection, first on a sample of the columns, then on all.

        The sample's bias is about the same in each iteration, so the last one's is used to correct it.
        """
        real, share, start = self.passes.dtype.type, self._guess.sample_share, self._guess.threshold

        def shrink(theta: float) -> Direction:
            return self.passes.measure(point, end._replace(theta=real(theta)))

        def shrink_sample(theta: float) -> Direction:
            found = self.passes.measure(point, end._replace(theta=real(theta)), True)
            return replace(found, total=found.total / share, count=found.count / share)

        if self.passes.may_sample and share > 0:
            start = self._ball.shrinkage(shrink_sample, start, self.passes.dtype, SAMPLE_ACCURACY).theta
        return self._ball.shrinkage(shrink, start, self.passes.dtype)

    def conjugate(self, point: Point, sketch: Sketch) -> float:
        """Return the support function of the ball, from the peak of the gradient."""
        return self._ball.support(sketch.peak.value)


class NetSide(SoftSide):
    """Elastic net: the threshold is known in closed form, and the passes accumulate the penalty."""

    def __init__(self, net: ElasticNet, passes: Passes, zero: LowRank) -> None:
        self.level = net.lambda1
        super().__init__(passes, zero)
        self._net = net

    def vertex(self, peak: Entry) -> SoftEnd:
        """Raise NotImplementedError: the conditional-gradient endpoint of a penalty is a full matrix."""
        raise NotImplementedError("the streamed engine takes no conditional-gradient step of an elastic net")

    def prox(self, point: Point, low_rank: LowRank, weight: float) -> tuple[SoftEnd, None]:
        """Return ``soft(a, λ1/w)·w/(w + 2λ2)`` with w = *weight*; no pass."""
        net = self._net
        keep = weight / (weight + 2 * net.lambda2)
        return SoftEnd(Soft(1 / weight - 1, net.lambda1 / weight, keep, net.lambda1)), None

    def cost(self, sketch: Sketch) -> float:
        """Return R(Y)."""
        return self._value(*sketch.penalty[:2])

    def cost_of_end(self, direction: Direction) -> float:
        """Return R at the endpoint."""
        return self._value(direction.total, direction.length)

    def cost_between(self, point: Point, low_rank: LowRank, end: SoftEnd, step: float) -> float:
        """Return R after a step: one pass."""
        return self._value(*self.passes.between(point, target(low_rank, end.soft), step))

    def _value(self, total: float, length: float) -> float:
        return self._net.lambda1 * total + self._net.lambda2 * length

    def conjugate(self, point: Point, sketch: Sketch) -> float:
        """Return ``Σ max(|g| − λ1, 0)²/(4λ2)``."""
        return sketch.penalty[2] / (4 * self._net.lambda2)
