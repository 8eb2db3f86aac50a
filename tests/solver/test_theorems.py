"""The theorems of the paper along real runs: the bounds with their constants, on problems whose optimum is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from solver_cases import optimum, plant

from bgsub.solver import (
    DiameterRule,
    ElasticNet,
    FollowWeight,
    L1Ball,
    LpBall,
    NuclearNormBall,
    Setting,
    SplitProblem,
    Stopping,
    StrongPenaltyRule,
    StrongSetFixed,
    StrongSetRule,
    WeightedLoss,
    alt_cgpg,
    alt_pgcg,
    cgcg,
    solve,
)

FULL = 12
"""A rank that makes the proximal step of X exact for the shapes here."""


def excesses(problem, method, iterations, best):
    """Return h_t = f(X_t, Y_t) − f* for t = 1, 2, …; row 0 of the trace is t = 1."""
    result = solve(problem, method, stop=Stopping(iterations, 0, -1))
    return np.array([row.objective for row in result.trace]) - best


def setting(problem, part, gap):
    block = problem.low_rank if part == "low-rank" else problem.sparse
    n, p = problem.shape
    loss = problem.loss
    return Setting(loss.alpha, loss.beta, block.diameter, block.set_convexity(n * p), block.convexity, gap)


def solved(matrix, low_rank, sparse, weights=None):
    """Return f* by an interior-point method; *low_rank* and *sparse* take a cvxpy variable to a limit or a cost."""
    import cvxpy as cp

    x, y = cp.Variable(matrix.shape), cp.Variable(matrix.shape)
    scale = np.ones(matrix.shape) if weights is None else np.sqrt(weights)
    objective = cp.sum_squares(cp.multiply(scale, x + y - matrix)) / 2
    limits, cost = [], 0
    for made in (low_rank(x), sparse(y)):
        if isinstance(made, list):
            limits += made
        else:
            cost = cost + made
    problem = cp.Problem(cp.Minimize(objective + cost), limits)
    problem.solve(solver=cp.CLARABEL)
    assert problem.status == cp.OPTIMAL
    return float(problem.value)


@pytest.mark.parametrize(
    ("part", "seed"), [("low-rank", 0), pytest.param("sparse", 1, marks=pytest.mark.slow)]
)
def test_theorem_one_on_planted_problems(part, seed):
    """f* = 0; the block of the vertices is the one whose diameter counts."""
    planted = plant((30, 40), 3, 0.1, 5.0, seed)
    rule = DiameterRule()
    problem = planted.problem()
    method = alt_pgcg(rule, FollowWeight()) if part == "low-rank" else alt_cgpg(30, rule, FollowWeight())
    result = solve(problem, method, stop=Stopping(80, 0, -1))
    start = solve(problem, method, stop=Stopping(0, 0, -1))
    constants = setting(problem, part, start.gap)
    phase = rule.first_phase(constants)
    rows = [row for row in result.trace if row.iteration + 1 >= phase + 1]
    assert len(rows) > 40
    for row in rows:
        assert row.objective <= rule.bound(constants, row.iteration + 1)


@pytest.mark.parametrize("part", ["low-rank", "sparse"])
def test_theorem_one_with_weights(part):
    """α ≠ β, f* > 0."""
    rng = np.random.default_rng(4)
    matrix, weights = rng.standard_normal((8, 10)), rng.uniform(0.5, 1.0, (8, 10))
    tau, s = 4.0, 6.0
    problem = SplitProblem(matrix, NuclearNormBall(tau), L1Ball(s), loss=WeightedLoss(weights))
    import cvxpy as cp

    best = solved(
        matrix, lambda x: [cp.normNuc(x) <= tau], lambda y: [cp.sum(cp.abs(y)) <= s], problem.loss.weights
    )
    rule = DiameterRule()
    make = alt_pgcg if part == "low-rank" else lambda *rules: alt_cgpg(8, *rules)
    method = make(rule, FollowWeight())
    gap = solve(problem, method, stop=Stopping(0, 0, -1)).gap
    assert gap >= excesses(problem, method, 0, best)[0]
    constants = setting(problem, part, gap)
    h = excesses(problem, method, 100, best)
    first = int(rule.first_phase(constants)) + 1
    for t in range(first, 101):
        assert -1e-8 <= h[t - 1] <= rule.bound(constants, t)


@pytest.mark.slow
def test_the_rate_of_alt_pgcg_depends_on_the_low_rank_set_only():
    """The same low-rank part under sparse parts ever larger: the bound 4βD_X²/(t + 3) stays, and CGCG leaves it."""
    iterations, fractions = 60, []
    for amplitude in (3.0, 30.0, 300.0):
        planted = plant((30, 40), 2, 0.1, amplitude)
        rule = DiameterRule()
        constants = Setting(1, 1, 2 * planted.tau, 0, 0, np.vdot(planted.matrix, planted.matrix) / 2)
        h = excesses(planted.problem(), alt_pgcg(), iterations + int(rule.first_phase(constants)), 0.0)
        bound = 4 * (2 * planted.tau) ** 2 / (iterations - 1 + 4)
        assert h[-1] <= bound
        fractions.append(excesses(planted.problem(), cgcg(), iterations, 0.0)[-1] / bound)
    assert fractions[0] < fractions[1] < fractions[2]
    assert fractions[2] > 1


def lp_problem(p, seed=1, shape=(6, 8)):
    """Return a problem with f* > 0 over a nuclear-norm ball and an ℓp ball, and f*."""
    import cvxpy as cp

    matrix = np.random.default_rng(seed).standard_normal(shape)
    tau, s = 2.0, 2.0
    problem = SplitProblem(matrix, NuclearNormBall(tau), LpBall(s, p))
    return problem, solved(
        matrix, lambda x: [cp.normNuc(x) <= tau], lambda y: [cp.pnorm(cp.vec(y, order="C"), p) <= s]
    )


@pytest.mark.parametrize("p", [1.5, pytest.param(2.0, marks=pytest.mark.slow)])
def test_theorem_two_for_a_strongly_convex_set(p):
    problem, best = lp_problem(p)
    rule = StrongSetRule()
    method = alt_cgpg(FULL, rule, FollowWeight())
    h = excesses(problem, method, 300, best)
    constants = setting(problem, "sparse", h[0])
    for t in range(1, 302):
        assert -1e-6 <= h[t - 1] <= rule.bound(constants, t)


@pytest.mark.slow
def test_the_rate_of_theorem_two_is_one_over_t_squared_where_f_star_is_zero():
    """With f* = 0 the gradient vanishes and nothing is faster than the theorem: h_t·t² neither grows nor vanishes."""
    rng = np.random.default_rng(0)
    low_rank = rng.standard_normal((8, 2)) @ rng.standard_normal((2, 9))
    sparse = rng.standard_normal((8, 9))
    p = 1.5
    s = float((np.abs(sparse) ** p).sum() ** (1 / p))
    tau = float(np.linalg.svd(low_rank, compute_uv=False).sum())
    problem = SplitProblem(low_rank + sparse, NuclearNormBall(tau), LpBall(s, p))
    rule = StrongSetRule()
    h = excesses(problem, alt_cgpg(FULL, rule, FollowWeight()), 400, 0.0)
    constants = setting(problem, "sparse", h[0])
    assert all(h[t - 1] <= rule.bound(constants, t) for t in range(1, 402))
    assert h[400] <= h[100] * (106 / 406) ** 2 * 1.5


def test_theorem_two_with_gradients_bounded_from_below():
    problem, best = lp_problem(1.5)
    # ‖∇g(Z)‖² = 2g(Z) for the squared loss, so that the least norm over both sets is √(2f*).
    rule = StrongSetFixed(math.sqrt(2 * best) * (1 - 1e-9))
    h = excesses(problem, alt_cgpg(FULL, rule, FollowWeight()), 150, best)
    constants = setting(problem, "sparse", h[0])
    for t in range(1, 152):
        assert h[t - 1] <= rule.bound(constants, t) + 1e-6


@pytest.mark.parametrize("lambda2", [pytest.param(0.05, marks=pytest.mark.slow), 0.5])
def test_theorem_three_for_the_elastic_net(lambda2):
    import cvxpy as cp

    matrix = 2 * np.random.default_rng(2).standard_normal((7, 9))
    tau, lambda1 = 3.0, 0.3
    best = solved(
        matrix,
        lambda x: [cp.normNuc(x) <= tau],
        lambda y: lambda1 * cp.sum(cp.abs(y)) + lambda2 * cp.sum_squares(y),
    )
    problem = SplitProblem(matrix, NuclearNormBall(tau), ElasticNet(lambda1, lambda2))
    rule = StrongPenaltyRule()
    h = excesses(problem, alt_cgpg(FULL, rule, FollowWeight()), 200, best)
    constants = setting(problem, "sparse", h[0])
    eta = min(1.0, 2 * lambda2) / 2
    for t in range(1, 202):
        assert h[t - 1] <= rule.bound(constants, t) + 1e-7
        assert h[t - 1] <= h[0] * math.exp(-eta * (t - 1)) + 1e-7
    assert h[-1] < 1e-3 * h[0]


def test_the_optimum_that_the_bounds_are_held_against_is_one():
    planted = plant((6, 7), 1, 0.2, 3.0)
    assert optimum(planted.matrix, planted.tau, planted.s) == pytest.approx(0, abs=1e-5)
