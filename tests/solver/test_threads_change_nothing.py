from __future__ import annotations

import itertools

import numpy as np
import pytest
from solver_cases import small_clip

from bgsub.errors import OptionError
from bgsub.solver import (
    ElasticNet,
    L1Ball,
    LpBall,
    NuclearNormBall,
    SplitProblem,
    Stopping,
    alt_cgpg,
    alt_pgcg,
    loop,
    solve,
)
from bgsub.solver.kernels.tiles import Workers, chunk_bounds, tile_width
from bgsub.solver.proof import certificate


@pytest.mark.parametrize(
    ("method", "dtype"),
    [
        (alt_pgcg(), np.uint8),
        (alt_cgpg(2), np.uint8),
        pytest.param(alt_pgcg(), float, marks=pytest.mark.slow),
    ],
)
def test_one_two_and_three_threads_agree_to_the_last_bit(method, dtype):
    matrix, offset = small_clip(height=60, width=200)
    problem = SplitProblem(matrix.astype(dtype), NuclearNormBall(2000.0), L1Ball(2e5), offset)
    runs = [solve(problem, method, stop=Stopping(5, 0, -1), threads=threads) for threads in (1, 2, 3)]
    for other in runs[1:]:
        np.testing.assert_array_equal(runs[0].sparse, other.sparse)
        np.testing.assert_array_equal(runs[0].low_rank.left, other.low_rank.left)
        np.testing.assert_array_equal(runs[0].low_rank.right, other.low_rank.right)
        assert (runs[0].objective, runs[0].gap) == (other.objective, other.gap)


@pytest.mark.parametrize(
    ("term", "dtype"),
    [
        (ElasticNet(9.0, 0.1), np.uint8),
        (LpBall(5e4, 1.2), np.uint8),
        pytest.param(LpBall(5e4, 1.005), np.uint8, marks=pytest.mark.slow),
        pytest.param(LpBall(5e4, 1.2), float, marks=pytest.mark.slow),
    ],
)
def test_threads_change_nothing_where_other_terms_stream(term, dtype, monkeypatch):
    monkeypatch.setattr(loop, "LARGEST_DENSE", 0)
    monkeypatch.setattr(certificate, "SMALL", 0)
    matrix, offset = small_clip(height=60, width=200)
    problem = SplitProblem(matrix.astype(dtype), NuclearNormBall(2000.0), term, offset)
    runs = [solve(problem, alt_pgcg(), stop=Stopping(4, 0, -1), threads=threads) for threads in (1, 2, 3)]
    for other in runs[1:]:
        np.testing.assert_array_equal(runs[0].sparse, other.sparse)
        np.testing.assert_array_equal(runs[0].low_rank.right, other.low_rank.right)
        assert (runs[0].objective, runs[0].gap) == (other.objective, other.gap)
        assert [row.gap for row in runs[0].trace] == [row.gap for row in other.trace]


def test_chunks_cover_every_column_once_and_start_with_a_tile():
    for rows, columns in itertools.product((1, 7, 300, 5000), (1, 63, 64, 100_001)):
        width = tile_width(rows, columns)
        bounds = chunk_bounds(columns, width)
        assert 1 <= len(bounds) <= 64
        assert [lo for lo, _ in bounds] == [0] + [hi for _, hi in bounds[:-1]]
        assert bounds[-1][1] == columns
        assert all(lo < hi and lo % width == 0 for lo, hi in bounds)


def test_what_a_worker_raises_comes_through():
    def task(index, worker):
        if index == 5:
            raise ArithmeticError("in a worker")
        return index

    with Workers(2) as workers, pytest.raises(ArithmeticError, match="in a worker"):
        workers.map(task, 20)


def test_results_come_in_order():
    with Workers(3) as workers:
        assert workers.map(lambda index, worker: index * index, 50) == [k * k for k in range(50)]


def test_a_number_of_threads_below_one_is_refused():
    for threads in (0, -1, 1.5, True):
        with pytest.raises(OptionError, match="threads must be a whole number of at least 1"):
            Workers(threads)
