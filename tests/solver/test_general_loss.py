"""A loss that is none of ours: smooth, strongly convex, not quadratic."""

from __future__ import annotations

import functools
from itertools import pairwise

import numpy as np
import pytest
from loss_cases import LogCoshLoss

from bgsub.solver import (
    Backtracking,
    DiameterRule,
    ElasticNet,
    ExactLineSearch,
    FollowWeight,
    L1Ball,
    NuclearNormBall,
    SensingLoss,
    SplitProblem,
    Stopping,
    StrongPenaltyRule,
    alt_cgpg,
    alt_pgcg,
    alt_pgpg,
    auto,
    cgcg,
    fista,
    solve,
)

TAU, S = 6.0, 12.0


def build(sparse=None):
    matrix = 2 * np.random.default_rng(0).standard_normal((12, 15))
    return SplitProblem(matrix, NuclearNormBall(TAU), sparse or L1Ball(S), loss=LogCoshLoss(0.2))


@functools.cache
def best():
    """Return f* by projected gradients with tiny steps: no method, engine or oracle of the project takes part."""
    problem = build()
    matrix, loss = problem.matrix, problem.loss

    def onto_simplex(values, radius):
        ordered = np.sort(values)[::-1]
        sums = (np.cumsum(ordered) - radius) / np.arange(1, values.size + 1)
        theta = sums[np.flatnonzero(ordered > sums)[-1]]
        return values if values.sum() <= radius else np.maximum(values - theta, 0)

    x, y = np.zeros(matrix.shape), np.zeros(matrix.shape)
    for _ in range(4000):
        gradient = loss.gradient(matrix, x + y)
        step = 1 / (2 * loss.beta)
        u, values, vt = np.linalg.svd(x - step * gradient, full_matrices=False)
        x = (u * onto_simplex(values, TAU)) @ vt
        moved = y - step * gradient
        y = np.sign(moved) * onto_simplex(np.abs(moved).ravel(), S).reshape(moved.shape)
    return loss.value(matrix, x + y)


@pytest.mark.slow
@pytest.mark.parametrize("make", [alt_pgpg, fista])
def test_the_proximal_methods_find_the_optimum(make):
    result = solve(build(), make(), stop=Stopping(3000, 1e-9, -1))
    assert result.status == "converged"
    assert result.objective == pytest.approx(best(), rel=1e-6)


@pytest.mark.parametrize("make", [alt_pgcg, alt_cgpg, cgcg], ids=lambda m: m.__name__)
def test_line_searches_never_let_the_objective_rise(make):
    for combination in (ExactLineSearch(), Backtracking(), Backtracking(full=True)):
        result = solve(build(), make(combination=combination), stop=Stopping(60, 0, -1))
        objectives = [row.objective for row in result.trace]
        assert all(b <= a * (1 + 1e-12) for a, b in pairwise(objectives))
        assert best() - 1e-9 <= result.objective <= best() + result.gap
        assert objectives[-1] - best() < 0.1 * (objectives[0] - best())


def test_a_full_search_goes_further_than_the_model_where_the_loss_is_flatter():
    model, full = (
        solve(build(), alt_pgcg(combination=rule), stop=Stopping(40, 0, -1))
        for rule in (ExactLineSearch(), Backtracking(full=True))
    )
    assert full.objective < model.objective


def test_the_bounds_of_theorems_one_and_three_hold_for_it():
    for problem, rule, make in (
        (build(), DiameterRule(), alt_pgcg),
        (build(ElasticNet(0.1, 0.3)), StrongPenaltyRule(), lambda *rules: alt_cgpg(12, *rules)),
    ):
        f_star = solve(problem, alt_pgpg(), stop=Stopping(4000, 1e-11, -1)).objective
        result = solve(problem, make(rule, FollowWeight()), stop=Stopping(120, 0, -1))
        start = solve(problem, make(rule, FollowWeight()), stop=Stopping(0, 0, -1))
        setting = _setting(problem, make is alt_pgcg, start.gap)
        first = int(rule.first_phase(setting)) + 1 if isinstance(rule, DiameterRule) else 1
        for row in result.trace[first - 1 :]:
            assert row.objective - f_star <= rule.bound(setting, row.iteration + 1)


def _setting(problem, low_rank_by_vertices, gap):
    from bgsub.solver import Setting

    block = problem.low_rank if low_rank_by_vertices else problem.sparse
    n, p = problem.shape
    loss = problem.loss
    return Setting(loss.alpha, loss.beta, block.diameter, block.set_convexity(n * p), block.convexity, gap)


def test_data_of_another_shape_than_the_matrix(rng):
    """A sensing operator maps 6 × 7 entries to 60 numbers."""
    low_rank = rng.standard_normal((6, 1)) @ rng.standard_normal((1, 7))
    sparse = np.zeros((6, 7))
    sparse[2, 3], sparse[4, 1] = 5, -4
    operator = rng.standard_normal((60, 42)) / 6
    problem = SplitProblem(
        operator @ (low_rank + sparse).ravel(),
        NuclearNormBall(float(np.linalg.norm(low_rank))),
        L1Ball(9.0),
        loss=SensingLoss(operator, (6, 7)),
    )
    result = solve(problem, auto(problem), stop=Stopping(3000, 1e-12, -1))
    assert result.status == "converged"
    np.testing.assert_allclose(result.low_rank.dense(), low_rank, atol=1e-2)
    np.testing.assert_allclose(result.sparse, sparse, atol=1e-2)
