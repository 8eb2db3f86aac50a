from __future__ import annotations

import numpy as np
import pytest
from solver_cases import optimum

from bgsub.solver import L1Ball, NuclearNormBall, SplitProblem, Stopping, alt_cgpg, alt_pgcg, solve

METHODS = pytest.mark.parametrize("method", [alt_pgcg(), alt_cgpg(1)], ids=lambda m: m.name)


@pytest.mark.parametrize("shape", [(1, 8), (8, 1), (1, 1), (2, 300), (300, 2), (3, 3)])
def test_thin_matrices_keep_the_certificate(shape, rng):
    matrix, tau, s = rng.integers(0, 100, shape), 60.0, 90.0
    best = optimum(matrix.astype(float), tau, s) if matrix.size < 20 else np.inf
    for method, dtype in (
        (alt_pgcg(), np.uint8),
        (alt_pgcg(), float),
        (alt_cgpg(1), np.uint8),
        (alt_cgpg(1), float),
    ):
        problem = SplitProblem(matrix.astype(dtype), NuclearNormBall(tau), L1Ball(s))
        result = solve(problem, method, stop=Stopping(40, 1e-6, -1))
        assert result.gap >= 0
        assert problem.low_rank.is_feasible(result.low_rank, 1e-5)
        assert problem.sparse.is_feasible(result.sparse, 1e-5)
        assert result.objective - best <= result.gap + 1e-6 * result.objective


@METHODS
def test_a_constant_matrix_is_explained_by_rank_one(method):
    problem = SplitProblem(np.full((10, 20), 5.0), NuclearNormBall(100 * np.sqrt(2)), L1Ball(1.0))
    result = solve(problem, method, stop=Stopping(300, 1e-3, -1))
    assert result.objective < 1e-2 * result.trace[0].objective


@METHODS
def test_data_equal_to_the_offset_are_solved_at_the_start(method):
    offset = np.arange(12)
    for dtype in (np.uint8, float):
        matrix = np.tile(offset, (5, 1)).astype(dtype)
        result = solve(SplitProblem(matrix, NuclearNormBall(1.0), L1Ball(1.0), offset), method)
        assert result.objective == 0
        assert result.iterations == 0
        assert result.rank == 0
        assert not result.sparse.any()


@METHODS
def test_a_zero_gradient_away_from_the_start_ends_the_run(method):
    """The radii reach far beyond the data: the optimum is 0 and lies inside of both sets."""
    matrix = np.random.default_rng(0).standard_normal((6, 8))
    problem = SplitProblem(matrix, NuclearNormBall(100.0), L1Ball(500.0))
    result = solve(problem, method, stop=Stopping(50, 1e-6, 1e-12))
    assert result.objective < result.trace[0].objective
    assert result.status in {"converged", "flat", "max_iterations"}
    assert result.gap >= result.objective
