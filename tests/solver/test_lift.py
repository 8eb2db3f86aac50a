"""From temporal directions to a split of all columns, and its certificate."""

from __future__ import annotations

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
from bgsub.solver.clipped_proof import certify_clipped
from bgsub.solver.kernels import Span
from bgsub.solver.lift_kernel import gradient_tile, settle
from bgsub.solver.lifting import lift
from bgsub.solver.passes import packed


def soft(a, theta):
    return np.sign(a) * np.maximum(np.abs(a) - theta, 0)


def clip_problem(dtype=np.uint8, share=0.5):
    matrix, median = small_clip()
    data = matrix.astype(dtype)
    return SplitProblem(data, NuclearNormBall(2000.0 * share), L1Ball(90_000.0 * share), median)


def directions_of(problem):
    left = solve(problem, alt_pgpg(), stop=Stopping(300, 1e-7, -1)).low_rank.left
    return left / np.linalg.norm(left, axis=0)


def sparse_of(problem, lifted):
    return soft(problem.matrix - lifted.low_rank.dense().astype(float), lifted.threshold)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
def test_with_the_directions_of_the_solution_it_is_the_solution(dtype):
    problem = clip_problem(dtype)
    best = solve(problem, alt_pgpg(), stop=Stopping(500, 1e-8, -1))
    lifted = lift(problem, directions_of(problem), 10.0)
    start = problem.objective_at_zero()
    assert lifted.initial_objective == pytest.approx(start, rel=1e-5)
    assert -1e-6 * start <= lifted.objective - best.objective <= 2e-3 * start
    assert lifted.objective - best.objective <= lifted.gap <= 1e-2 * start


@pytest.mark.parametrize("k", [0, 1, 2, 3, 4, 7, 8])
def test_any_number_of_directions_gives_a_feasible_point_with_a_true_certificate(k):
    planted = plant((12, 15), 2, 0.1, 4.0)
    tau, s = 0.6 * planted.tau, 0.7 * planted.s
    problem = SplitProblem(planted.matrix, NuclearNormBall(tau), L1Ball(s))
    directions = np.linalg.qr(np.random.default_rng(k).standard_normal((12, max(k, 1)))).Q[:, :k]
    lifted = lift(problem, directions, 1.0)
    sparse = sparse_of(problem, lifted)
    assert lifted.low_rank.nuclear_norm() <= tau * (1 + 1e-9)
    assert np.abs(sparse).sum() <= s * (1 + 1e-9)
    residual = lifted.low_rank.dense() + sparse - planted.matrix
    assert lifted.objective == pytest.approx(np.vdot(residual, residual) / 2, rel=1e-6)
    best = optimum(planted.matrix, tau, s)
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


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
@pytest.mark.parametrize("theta", [0.0, 4.0, 60.0])
def test_the_certificate_is_that_of_the_written_down_point(dtype, theta):
    problem = clip_problem(dtype)
    lifted = lift(problem, directions_of(problem)[:, :2], 10.0)
    sparse = soft(problem.matrix - lifted.low_rank.dense().astype(float), theta)
    written, clipped = (
        certify(problem, lifted.low_rank, sparse),
        certify_clipped(problem, lifted.low_rank, theta),
    )
    scale = problem.objective_at_zero()
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
    matrix = rng.integers(0, 255, (9, columns)).astype(np.uint8)
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


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(threads):
    problem = clip_problem()
    directions = directions_of(problem)
    one, more = lift(problem, directions, 10.0, 1), lift(problem, directions, 10.0, threads)
    assert (one.objective, one.gap, one.threshold) == (more.objective, more.gap, more.threshold)
    assert (one.low_rank.right == more.low_rank.right).all()


def test_the_callback_hears_of_every_iteration():
    problem, calls = clip_problem(), []
    assert lift(problem, directions_of(problem), 10.0, callback=lambda: calls.append(1)).iterations == len(
        calls
    )


def test_what_cannot_be_lifted_is_named():
    problem = clip_problem()
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
    problem = clip_problem()
    lifted = lift(problem, directions_of(problem), 10.0)
    left, rows = packed(lifted.low_rank)
    assert left @ rows == pytest.approx(lifted.low_rank.dense(), rel=1e-4, abs=1e-3)
