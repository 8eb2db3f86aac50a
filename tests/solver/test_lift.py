"""From temporal directions to a split of all columns, and its certificate."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from solver_cases import optimum, plant, small_clip

from bgsub.errors import IncompatibleProblem, InputError
from bgsub.solver import (
    ElasticNet,
    L1Ball,
    LpBall,
    NuclearNormBall,
    SplitProblem,
    Stopping,
    alt_pgpg,
    certify,
    solve,
)
from bgsub.solver.kernels.iteration import Span
from bgsub.solver.kernels.lift import gradient_tile, settle
from bgsub.solver.kernels.passes import packed
from bgsub.solver.lifting import lift
from bgsub.solver.proof.clipped import certify_clipped


def soft(a, theta):
    return np.sign(a) * np.maximum(np.abs(a) - theta, 0)


@functools.cache
def solved_clip(dtype=np.uint8):
    """Return a problem, its solution, and the temporal directions of that."""
    matrix, median = small_clip()
    problem = SplitProblem(matrix.astype(dtype), NuclearNormBall(1000.0), L1Ball(45_000.0), median)
    best = solve(problem, alt_pgpg(), stop=Stopping(500, 1e-8, -1))
    left = best.low_rank.left
    return problem, best, left / np.linalg.norm(left, axis=0)


DTYPES = pytest.mark.parametrize(
    "dtype", [np.uint8, pytest.param(np.float32, marks=pytest.mark.slow), np.float64]
)


def sparse_of(problem, lifted):
    return soft(problem.matrix - lifted.low_rank.dense().astype(float), lifted.threshold)


@DTYPES
def test_with_the_directions_of_the_solution_it_is_the_solution(dtype):
    problem, best, directions = solved_clip(dtype)
    lifted = lift(problem, directions, 10.0)
    start = problem.objective_at_zero()
    assert lifted.initial_objective == pytest.approx(start, rel=1e-5)
    assert -1e-6 * start <= lifted.objective - best.objective <= 2e-3 * start
    assert lifted.objective - best.objective <= lifted.gap <= 1e-2 * start


def test_any_number_of_directions_gives_a_feasible_point_with_a_true_certificate():
    planted = plant((12, 15), 2, 0.1, 4.0)
    tau, s = 0.6 * planted.tau, 0.7 * planted.s
    problem = SplitProblem(planted.matrix, NuclearNormBall(tau), L1Ball(s))
    best = optimum(planted.matrix, tau, s)
    for k in (0, 1, 2, 3, 4, 7, 8):
        directions = np.linalg.qr(np.random.default_rng(k).standard_normal((12, max(k, 1)))).Q[:, :k]
        lifted = lift(problem, directions, 1.0)
        sparse = sparse_of(problem, lifted)
        assert lifted.low_rank.nuclear_norm() <= tau * (1 + 1e-9)
        assert np.abs(sparse).sum() <= s * (1 + 1e-9)
        residual = lifted.low_rank.dense() + sparse - planted.matrix
        assert lifted.objective == pytest.approx(np.vdot(residual, residual) / 2, rel=1e-6)
        assert lifted.gap >= lifted.objective - best - 1e-6 * best


def test_it_is_the_best_point_of_its_span():
    import cvxpy as cp

    planted = plant((12, 15), 2, 0.1, 4.0)
    tau, s = 0.6 * planted.tau, 0.7 * planted.s
    directions = np.linalg.qr(np.random.default_rng(0).standard_normal((12, 2))).Q
    c, y = cp.Variable((2, 15)), cp.Variable((12, 15))
    loss = cp.sum_squares(directions @ c + y - planted.matrix) / 2
    best = cp.Problem(cp.Minimize(loss), [cp.normNuc(c) <= tau, cp.sum(cp.abs(y)) <= s]).solve(cp.CLARABEL)
    lifted = lift(SplitProblem(planted.matrix, NuclearNormBall(tau), L1Ball(s)), directions, 1.0)
    assert best * (1 - 1e-6) <= lifted.objective <= best * 1.01


@DTYPES
def test_the_certificate_is_that_of_the_written_down_point(dtype):
    problem, _, directions = solved_clip(dtype)
    low_rank = lift(problem, directions[:, :2], 10.0).low_rank
    scale = problem.objective_at_zero()
    for theta in (0.0, 4.0, 60.0):
        written = certify(problem, low_rank, soft(problem.matrix - low_rank.dense().astype(float), theta))
        clipped = certify_clipped(problem, low_rank, theta)
        assert clipped.objective == pytest.approx(written.objective, rel=1e-5, abs=1e-9 * scale)
        assert written.gap * (1 - 1e-6) - 1e-6 * scale <= clipped.gap <= written.gap + 1e-3 * scale


@pytest.mark.parametrize("k", [0, 2])
def test_an_elastic_net_is_lifted_to_the_best_point_with_a_true_certificate(k):
    import cvxpy as cp

    planted = plant((12, 15), 2, 0.1, 4.0)
    tau, net = 0.6 * planted.tau, ElasticNet(0.5, 0.05)
    directions = np.linalg.qr(np.random.default_rng(0).standard_normal((12, 2))).Q[:, :k]
    problem = SplitProblem(planted.matrix, NuclearNormBall(tau), net)
    lifted = lift(problem, directions, 1.0)
    residual = planted.matrix - lifted.low_rank.dense()
    sparse = soft(residual, 0.5) / 1.1
    objective = np.vdot(residual - sparse, residual - sparse) / 2 + net.value(sparse)
    assert lifted.objective == pytest.approx(objective, rel=1e-9)

    def best(x, constraints):
        y = cp.Variable((12, 15))
        cost = cp.sum_squares(x + y - planted.matrix) / 2 + 0.5 * cp.sum(cp.abs(y)) + 0.05 * cp.sum_squares(y)
        return cp.Problem(cp.Minimize(cost), constraints).solve(cp.CLARABEL)

    x, c = cp.Variable((12, 15)), cp.Variable((max(k, 1), 15))
    whole = best(x, [cp.normNuc(x) <= tau])
    assert lifted.gap >= lifted.objective - whole - 1e-6 * whole
    if k:
        assert lifted.objective <= best(directions @ c, [cp.normNuc(c) <= tau]) * 1.01
    written = certify(problem, lifted.low_rank, sparse)
    assert lifted.gap == pytest.approx(written.gap, rel=1e-2)


@pytest.mark.parametrize("kept", [1.0, 0.8])
@pytest.mark.parametrize("columns", [1, 70, 513])
def test_the_kernels_equal_their_numpy_twins(columns, kept):
    rng = np.random.default_rng(columns)
    matrix = rng.integers(0, 255, (9, columns)).astype(float)
    matrix.flags.writeable = False
    left, rows = rng.standard_normal((9, 4)), 20 * rng.standard_normal((4, columns))
    image, sums = np.empty((4, columns)), np.zeros(4)
    settle(matrix, left, rows, (30.0, kept), Span(0, columns, 64, 1, False), image, sums)
    residual = matrix - left @ rows
    e = soft(residual, 30)
    g = residual - kept * e
    assert image == pytest.approx(left.T @ g)
    assert sums == pytest.approx([np.abs(e).sum(), np.count_nonzero(e), np.vdot(g, g), np.vdot(e, e)])
    tile, sums = np.full((9, columns + 3), 7, np.float32), np.zeros(6)
    gradient_tile(matrix, left, rows, (30.0, kept), (0, columns), tile, sums)
    z = matrix - rows[0] - g
    assert tile[:, :columns] == pytest.approx(-g, rel=1e-6, abs=1e-5)
    assert (tile[:, columns:] == 7).all()
    expected = [-np.vdot(z, g), np.vdot(g, g), np.vdot(z, z), np.abs(e).sum(), np.vdot(e, e), np.abs(g).max()]
    assert sums == pytest.approx(expected, rel=1e-6)


def test_threads_change_nothing_and_the_callback_hears_of_every_iteration():
    (problem, _, directions), calls = solved_clip(), []
    one = lift(problem, directions, 10.0, 1, callback=lambda: calls.append(1))
    assert one.iterations == len(calls)
    for threads in (2, 3):
        more = lift(problem, directions, 10.0, threads)
        assert (one.objective, one.gap, one.threshold) == (more.objective, more.gap, more.threshold)
        assert (one.low_rank.right == more.low_rank.right).all()


def test_what_cannot_be_lifted_is_named():
    problem, *_ = solved_clip()
    other = SplitProblem(np.eye(4), NuclearNormBall(1.0), LpBall(1.0, 1.2))
    with pytest.raises(IncompatibleProblem, match="L1Ball"):
        lift(other, np.eye(4)[:, :1], 1.0)
    with pytest.raises(InputError, match="shape"):
        lift(problem, np.ones((3, 1)), 1.0)
    with pytest.raises(InputError, match="orthonormal"):
        lift(problem, np.ones((problem.shape[0], 1)), 1.0)
    with pytest.raises(InputError, match="orthonormal"):
        lift(problem, np.full((problem.shape[0], 1), np.nan), 1.0)


def test_the_certificate_reads_the_factors_as_the_kernels_do():
    problem, _, directions = solved_clip()
    lifted = lift(problem, directions, 10.0)
    left, rows = packed(lifted.low_rank)
    assert left @ rows == pytest.approx(lifted.low_rank.dense(), rel=1e-4, abs=1e-3)
