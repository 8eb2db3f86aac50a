"""A proof of how far a point is from optimal, computed in float64 from the point alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.atoms import LowRank
from bgsub.solver.lazy import LazyMatrix
from bgsub.solver.linalg import ROUNDING, spectral_norm_bound
from bgsub.solver.problem import SplitProblem


@dataclass(frozen=True, slots=True)
class Certificate:
    """The objective at a point, and an upper bound on its distance from the optimum."""

    objective: float
    gap: float


@dataclass(frozen=True, slots=True)
class _Sums:
    inner: float
    gradient_square: float
    point_square: float
    peak: float


def certify(problem: SplitProblem, low_rank: LowRank, sparse: NDArray[Any]) -> Certificate:
    """Return the objective f(X, Y) and the conditional-gradient gap, which bounds ``f(X, Y) − f*`` from above.

    For convex f and feasible (V, W), ``f(X, Y) − f(V, W) ≤ ⟨X′ + Y − V′ − W, ∇⟩``; the largest right side over both
    sets is ``⟨X′ + Y, ∇⟩ + τ‖∇‖₂ + s‖∇‖_∞`` for the nuclear and the ℓ1 ball (Garber, Kaplan and Sabach, remark on
    Theorem 1). ‖∇‖₂ comes from :func:`bgsub.solver.linalg.spectral_norm_bound`, and everything that rounding may have
    taken from the sum is added to it, so the gap is a bound and not an estimate.

    Cost: two passes in float64 and the Gram matrix of ∇, O(n p min(n, p)).
    """
    gradient = problem.gradient(low_rank, sparse)
    sums = _sums(gradient, problem.beyond_offset(low_rank, sparse))
    entry = _entry_rounding(gradient, sums.peak)
    root = float(np.sqrt(gradient.matrix.size))
    spectral = spectral_norm_bound(gradient) + entry * root
    gap = sums.inner + problem.low_rank.support(spectral) + problem.sparse.support(sums.peak + entry)
    # |⟨X′ + Y, ∇⟩| is off by the rounding of the products and sums, and by that of the entries of both factors.
    length, slope = np.sqrt(sums.point_square), np.sqrt(sums.gradient_square)
    gap += max(gradient.shape) * ROUNDING * length * slope + entry * root * (length + slope)
    return Certificate(problem.loss.value(sums.gradient_square), float(gap))


def _sums(gradient: LazyMatrix, point: LazyMatrix) -> _Sums:
    inner = gradient_square = point_square = peak = 0.0
    for rows, columns, g in gradient.blocks():
        z = point.tile(rows, columns)
        inner += float(np.vdot(z, g))
        gradient_square += float(np.vdot(g, g))
        point_square += float(np.vdot(z, z))
        peak = max(peak, float(g.max()), -float(g.min()))
    return _Sums(inner, gradient_square, point_square, peak)


def _entry_rounding(gradient: LazyMatrix, peak: float) -> float:
    """Return a bound on the rounding error of one entry of the gradient as a block computes it."""
    factors = np.abs(gradient.left).max(axis=0) @ np.abs(gradient.right).max(axis=0)
    data = max(float(gradient.matrix.max()), -float(gradient.matrix.min()))
    return float(ROUNDING * (gradient.left.shape[1] + 4) * (2 * factors + 2 * data + peak))
