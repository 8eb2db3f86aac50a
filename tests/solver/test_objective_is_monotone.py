from __future__ import annotations

import numpy as np
import pytest
from solver_cases import plant

from bgsub.solver import Stopping, alt_cgpg, alt_pgcg, solve


@pytest.mark.parametrize("method", [alt_pgcg(), alt_cgpg(3)], ids=lambda m: m.name)
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(("dtype", "slack"), [(np.float64, 1e-13), (np.float32, 1e-6)])
def test_line_search_never_lets_the_objective_rise(method, seed, dtype, slack):
    planted = plant((25, 40), 3, 0.1, 5.0, seed)
    result = solve(planted.problem(dtype), method, stop=Stopping(40, 0, -1))
    objective = np.array([row.objective for row in result.trace])
    assert objective.size == 41
    assert np.all(np.diff(objective) <= slack * objective[0])
    assert objective[-1] < 0.5 * objective[0]


@pytest.mark.parametrize("method", [alt_pgcg(), alt_cgpg(3)], ids=lambda m: m.name)
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-9), (np.float32, 1e-4)])
def test_the_iterates_stay_in_both_sets(method, dtype, tolerance):
    problem = plant((25, 40), 3, 0.1, 5.0).problem(dtype)
    result = solve(problem, method, stop=Stopping(30, 0, -1))
    assert problem.low_rank.is_feasible(result.low_rank, tolerance)
    assert problem.sparse.is_feasible(result.sparse, tolerance)


@pytest.mark.parametrize("method", [alt_pgcg(), alt_cgpg(3)], ids=lambda m: m.name)
def test_the_reported_objective_is_that_of_the_returned_point(method):
    planted = plant((25, 40), 3, 0.1, 5.0)
    result = solve(planted.problem(), method, stop=Stopping(15, 0, -1))
    residual = result.low_rank.dense() + result.sparse - planted.matrix
    assert result.objective == pytest.approx(np.vdot(residual, residual) / 2, rel=1e-12)
    assert result.trace[-1].objective == pytest.approx(result.objective, rel=1e-9)
