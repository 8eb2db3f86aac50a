from __future__ import annotations

import numpy as np
import pytest
from solver_cases import plant

from bgsub.solver import OpenLoop, Stopping, alt_cgpg, alt_pgcg, solve


@pytest.mark.parametrize("seed", range(3))
def test_open_loop_steps_keep_the_bound_of_theorem_one(seed):
    """f(X_t, Y_t) − f* ≤ 4βD²/(t − 1 + 4β/α), D of the set of the vertices; f* = 0 and α = β = 1 here."""
    rule = OpenLoop(4)
    for planted, method, diameter in (
        (heavy := plant((30, 40), 2, 0.1, 5.0, seed), alt_pgcg(rule, rule), 2 * heavy.tau),
        (light := plant((30, 40), 5, 0.02, 5.0, seed), alt_cgpg(5, rule, rule), 2 * light.s),
    ):
        start = np.vdot(planted.matrix, planted.matrix) / 2
        # t₀ = 0, as the shift of the rule assumes, asks for 2C ≤ αD².
        if 2 * start > diameter**2:
            continue
        result = solve(planted.problem(), method, stop=Stopping(60, 0, -1))
        for row in result.trace:
            t = row.iteration + 1
            assert row.objective <= 4 * diameter**2 / (t - 1 + 4)


def test_the_condition_of_the_bound_holds_for_the_case_of_heavy_sparse_parts():
    planted = plant((30, 40), 2, 0.1, 5.0)
    assert np.vdot(planted.matrix, planted.matrix) <= (2 * planted.tau) ** 2


def test_open_loop_steps_approach_the_optimum():
    rule = OpenLoop()
    planted = plant((30, 40), 2, 0.1, 5.0)
    result = solve(planted.problem(), alt_pgcg(rule, rule), stop=Stopping(200, 0, -1))
    assert result.objective < 0.01 * result.trace[0].objective
    assert [row.step for row in result.trace[1:4]] == [1.0, 2 / 3, 0.5]
