from __future__ import annotations

import numpy as np
import pytest
from solver_cases import plant, small_clip

from bgsub.solver import (
    L1Ball,
    LowRank,
    NuclearNormBall,
    SplitProblem,
    Status,
    Stopping,
    TraceBall,
    alt_cgpg,
    alt_pgcg,
    alt_pgpg,
    loop,
    solve,
)
from bgsub.solver.loop import inside


@pytest.fixture(scope="module")
def problem():
    return plant((20, 30), 3, 0.2, 3.0).problem()


def test_converged_means_the_certified_gap_is_within_the_tolerance(problem):
    result = solve(problem, alt_pgcg(), stop=Stopping(3000, 1e-2, -1))
    assert result.status is Status.CONVERGED
    assert 0 <= result.gap <= 1e-2 * result.trace[0].objective
    assert result.iterations < 3000


def test_a_time_out_is_never_reported_as_converged(problem):
    result = solve(problem, alt_pgcg(), stop=Stopping(3000, 1e-9, -1, seconds=0.0))
    assert result.status is Status.TIME_LIMIT
    assert result.iterations == 0
    assert result.gap > 1e-9 * result.trace[0].objective


def test_an_objective_that_stops_moving_is_flat_and_not_converged(problem):
    result = solve(problem, alt_pgcg(), stop=Stopping(3000, 1e-9, 0.05))
    assert result.status is Status.FLAT
    assert result.gap > 1e-9 * result.trace[0].objective


def test_a_limit_of_iterations_is_kept(problem):
    result = solve(problem, alt_pgcg(), stop=Stopping(4, 0, -1))
    assert result.status is Status.MAX_ITERATIONS
    assert result.iterations == 4
    assert [row.iteration for row in result.trace] == [0, 1, 2, 3, 4]


def test_the_limit_itself_does_not_hide_that_the_run_has_converged(problem):
    needed = solve(problem, alt_pgcg(), stop=Stopping(3000, 1e-2, -1)).iterations
    assert solve(problem, alt_pgcg(), stop=Stopping(needed, 1e-2, -1)).status is Status.CONVERGED


def test_the_callback_sees_every_row_and_may_stop(problem):
    rows = []

    def callback(row):
        rows.append(row)
        return row.iteration == 3

    result = solve(problem, alt_pgcg(), stop=Stopping(100, 0, -1), callback=callback)
    assert result.status is Status.STOPPED
    assert tuple(rows) == result.trace
    assert result.iterations == 3
    assert [row.seconds for row in rows] == sorted(row.seconds for row in rows)


def test_a_callback_that_returns_something_else_does_not_stop(problem):
    assert solve(problem, alt_pgcg(), stop=Stopping(3, 0, -1), callback=lambda row: "yes").iterations == 3


def test_an_interrupt_goes_through(problem):
    def interrupt(row):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(problem, alt_pgcg(), callback=interrupt, threads=2)


def test_an_estimate_below_the_goal_is_not_enough(problem, monkeypatch):
    """The estimate of the gap lies below the certificate; only the certificate may end a run."""
    real = loop.certify
    calls = []

    def pessimist(*arguments):
        proof = real(*arguments)
        calls.append(proof)
        return type(proof)(proof.objective, proof.gap + 1e9)

    monkeypatch.setattr(loop, "certify", pessimist)
    result = solve(problem, alt_pgcg(), stop=Stopping(60, 0.05, -1))
    assert result.status is Status.MAX_ITERATIONS
    assert result.iterations == 60
    # After a proof that failed, the next one waits until the estimate has halved.
    assert 2 <= len(calls) <= 8


def test_the_proof_of_a_run_does_not_stand_for_another_point(problem, monkeypatch):
    """What rounding has taken out of a set is brought back, and certified once more."""
    monkeypatch.setattr(loop, "inside", lambda term, part: part if isinstance(part, LowRank) else part / 2)
    result = solve(problem, alt_pgcg(), stop=Stopping(3000, 1e-2, -1))
    assert result.gap > 1e-2 * result.trace[0].objective
    assert result.status is Status.FLAT


def test_the_trace_holds_the_steps_and_weights(problem):
    trace = solve(problem, alt_cgpg(3), stop=Stopping(5, 0, -1)).trace
    assert (trace[0].step, trace[0].weight, trace[0].rank) == (0, 0, 0)
    assert [row.weight for row in trace[1:]] == pytest.approx([2 / (t + 1) for t in range(1, 6)])
    assert all(0 <= row.step <= 1 for row in trace)


def test_the_threshold_of_the_last_projection_is_reported():
    matrix, offset = small_clip()
    problem = SplitProblem(matrix, NuclearNormBall(400.0), L1Ball(40000.0), offset)
    result = solve(problem, alt_pgcg(), stop=Stopping(6, 0, -1))
    assert 0 < result.threshold < 255
    assert solve(problem, alt_cgpg(1), stop=Stopping(3, 0, -1)).threshold == 0


def test_a_numpy_true_from_the_callback_ends_the_run_too():
    problem = plant((20, 30), 3, 0.2, 3.0).problem()
    result = solve(
        problem, alt_pgcg(), stop=Stopping(20, 0, -1), callback=lambda row: np.bool_(row.iteration == 2)
    )
    assert (result.status, result.iterations) == ("stopped", 2)


@pytest.mark.parametrize(
    ("dtype", "seed"), [(np.uint8, 0), pytest.param(np.float32, 2, marks=pytest.mark.slow)]
)
def test_what_is_returned_lies_in_both_sets_and_no_certified_gap_is_negative(dtype, seed):
    planted = plant((40, 60), 3, 0.1, 40.0, seed)
    matrix = np.clip(planted.matrix * 20 + 120, 0, 255).astype(dtype)
    for share in (0.3, 0.9):
        low, sparse = NuclearNormBall(share * 20 * planted.tau), L1Ball(share * 20 * planted.s)
        for tolerance in (1e-5, 1e-9):
            result = solve(SplitProblem(matrix, low, sparse), alt_pgpg(), stop=Stopping(300, tolerance, 1e-9))
            assert low.value(result.low_rank) <= low.radius
            assert sparse.value(result.sparse) <= sparse.radius
            assert result.gap >= 0


def test_the_scale_of_all_tolerances_is_the_objective_at_zero():
    rng = np.random.default_rng(0)
    for shape in ((3, 4000), (4000, 3), (1, 1), (800, 900)):
        matrix, offset = rng.integers(0, 256, shape).astype(np.uint8), rng.uniform(0, 255, shape[1])
        problem = SplitProblem(matrix, NuclearNormBall(1.0), L1Ball(1.0), offset)
        assert problem.objective_at_zero() == pytest.approx(((matrix - offset) ** 2).sum() / 2, rel=1e-6)


@pytest.mark.parametrize("ball", [NuclearNormBall, TraceBall])
def test_what_rounding_has_taken_out_of_a_ball_comes_back(ball):
    factor = np.random.default_rng(0).standard_normal((12, 3)).astype(np.float32)
    point = LowRank(factor, factor)
    size = ball(1.0).value(point)
    problem = SplitProblem(np.eye(12, dtype=np.float32), ball(size * (1 - 1e-5)), L1Ball(1.0))
    assert problem.low_rank.is_feasible(inside(problem.low_rank, point), 1e-6)
    roomy = SplitProblem(np.eye(12, dtype=np.float32), ball(1.1 * size), L1Ball(1.0))
    assert inside(roomy.low_rank, point) is point
