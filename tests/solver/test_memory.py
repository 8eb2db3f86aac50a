from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from bgsub.solver import ElasticNet, L1Ball, LpBall, NuclearNormBall, SplitProblem, Stopping, alt_pgcg, solve


@pytest.mark.slow
@pytest.mark.parametrize("term", [L1Ball(1e7), ElasticNet(9.0, 0.1), LpBall(1e7, 1.2)], ids=str)
def test_beyond_the_data_one_array_of_their_size_is_all(term):
    matrix = np.random.default_rng(0).integers(0, 256, (150, 40_000), dtype=np.uint8)
    problem = SplitProblem(matrix, NuclearNormBall(5000.0), term, np.full(40_000, 127.5))
    solve(
        SplitProblem(matrix[:, :500], NuclearNormBall(10.0), term),
        alt_pgcg(),
        stop=Stopping(1, 0, -1),
    )
    tracemalloc.start()
    solve(problem, alt_pgcg(), stop=Stopping(2, 0, -1))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1.9 * matrix.size * 4
