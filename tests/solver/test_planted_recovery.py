from __future__ import annotations

import numpy as np
import pytest
from solver_cases import plant

from bgsub.solver import Stopping, alt_cgpg, alt_pgcg, solve


def errors(planted, result):
    x = np.linalg.norm(result.low_rank.dense() - planted.low_rank) / np.linalg.norm(planted.low_rank)
    y = np.linalg.norm(result.sparse - planted.sparse) / np.linalg.norm(planted.sparse)
    return x, y


@pytest.mark.slow
def test_projecting_the_sparse_part_recovers_a_heavy_sparse_part():
    planted = plant((60, 90), 2, 0.05, 30.0)
    assert planted.s > 5 * planted.tau
    result = solve(planted.problem(), alt_pgcg(), stop=Stopping(400, 1e-5, -1))
    x, y = errors(planted, result)
    assert x < 0.05
    assert y < 0.05


@pytest.mark.slow
def test_projecting_the_low_rank_part_recovers_a_heavy_low_rank_part():
    planted = plant((80, 120), 6, 0.002, 10.0)
    assert planted.tau > 2 * planted.s
    result = solve(planted.problem(), alt_cgpg(6), stop=Stopping(400, 1e-5, -1))
    x, y = errors(planted, result)
    assert x < 0.03
    assert y < 0.1


def test_each_method_is_the_better_one_in_its_own_regime():
    stop = Stopping(60, 0, -1)
    heavy_sparse, heavy_low_rank = plant((60, 90), 2, 0.05, 30.0), plant((60, 90), 6, 0.002, 10.0)
    by_pgcg, by_cgpg = alt_pgcg(), alt_cgpg(2)
    assert (
        solve(heavy_sparse.problem(), by_pgcg, stop=stop).objective
        < 0.1 * solve(heavy_sparse.problem(), by_cgpg, stop=stop).objective
    )
    by_cgpg = alt_cgpg(6)
    assert (
        solve(heavy_low_rank.problem(), by_cgpg, stop=stop).objective
        < solve(heavy_low_rank.problem(), by_pgcg, stop=stop).objective
    )


def test_the_rank_of_the_result_is_at_most_that_of_the_matrix():
    result = solve(plant((6, 90), 2, 0.05, 30.0).problem(), alt_pgcg(), stop=Stopping(50, 0, -1))
    assert result.rank <= 6
    assert max(row.rank for row in result.trace) <= 6
