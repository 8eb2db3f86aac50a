"""Planted problems and exact optima for the tests of the solver."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bgsub.solver import ElasticNet, L1Ball, NuclearNormBall, SplitProblem


@dataclass(frozen=True)
class Planted:
    """A matrix made of a low-rank and a sparse part, whose norms are the radii; the optimum is 0."""

    low_rank: np.ndarray
    sparse: np.ndarray
    tau: float
    s: float

    @property
    def matrix(self):
        return self.low_rank + self.sparse

    def problem(self, dtype=np.float64, offset=None):
        return SplitProblem(self.matrix.astype(dtype), NuclearNormBall(self.tau), L1Ball(self.s), offset)


def plant(shape, rank, density, amplitude, seed=0):
    rng = np.random.default_rng(seed)
    low_rank = rng.standard_normal((shape[0], rank)) @ rng.standard_normal((rank, shape[1]))
    sparse = amplitude * rng.standard_normal(shape) * (rng.random(shape) < density)
    tau = float(np.linalg.svd(low_rank, compute_uv=False).sum())
    return Planted(low_rank, sparse, tau, float(np.abs(sparse).sum()))


def optimum(matrix, tau, s):
    """Return f* of the two balls by a general-purpose interior-point method."""
    return optimum_with(matrix, tau, L1Ball(s))


def optimum_with(matrix, tau, term):
    """Return f* with a nuclear-norm ball and an ℓ1 or ℓp ball or an elastic net by an interior-point method."""
    import cvxpy as cp

    x, y = cp.Variable(matrix.shape), cp.Variable(matrix.shape)
    loss, limits = cp.sum_squares(x + y - matrix) / 2, [cp.normNuc(x) <= tau]
    if isinstance(term, ElasticNet):
        loss += term.lambda1 * cp.sum(cp.abs(y)) + term.lambda2 * cp.sum_squares(y)
    else:
        p = getattr(term, "p", 1)
        limits.append(cp.pnorm(cp.vec(y, "C"), p, approx=p == 1) <= term.radius)
    problem = cp.Problem(cp.Minimize(loss), limits)
    problem.solve(solver=cp.CLARABEL)
    assert problem.status == cp.OPTIMAL
    return float(problem.value)


def small_clip(seed=0, frames=24, height=20, width=30):
    """Return a uint8 clip ``(frames, height·width)`` of a still scene, varying light, a moving box; and its median."""
    rng = np.random.default_rng(seed)
    scene = rng.integers(60, 180, (height, width)).astype(float)
    light = 1 + 0.03 * np.sin(np.arange(frames) / 3)
    clip = light[:, None, None] * scene + rng.normal(0, 1.5, (frames, height, width))
    for t in range(frames):
        clip[t, 5:11, t : t + 6] = 230
    matrix = np.clip(np.rint(clip), 0, 255).astype(np.uint8).reshape(frames, -1)
    return matrix, np.median(matrix, axis=0)
