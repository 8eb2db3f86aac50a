"""The streamed and the dense engine are two ways to do the same."""

from __future__ import annotations

import numpy as np
import pytest
from solver_cases import plant, small_clip

from bgsub.solver import (
    Backtracking,
    ElasticNet,
    FollowWeight,
    L1Ball,
    LpBall,
    NuclearNormBall,
    SplitProblem,
    Stopping,
    alt_pgcg,
    alt_pgpg,
    cgcg,
    cgcg_p,
    loop,
    solve,
)
from bgsub.solver.engines.dense import FRESH_EVERY, DenseEngine
from bgsub.solver.kernels.tiles import Workers
from bgsub.solver.parts import Part

STOP = Stopping(25, 0, -1)
DTYPES = pytest.mark.parametrize(
    ("dtype", "accuracy"), [(np.uint8, 1e-4), pytest.param(np.float64, 1e-6, marks=pytest.mark.slow)]
)


def posed(dtype, term=None, offset=None):
    """Return a problem of numbers, or of bytes: four times these numbers, around 128."""
    planted, scale, centre = plant((30, 40), 3, 0.1, 5.0), 1, 0
    matrix = planted.matrix
    if dtype == np.uint8:
        scale, centre = 4, 128
        matrix = np.clip(np.rint(scale * matrix + centre), 0, 255).astype(np.uint8)
        offset = centre + scale * (np.zeros(40) if offset is None else offset)
    if isinstance(term, ElasticNet):
        term = ElasticNet(scale * term.lambda1, term.lambda2)
    elif isinstance(term, LpBall):
        term = LpBall(scale * term.radius, term.p)
    else:
        term = L1Ball(scale * planted.s)
    return SplitProblem(matrix, NuclearNormBall(scale * planted.tau), term, offset)


def both(problem, method, monkeypatch):
    """Return the results of the dense and of the streamed engine."""
    monkeypatch.setattr(loop, "LARGEST_DENSE", 0)
    streamed = solve(problem, method, stop=STOP)
    monkeypatch.setattr(loop.StreamedEngine, "takes", lambda *_: False)
    return solve(problem, method, stop=STOP), streamed


@DTYPES
@pytest.mark.parametrize(
    ("method", "offset"),
    [(alt_pgcg(), None), *((method, np.linspace(-1, 1, 40)) for method in (alt_pgcg(), cgcg(), cgcg_p()))],
)
def test_both_engines_take_the_same_steps(method, offset, dtype, accuracy, monkeypatch):
    dense, streamed = both(posed(dtype, offset=offset), method, monkeypatch)
    # Later on the dense engine takes pairs that are less accurate; after the extra step of CGCG-P the two begin the
    # search for the next pair from other directions.
    pairs = list(zip(dense.trace, streamed.trace, strict=True))
    for one, other in pairs[: 2 if method == cgcg_p() else 9]:
        assert one.objective == pytest.approx(other.objective, rel=accuracy)
        assert one.step == pytest.approx(other.step, rel=10 * accuracy)
    for one, other in pairs:
        assert one.objective == pytest.approx(other.objective, rel=3e-2)
    distance = np.linalg.norm(dense.low_rank.dense() - streamed.low_rank.dense())
    assert distance <= 0.1 * np.linalg.norm(dense.low_rank.dense())


@DTYPES
@pytest.mark.parametrize(
    ("term", "combination"),
    [
        (ElasticNet(0.4, 0.2), None),
        (ElasticNet(0.4, 0.2), Backtracking(full=True)),
        (ElasticNet(0, 1.0), FollowWeight()),
        (LpBall(200.0, 1.3), None),
        (LpBall(200.0, 1.3), FollowWeight()),
        (LpBall(200.0, 1.05), Backtracking(full=True)),
    ],
)
def test_both_engines_take_the_same_steps_with_other_terms(term, combination, dtype, accuracy, monkeypatch):
    problem = posed(dtype, term, np.linspace(-1, 1, 40))
    one, other = both(problem, alt_pgcg(combination=combination), monkeypatch)
    for row, beside in list(zip(one.trace, other.trace, strict=True))[:9]:
        assert row.objective == pytest.approx(beside.objective, rel=accuracy)
        assert row.step == pytest.approx(beside.step, rel=10 * accuracy)
        assert row.gap == pytest.approx(beside.gap, rel=1e-3)
    assert other.trace[-1].objective == pytest.approx(other.objective, rel=accuracy)
    assert other.objective == pytest.approx(one.objective, rel=3e-2)
    assert problem.sparse.is_feasible(other.sparse)


