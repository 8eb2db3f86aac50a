from __future__ import annotations

import numpy as np
import pytest
from solver_cases import optimum, plant

from bgsub.solver import (
    L1Ball,
    LowRank,
    NuclearNormBall,
    SplitProblem,
    Stopping,
    alt_cgpg,
    alt_pgcg,
    certificate,
    certify,
    solve,
)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", [(12, 15), (15, 9)])
def test_the_certified_gap_is_never_below_the_true_one(seed, shape):
    planted = plant(shape, 3, 0.2, 3.0, seed)
    tau, s = 0.6 * planted.tau, 0.7 * planted.s
    best = optimum(planted.matrix, tau, s)
    problem = SplitProblem(planted.matrix, NuclearNormBall(tau), L1Ball(s))
    for method in (alt_pgcg(), alt_cgpg(max(2, min(shape) // 2))):
        for iterations in (0, 1, 3, 10, 60):
            result = solve(problem, method, stop=Stopping(iterations, 0, -1))
            true = result.objective - best
            assert result.gap >= true - 1e-6 * best
            assert true >= -1e-6 * best


def test_the_gap_closes_in_on_the_optimum():
    planted = plant((12, 15), 3, 0.2, 3.0)
    tau, s = 0.6 * planted.tau, 0.7 * planted.s
    problem = SplitProblem(planted.matrix, NuclearNormBall(tau), L1Ball(s))
    result = solve(problem, alt_pgcg(), stop=Stopping(2000, 1e-3, -1))
    assert result.status == "converged"
    scale = np.vdot(planted.matrix, planted.matrix) / 2
    assert result.gap <= 1e-3 * scale
    assert result.objective - optimum(planted.matrix, tau, s) <= 1e-3 * scale


@pytest.mark.parametrize("shape", [(9, 14), (9, 9), (1, 5), (4, 3000), (14, 9), (7, 1)])
@pytest.mark.parametrize(("small", "largest_gram"), [(1 << 23, 1500), (0, 1500), (0, 0)])
@pytest.mark.parametrize("seed", range(3))
def test_the_certificate_is_the_formula_by_dense_arithmetic(seed, shape, small, largest_gram, monkeypatch):
    monkeypatch.setattr(certificate, "SMALL", small)
    monkeypatch.setattr(certificate, "LARGEST_GRAM", largest_gram)
    rng = np.random.default_rng(seed)
    matrix, y, b = rng.standard_normal(shape), 0.01 * rng.random(shape), rng.standard_normal(shape[1])
    x = LowRank(0.01 * rng.random((shape[0], 2)), rng.random((shape[1], 2)), b)
    problem = SplitProblem(matrix, NuclearNormBall(0.04), L1Ball(0.07), b)
    g = x.dense() + y - matrix
    expected = np.vdot(x.dense() - b + y, g) + 0.04 * np.linalg.norm(g, 2) + 0.07 * np.abs(g).max()
    assert expected < np.vdot(g, g) / 2
    proof = certify(problem, x, y)
    assert proof.gap >= expected - 1e-15 * abs(expected)
    assert proof.gap == pytest.approx(expected, rel=1e-9, abs=1e-10)
    assert proof.objective == pytest.approx(np.vdot(g, g) / 2)


def test_no_gap_is_larger_than_the_objective():
    rng = np.random.default_rng(0)
    matrix, y = rng.standard_normal((6, 9)), rng.standard_normal((6, 9))
    problem = SplitProblem(matrix, NuclearNormBall(100.0), L1Ball(100.0))
    proof = certify(problem, problem.zero_low_rank(), y)
    assert proof.objective == pytest.approx(np.sum((y - matrix) ** 2) / 2)
    assert proof.objective <= proof.gap <= proof.objective * (1 + 1e-9)


def test_the_estimate_of_the_gap_does_not_exceed_the_certificate():
    result = solve(plant((20, 30), 3, 0.2, 3.0).problem(), alt_pgcg(), stop=Stopping(20, 0, -1))
    assert result.trace[-1].gap <= result.gap * (1 + 1e-9)
    assert result.trace[-1].gap >= 0.8 * result.gap
