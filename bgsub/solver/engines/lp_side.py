"""Steps of an ℓp ball for the streamed engine; the multiplier is found on a histogram of the magnitudes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.engines.side import SetSide
from bgsub.solver.kernels.iteration import Point
from bgsub.solver.kernels.lp import Base
from bgsub.solver.kernels.lp_passes import Found, RootPasses
from bgsub.solver.kernels.passes import Direction, Sketch, Soft, packed, target
from bgsub.solver.sets.lp_ball import LpBall
from bgsub.solver.sets.lp_cells import Groups, Roots, grid_of
from bgsub.solver.sets.lp_projection import find_multiplier
from bgsub.solver.spectra.atoms import Entry, LowRank

SLACK = 0.01
"""Relative margin added to bounds on the magnitudes, well above their rounding error."""

GRADIENT_SLACK = 1e-3
"""Margin, relative to the data, by which rounding may make the gradient exceed that of the previous pass."""


@dataclass(frozen=True, slots=True)
class RootEnd:
    """Projected endpoint of Y: ρ, the rule for the roots, and the factor of X̂ for which it was found."""

    rho: float
    found: Found
    left: NDArray[Any]


class _Passing:
    """Entries of ``q − ρ∇``, computed inside the passes and never stored."""

    def __init__(self, passes: RootPasses, point: Point, base: Base, peak: float, delta: float) -> None:
        self.grid = grid_of(passes.dtype, peak, delta)
        self._passes, self._point, self._base = passes, point, base
        self._groups: Groups = passes.collect(point, base, self.grid)
        self._roots = Roots(self.grid, delta, passes.dtype, True)

    def estimate(self, c: float) -> tuple[float, float]:
        """Return the sums estimated from the groups."""
        return self._groups.measure(c, self._roots.delta)

    def shrink(self, c: float) -> tuple[float, float]:
        """Shrink all entries in one pass and sum them; the slope is estimated from the groups."""
        self.found: Found = (self.grid, *self._roots(c))
        self.direction = self._passes.measure_roots(self._point, self._base, self.found)
        return self.direction.total, self.estimate(c)[1]


class RootSide(SetSide):
    """Steps of an ℓp ball: three passes for a projection and a move, and one for the norm of the gradient."""

    threshold = 0.0

    def __init__(self, ball: LpBall, passes: RootPasses, zero: LowRank) -> None:
        self._ball, self._passes = ball, passes
        self._still = target(zero, Soft(0.0, math.inf))
        self._data = max(float(passes.matrix.max()), -float(passes.matrix.min()))
        self._guess, self._norm = 0.0, -1.0
        self._peak = Entry(0, 0, 0.0)

    def vertex(self, peak: Entry) -> RootEnd:
        """Raise NotImplementedError: a vertex of an ℓp ball is a full matrix."""
        raise NotImplementedError("the streamed engine takes no conditional-gradient step of an ℓp ball")

    def prox(self, point: Point, low_rank: LowRank, weight: float) -> tuple[RootEnd, Direction]:
        """Return the projection: one pass for the histogram, and usually one with the multiplier found on it."""
        ball, rho = self._ball, 1 / weight - 1
        base = self._base(low_rank, 1.0, rho)
        left_over = self._data + _bound(base.left, base.rows)
        peak = left_over + abs(rho) * self._gradient_bound(point)
        entries = _Passing(self._passes, point, base, self._normal(peak), ball.p - 1)
        kind = (self._passes.matrix.size, self._passes.dtype)
        self._guess = find_multiplier(entries, kind, ball.p, ball.radius, self._guess)
        return RootEnd(rho, entries.found, low_rank.left), entries.direction

    def measure(self, point: Point, low_rank: LowRank, end: RootEnd) -> Direction:
        """Return the sums over the step."""
        return self._passes.measure_roots(point, self._end_base(low_rank, end), end.found)

    def advance(
        self, point: Point, low_rank: LowRank, end: RootEnd, step: float, basis: NDArray[Any]
    ) -> Sketch:
        """Move Y and sketch the gradient there."""
        base = self._end_base(low_rank, end)
        self._norm = -1.0
        return self._seen(self._passes.advance_roots(point, base, end.found, step, basis))

    def look(self, point: Point, basis: NDArray[Any]) -> Sketch:
        """Sketch the gradient at the current point."""
        return self._seen(self._passes.advance(point, self._still, 0.0, basis))

    def conjugate(self, point: Point, sketch: Sketch) -> float:
        """Return ``s·‖G‖_q`` with 1/p + 1/q = 1, from a histogram: one pass, cached for each point."""
        if self._norm < 0:
            ball = self._ball
            grid = grid_of(self._passes.dtype, self._normal(self._gradient_bound(point)), ball.p - 1)
            base = Base(point.left, point.rows, self._passes.dtype.type(0), self._passes.dtype.type(-1))
            groups = self._passes.collect(point, base, grid)
            self._norm = groups.norm(ball.p / (ball.p - 1)) / grid.scale
        return self._ball.support(self._norm)

    def _seen(self, sketch: Sketch) -> Sketch:
        """Record the gradient entry of largest magnitude."""
        self._peak = sketch.peak
        return sketch

    def _gradient_bound(self, point: Point) -> float:
        return abs(self._peak.value) + GRADIENT_SLACK * (self._data + _bound(point.left, point.rows))

    def _base(self, low_rank: LowRank, share: float, rho: float) -> Base:
        real = self._passes.dtype.type
        return Base(*packed(low_rank), real(share), real(rho))

    def _end_base(self, low_rank: LowRank, end: RootEnd) -> Base:
        # The cells only cover the magnitudes they were built for.
        if low_rank.left is not end.left:
            raise NotImplementedError("the projection on an ℓp ball holds for the end of X it was found for")
        return self._base(low_rank, 1.0, end.rho)

    def _normal(self, peak: float) -> float:
        return max(peak * (1 + SLACK), float(np.finfo(self._passes.dtype).tiny))


def _bound(left: NDArray[Any], rows: NDArray[Any]) -> float:
    """Return a bound on the magnitudes of the entries of ``left @ rows``."""
    columns, lines = (np.maximum(part.max(axis=k), -part.min(axis=k)) for k, part in ((0, left), (1, rows)))
    return float(columns.astype(np.float64) @ lines)