def test_a_video_without_contrast_is_split_with_an_lp_ball():
    for value in (0, 7):
        problem = SplitProblem(np.full((5, 30), value, np.uint8), NuclearNormBall(1.0), LpBall(1.0, 1.2))
        result = solve(problem, alt_pgcg(), stop=Stopping(5, 0, -1))
        assert np.isfinite([result.objective, result.gap]).all()
        assert result.objective <= problem.objective_at_zero()


def test_what_has_no_streamed_step_is_dense(monkeypatch):
    made = []

    def note(self, *args, **options):
        made.append(type(self).__name__)
        raise RuntimeError

    monkeypatch.setattr(loop.StreamedEngine, "__init__", note)
    monkeypatch.setattr(loop.DenseEngine, "__init__", note)
    matrix, offset = small_clip()
    streamed = {L1Ball(40000.0): 3, ElasticNet(9.0, 0.1): 1, LpBall(4000.0, 1.2): 1}
    for term, count in streamed.items():
        problem = SplitProblem(matrix, NuclearNormBall(400.0), term, offset=offset)
        made.clear()
        for method in (alt_pgcg(), cgcg(), cgcg_p(), alt_pgpg()):
            with pytest.raises(RuntimeError):
                solve(problem, method)
        assert made == [*count * ["StreamedEngine"], *(4 - count) * ["DenseEngine"]]


def test_alt_pgpg_on_a_clip_with_a_centre_beats_alt_pgcg():
    matrix, offset = small_clip()
    problem = SplitProblem(matrix, NuclearNormBall(400.0), L1Ball(40000.0), offset=offset)
    streamed, dense = (solve(problem, method, stop=STOP) for method in (alt_pgcg(), alt_pgpg()))
    assert dense.objective <= streamed.objective
    assert dense.gap < 0.1 * streamed.gap
    np.testing.assert_array_equal(dense.low_rank.offset, offset.astype(dense.sparse.dtype))


def test_threads_change_nothing_in_the_dense_engine():
    problem = plant((300, 400), 4, 0.05, 5.0).problem()
    for method in (alt_pgpg(), cgcg()):
        one, *more = (solve(problem, method, stop=Stopping(6, 0, -1), threads=n) for n in (1, 2, 3))
        for other in more:
            np.testing.assert_array_equal(one.sparse, other.sparse)
            assert [row.objective for row in one.trace] == [row.objective for row in other.trace]


def test_rounding_does_not_add_up_over_many_moves():
    """The objective of the engine's own Z stays that of the factors and Y."""
    problem = plant((20, 30), 3, 0.2, 1e4).problem()
    iterations = 3 * FRESH_EVERY - 5
    result = solve(problem, cgcg(), stop=Stopping(iterations, 0, -1))
    assert result.trace[-1].objective == pytest.approx(result.objective, rel=1e-10)


def test_a_point_may_be_anywhere():
    planted = plant((6, 8), 2, 0.3, 2.0)
    with Workers(1) as workers:
        engine = DenseEngine(planted.problem(), planted.low_rank, planted.sparse, workers)
        assert engine.objective == pytest.approx(0, abs=1e-20)
        engine.place(2 * planted.low_rank, planted.sparse)
        assert engine.objective == pytest.approx(np.vdot(planted.low_rank, planted.low_rank) / 2)
        engine.put_sparse(planted.sparse - planted.low_rank)
        assert engine.objective == pytest.approx(0, abs=1e-18)
        np.testing.assert_array_equal(engine.blocks[Part.LOW_RANK], 2 * planted.low_rank)
