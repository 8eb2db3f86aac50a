from __future__ import annotations

import itertools

import numpy as np
import pytest
from solver_cases import optimum, optimum_with, plant

from bgsub.solver import (
    ElasticNet,
    L1Ball,
    LowRank,
    LpBall,
    NuclearNormBall,
    SplitProblem,
    Stopping,
    alt_cgpg,
    alt_pgcg,
    certify,
    loop,
    solve,
)
from bgsub.solver.proof import certificate


@pytest.mark.parametrize(("shape", "seed"), [((12, 15), 0), pytest.param((15, 9), 1, marks=pytest.mark.slow)])
def test_the_certified_gap_is_never_below_the_true_one_and_closes_in_on_it(shape, seed):
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
    result = solve(problem, alt_pgcg(), stop=Stopping(2000, 1e-3, -1))
    assert result.status == "converged"
    scale = np.vdot(planted.matrix, planted.matrix) / 2
    assert result.gap <= 1e-3 * scale
    assert result.objective - best <= 1e-3 * scale


WAYS = pytest.mark.parametrize(("small", "largest_gram"), [(1 << 23, 1500), (0, 1500), (0, 0)])


@WAYS
def test_the_certificate_is_the_formula_by_dense_arithmetic(small, largest_gram, monkeypatch):
    monkeypatch.setattr(certificate, "SMALL", small)
    monkeypatch.setattr(certificate, "LARGEST_GRAM", largest_gram)
    shapes = (9, 14), (9, 9), (1, 5), (4, 3000), (14, 9), (7, 1)
    for seed, shape in itertools.product(range(3), shapes):
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


TERMS = ElasticNet(0.3, 0.2), LpBall(8.0, 1.3), LpBall(8.0, 1.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("term", "dtype"),
    [*((term, np.uint8) for term in TERMS[:2]), *((term, np.float64) for term in TERMS)],
)
def test_the_gap_of_a_streamed_penalty_or_ball_is_never_below_the_true_one(term, dtype, monkeypatch):
    monkeypatch.setattr(loop, "LARGEST_DENSE", 0)
    planted = plant((12, 15), 3, 0.2, 3.0)
    matrix = planted.matrix if dtype == np.float64 else np.clip(np.rint(planted.matrix + 128), 0, 255)
    offset = np.full(15, 0.0 if dtype == np.float64 else 128.0)
    best = optimum_with(matrix - offset, 0.6 * planted.tau, term)
    problem = SplitProblem(matrix.astype(dtype), NuclearNormBall(0.6 * planted.tau), term, offset)
    for small, iterations in itertools.product((1 << 23, 0), (0, 1, 3, 10, 60)):
        monkeypatch.setattr(certificate, "SMALL", small)
        result = solve(problem, alt_pgcg(), stop=Stopping(iterations, 0, -1))
        true = result.objective - best
        assert result.gap >= true - 1e-5 * best
        assert true >= -1e-5 * best
        # σ₁ enters the estimate from below; for bytes all of it is computed in single precision.
        rounding = 1e-6 * result.gap if dtype == np.float64 else 1e-5 * result.objective
        assert result.trace[-1].gap <= result.gap + rounding


@pytest.mark.parametrize("term", TERMS, ids=str)
@WAYS
def test_the_blocks_give_the_certificate_of_whole_arrays(term, small, largest_gram, monkeypatch):
    monkeypatch.setattr(certificate, "SMALL", small)
    monkeypatch.setattr(certificate, "LARGEST_GRAM", largest_gram)
    for shape, zero in itertools.product([(9, 14), (9, 9), (4, 3000), (14, 9), (7, 1)], (False, True)):
        rng = np.random.default_rng(0)
        matrix, y, b = rng.standard_normal(shape), 0.01 * rng.random(shape), rng.standard_normal(shape[1])
        x = LowRank(0.01 * rng.random((shape[0], 2)), rng.random((shape[1], 2)), b)
        if zero:
            matrix, y, x = np.tile(b, (shape[0], 1)), 0 * y, LowRank(0 * x.left, x.right, b)
        problem = SplitProblem(matrix, NuclearNormBall(0.04), term, b)
        found, expected = certify(problem, x, y), certificate._certify_in_full(problem, x, y)
        assert found.objective == pytest.approx(expected.objective, rel=1e-12, abs=1e-300)
        assert found.gap == pytest.approx(expected.gap, rel=1e-8, abs=1e-12)
