"""Every method on every pair of terms that has what it asks for, under every loss: one suite."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest
from scipy.sparse.linalg import aslinearoperator

from bgsub.errors import IncompatibleProblem
from bgsub.solver import (
    Box,
    ElasticNet,
    GroupBall,
    GroupPenalty,
    L1Ball,
    L1Penalty,
    LpBall,
    NonNegative,
    NuclearNormBall,
    NuclearNormPenalty,
    SensingLoss,
    SplitProblem,
    Stopping,
    TraceBall,
    WeightedLoss,
    alt_cgpg,
    alt_pgcg,
    alt_pgpg,
    auto,
    cgcg,
    cgcg_p,
    fista,
    solve,
)
from bgsub.solver.capabilities import lacks

SIZE = 6
METHODS = {
    "alt-pgcg": lambda problem: alt_pgcg(),
    "alt-cgpg": lambda problem: alt_cgpg(),
    "alt-cgpg of rank 3": lambda problem: alt_cgpg(3),
    "cgcg": lambda problem: cgcg(),
    "cgcg-p": lambda problem: cgcg_p(),
    "fista": lambda problem: fista(),
    "alt-pgpg": lambda problem: alt_pgpg(),
    "auto": auto,
}
LOW_RANK = {
    "nuclear ball": NuclearNormBall(3.0),
    "trace ball": TraceBall(2.5),
    "nuclear penalty": NuclearNormPenalty(0.7),
}
SPARSE = {
    "l1 ball": L1Ball(4.0),
    "l1 penalty": L1Penalty(0.3),
    "lp ball": LpBall(2.5, 1.5),
    "elastic net": ElasticNet(0.2, 0.3),
    "rows": GroupBall(2.5, "rows"),
    "columns": GroupPenalty(0.4, "columns"),
    "box": Box(-0.3, 0.4),
    "nonnegative": NonNegative(),
}
LOSSES = ("squared", "weighted", "sensing")
MONOTONE = ("alt-pgcg", "alt-cgpg", "cgcg", "alt-pgpg")


@functools.cache
def data():
    rng = np.random.default_rng(7)
    matrix = 1.5 * rng.standard_normal((SIZE, SIZE))
    weights = rng.uniform(0.3, 1.0, (SIZE, SIZE))
    operator = np.eye(SIZE * SIZE) + 0.1 * rng.standard_normal((SIZE * SIZE, SIZE * SIZE))
    return matrix, weights, operator


def build(low_rank, sparse, loss):
    matrix, weights, operator = data()
    if loss == "sensing":
        sensing = SensingLoss(aslinearoperator(operator), (SIZE, SIZE))
        return SplitProblem(operator @ matrix.ravel(), LOW_RANK[low_rank], SPARSE[sparse], loss=sensing)
    weighted = WeightedLoss(weights) if loss == "weighted" else None
    return SplitProblem(matrix, LOW_RANK[low_rank], SPARSE[sparse], loss=weighted)


@functools.cache
def best(low_rank, sparse, loss):
    """Return f* by a general-purpose interior-point method, from the definitions of the terms."""
    import cvxpy as cp

    matrix, weights, operator = data()
    x, y = cp.Variable((SIZE, SIZE)), cp.Variable((SIZE, SIZE))
    z = x + y - matrix
    distance = {
        "squared": lambda: z,
        "weighted": lambda: cp.multiply(np.sqrt(weights), z),
        "sensing": lambda: operator @ cp.vec(z, order="C"),
    }[loss]()
    terms = {
        "nuclear ball": lambda: ([cp.normNuc(x) <= 3.0], 0),
        "trace ball": lambda: ([x >> 0, x == x.T, cp.trace(x) <= 2.5], 0),
        "nuclear penalty": lambda: ([], 0.7 * cp.normNuc(x)),
        "l1 ball": lambda: ([cp.sum(cp.abs(y)) <= 4.0], 0),
        "l1 penalty": lambda: ([], 0.3 * cp.sum(cp.abs(y))),
        "lp ball": lambda: ([cp.pnorm(cp.vec(y, order="C"), 1.5) <= 2.5], 0),
        "elastic net": lambda: ([], 0.2 * cp.sum(cp.abs(y)) + 0.3 * cp.sum_squares(y)),
        "rows": lambda: ([cp.sum(cp.norm(y, 2, axis=1)) <= 2.5], 0),
        "columns": lambda: ([], 0.4 * cp.sum(cp.norm(y, 2, axis=0))),
        "box": lambda: ([y >= -0.3, y <= 0.4], 0),
        "nonnegative": lambda: ([y >= 0], 0),
    }
    limits, costs = zip(*(terms[name]() for name in (low_rank, sparse)), strict=True)
    problem = cp.Problem(cp.Minimize(cp.sum_squares(distance) / 2 + sum(costs)), [*limits[0], *limits[1]])
    problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-7, tol_gap_rel=1e-7, tol_feas=1e-7)
    assert problem.status == cp.OPTIMAL
    return float(problem.value)


USUAL = {
    (low_rank, sparse, "squared") for low_rank, sparse in zip(itertools.cycle(LOW_RANK), SPARSE, strict=False)
} | {("trace ball", "elastic net", "weighted"), ("nuclear ball", "rows", "sensing")}
"""Every term, every method and every loss; the other pairs are slow."""

CASES = [
    pytest.param(*case, id=", ".join(case), marks=() if case in USUAL else pytest.mark.slow)
    for case in [
        *itertools.product(LOW_RANK, SPARSE, ["squared"]),
        # Losses and terms know nothing of each other: three pairs are enough for the other losses.
        *zip(LOW_RANK, ["l1 ball", "elastic net", "rows"], ["weighted"] * 3, strict=True),
        *zip(LOW_RANK, ["rows", "l1 ball", "elastic net"], ["sensing"] * 3, strict=True),
    ]
]


@pytest.mark.parametrize(("low_rank", "sparse", "loss"), CASES)
def test_a_method_runs_with_a_true_certificate_or_names_what_is_missing(low_rank, sparse, loss):
    problem = build(low_rank, sparse, loss)
    f_star = best(low_rank, sparse, loss)
    for name, make in METHODS.items():
        method = make(problem)
        if lacks(problem, method.asks):
            with pytest.raises(IncompatibleProblem, match="does not have it"):
                solve(problem, method)
            continue
        result = solve(problem, method, stop=Stopping(25, 1e-7, -1))
        assert result.low_rank.shape == result.sparse.shape == (SIZE, SIZE)
        assert problem.low_rank.is_feasible(result.low_rank, 1e-6)
        assert problem.sparse.is_feasible(result.sparse, 1e-6)
        assert -1e-5 <= result.objective - f_star <= result.gap + 1e-5
        objectives = [row.objective for row in result.trace]
        if name.split()[0] in MONOTONE:
            # A projection on a ball is accurate to 1e-12 of its radius, and f to a multiple of that.
            assert all(b <= a * (1 + 1e-10) for a, b in itertools.pairwise(objectives))
        assert objectives[-1] == pytest.approx(result.objective, rel=1e-9, abs=1e-9)
    # ALT-PGPG solves every pair.
    result = solve(problem, alt_pgpg(), stop=Stopping(3000, 1e-6, -1))
    assert result.objective == pytest.approx(f_star, rel=1e-4, abs=1e-5)
    # Neither the non-negative cone nor the trace ball bounds what the other part may do: no finite gap is known there.
    assert sparse == "nonnegative" or result.status == "converged"
