from __future__ import annotations

import numpy as np
import pytest
from solver_cases import plant, small_clip

from bgsub.solver import (
    ElasticNet,
    L1Ball,
    LpBall,
    NuclearNormBall,
    SplitProblem,
    Stopping,
    alt_cgpg,
    alt_pgcg,
    solve,
)

METHODS = pytest.mark.parametrize("method", [alt_pgcg(), alt_cgpg(6)], ids=lambda m: m.name)


@pytest.mark.parametrize("method", [alt_pgcg(), pytest.param(alt_cgpg(6), marks=pytest.mark.slow)])
def test_the_transposed_problem_has_the_same_optimum(method):
    planted = plant((12, 19), 3, 0.2, 3.0)
    stop, sets = Stopping(800, 1e-3, -1), (NuclearNormBall(0.6 * planted.tau), L1Ball(0.7 * planted.s))
    scale = np.vdot(planted.matrix, planted.matrix) / 2
    one = solve(SplitProblem(planted.matrix, *sets), method, stop=stop)
    other = solve(SplitProblem(planted.matrix.T, *sets), method, stop=stop)
    assert abs(one.objective - other.objective) <= max(one.gap, other.gap)
    assert abs(one.objective - other.objective) <= 2e-3 * scale


@METHODS
def test_scaling_everything_scales_the_objective_by_the_square(method):
    planted = plant((15, 22), 3, 0.2, 3.0)
    offset = np.random.default_rng(0).standard_normal(22)
    stop = Stopping(12, 0, -1)

    def run(c):
        sets = NuclearNormBall(c * 0.6 * planted.tau), L1Ball(c * 0.7 * planted.s)
        return solve(SplitProblem(c * planted.matrix, *sets, offset=c * offset), method, stop=stop)

    one, eight = run(1.0), run(8.0)
    assert eight.objective == pytest.approx(64 * one.objective, rel=1e-8)
    assert eight.gap == pytest.approx(64 * one.gap, rel=1e-6)
    assert eight.threshold == pytest.approx(8 * one.threshold, rel=1e-8)
    np.testing.assert_allclose(eight.sparse, 8 * one.sparse, atol=1e-7)


@METHODS
def test_the_centred_problem_is_the_problem_of_the_difference(method):
    planted = plant((15, 22), 3, 0.2, 3.0)
    offset = 10 * np.random.default_rng(0).standard_normal(22)
    sets, stop = (NuclearNormBall(0.6 * planted.tau), L1Ball(0.7 * planted.s)), Stopping(12, 0, -1)
    plain = solve(SplitProblem(planted.matrix, *sets), method, stop=stop)
    centred = solve(SplitProblem(planted.matrix + offset, *sets, offset=offset), method, stop=stop)
    assert centred.objective == pytest.approx(plain.objective, rel=1e-8)
    assert centred.gap == pytest.approx(plain.gap, rel=1e-6)
    np.testing.assert_allclose(centred.low_rank.dense() - offset, plain.low_rank.dense(), atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("term", [L1Ball(40000.0), ElasticNet(9.0, 0.1), LpBall(4e3, 1.2)], ids=str)
def test_bytes_give_what_the_same_numbers_as_floats_give(term):
    matrix, offset = small_clip()
    sets, stop = (NuclearNormBall(400.0), term), Stopping(8, 0, -1)
    runs = [
        solve(SplitProblem(matrix.astype(dtype), *sets, offset=offset), alt_pgcg(), stop=stop)
        for dtype in (np.uint8, np.float32, np.float64)
    ]
    if isinstance(term, LpBall):  # sums over roots are in another order for another type
        np.testing.assert_allclose(runs[0].sparse, runs[1].sparse, rtol=1e-4, atol=1e-5)
        assert runs[0].objective == pytest.approx(runs[1].objective, rel=1e-6)
    else:
        np.testing.assert_array_equal(runs[0].sparse, runs[1].sparse)
        assert runs[0].objective == runs[1].objective
    assert runs[0].objective == pytest.approx(runs[2].objective, rel=1e-3)


def test_a_run_continued_from_its_result_goes_on_from_there():
    problem = plant((20, 30), 3, 0.2, 3.0).problem()
    first = solve(problem, alt_pgcg(), stop=Stopping(10, 0, -1))
    kept = first.sparse.copy()
    second = solve(problem, alt_pgcg(), stop=Stopping(10, 0, -1), start=first)
    assert second.trace[0].objective == pytest.approx(first.objective, rel=1e-9)
    assert second.objective < first.objective
    np.testing.assert_array_equal(first.sparse, kept)
