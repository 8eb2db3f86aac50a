"""The cone of non-negative matrices has a certificate, though its conjugate is infinite almost everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from bgsub.solver import (
    NonNegative,
    NuclearNormBall,
    SplitProblem,
    Stopping,
    WeightedLoss,
    alt_pgpg,
    certify,
    fista,
    solve,
)
from bgsub.solver.spectra.atoms import LowRank


def data(seed):
    rng = np.random.default_rng(seed)
    low_rank = rng.standard_normal((12, 2)) @ rng.standard_normal((2, 8))
    sparse = 3 * np.abs(rng.standard_normal((12, 8))) * (rng.random((12, 8)) < 0.2)
    tau = 0.7 * np.linalg.norm(low_rank, "nuc")
    return (
        low_rank + sparse + 0.1 * rng.standard_normal((12, 8)),
        float(tau),
        rng.uniform(0.2, 1.5, (12, 8)),
    )


def optimum(matrix, tau, weights):
    import cvxpy as cp

    x, y = cp.Variable(matrix.shape), cp.Variable(matrix.shape)
    loss = cp.sum_squares(cp.multiply(np.sqrt(weights), x + y - matrix)) / 2
    problem = cp.Problem(cp.Minimize(loss), [cp.normNuc(x) <= tau, y >= 0])
    problem.solve(solver=cp.CLARABEL)
    return float(problem.value)


@pytest.mark.parametrize("weighted", [pytest.param(False, marks=pytest.mark.slow), True])
def test_the_gap_bounds_the_distance_from_the_optimum(rng, weighted):
    matrix, tau, weights = data(seed=2)
    weights = weights if weighted else np.ones_like(matrix)
    loss = WeightedLoss(weights) if weighted else None
    best = optimum(matrix, tau, weights)
    problem = SplitProblem(matrix, NuclearNormBall(tau), NonNegative(), loss=loss)
    for _ in range(20):
        left, right = rng.standard_normal((12, 2)), rng.standard_normal((8, 2))
        right *= tau * rng.random() / np.linalg.norm(left @ right.T, "nuc")
        proof = certify(problem, LowRank(left, right), np.abs(rng.standard_normal((12, 8))))
        assert proof.gap >= proof.objective - best - 1e-6 * best
    for method in (alt_pgpg(), fista()):
        result = solve(problem, method, stop=Stopping(1000, 1e-6, -1))
        assert result.status == "converged"
        assert result.objective - best <= result.gap + 1e-6 * best
        assert result.gap <= 1e-6 * problem.objective_at_zero()
