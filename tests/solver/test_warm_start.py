"""A run that starts from the result of another one goes on as if it had never stopped."""

from __future__ import annotations

import numpy as np
import pytest
from solver_cases import plant

from bgsub.solver import (
    DiameterRule,
    L1Ball,
    NuclearNormBall,
    OpenLoop,
    SplitProblem,
    Stopping,
    alt_cgpg,
    alt_pgcg,
    solve,
)

SHORT, LONG = Stopping(50, 0, -1), Stopping(100, 0, -1)


def noisy_problem(dtype=np.float64):
    planted = plant((60, 50), 3, 0.05, 10.0)
    matrix = planted.matrix + 0.1 * np.random.default_rng(1).standard_normal(planted.matrix.shape)
    return SplitProblem(matrix.astype(dtype), NuclearNormBall(planted.tau), L1Ball(planted.s))


@pytest.mark.parametrize(
    ("method", "dtype"),
    [
        (alt_pgcg(), float),
        (alt_cgpg(3), float),
        (alt_cgpg(), np.float32),
        (alt_pgcg(OpenLoop(3.0)), float),
    ],
)
def test_the_open_loop_goes_on_where_the_start_is(method, dtype):
    problem = noisy_problem(dtype)
    first = solve(problem, method, stop=SHORT)
    whole = solve(problem, method, stop=LONG)
    more = solve(problem, method, stop=SHORT, start=first)
    gained = first.objective - whole.objective
    assert first.objective - more.objective > 0.8 * gained > 0
    assert all(row.step > 1e-4 for row in more.trace[1:])


@pytest.mark.parametrize("dtype", [float, pytest.param(np.float32, marks=pytest.mark.slow)])
def test_a_start_near_the_solution_is_not_taken_for_flat(dtype):
    problem = noisy_problem(dtype)
    start = solve(problem, alt_pgcg(), stop=LONG)
    result = solve(problem, alt_pgcg(), stop=Stopping(30, 1e-9, 1e-9), start=start)
    assert result.iterations == 30
    assert result.objective < start.objective


def test_a_cold_start_begins_with_the_rule_as_it_is():
    for method in (alt_pgcg(), alt_cgpg(3)):
        weights = [row.weight for row in solve(noisy_problem(), method, stop=Stopping(3, 0, -1)).trace[1:]]
        assert weights == [1.0, 2 / 3, 2 / 4]


def test_the_rules_of_the_theorems_are_not_shifted():
    problem = noisy_problem()
    start = solve(problem, alt_pgcg(), stop=SHORT)
    rows = solve(problem, alt_pgcg(DiameterRule()), stop=Stopping(2, 0, -1), start=start).trace[1:]
    # C is so small here that t₀ = 0.
    assert [row.weight for row in rows] == [2 / 5, 2 / 6]
