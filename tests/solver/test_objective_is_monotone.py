from __future__ import annotations

import numpy as np
import pytest
from solver_cases import plant

from bgsub.solver import Stopping, alt_cgpg, alt_pgcg, solve


@pytest.mark.parametrize(
    ("method", "dtype", "slack", "tolerance"),
    [
        (alt_pgcg(), np.float64, 1e-13, 1e-9),
        (alt_cgpg(3), np.float64, 1e-13, 1e-9),
        (alt_cgpg(3), np.float32, 1e-6, 1e-4),
        pytest.param(alt_pgcg(), np.float32, 1e-6, 1e-4, marks=pytest.mark.slow),
    ],
)
def test_line_search_never_lets_the_objective_rise_and_stays_in_both_sets(method, dtype, slack, tolerance):
    planted = plant((25, 40), 3, 0.1, 5.0)
    problem = planted.problem(dtype)
    result = solve(problem, method, stop=Stopping(40, 0, -1))
    objective = np.array([row.objective for row in result.trace])
    assert objective.size == 41
    assert np.all(np.diff(objective) <= slack * objective[0])
    assert objective[-1] < 0.5 * objective[0]
    assert problem.low_rank.is_feasible(result.low_rank, tolerance)
    assert problem.sparse.is_feasible(result.sparse, tolerance)
    if dtype == np.float64:
        residual = result.low_rank.dense() + result.sparse - planted.matrix
        assert result.objective == pytest.approx(np.vdot(residual, residual) / 2, rel=1e-12)
        assert objective[-1] == pytest.approx(result.objective, rel=1e-9)
