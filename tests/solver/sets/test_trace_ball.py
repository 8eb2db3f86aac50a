from __future__ import annotations

import numpy as np
import pytest

from bgsub.errors import InputError
from bgsub.solver.sets.trace_ball import TraceBall
from bgsub.solver.spectra.atoms import LowRank, SingularPair


def semidefinite(rng, n, trace, rank=None):
    factor = rng.standard_normal((n, rank or n))
    point = factor @ factor.T
    return point * (trace / np.trace(point))


def by_a_general_solver(objective, n, tau):
    import cvxpy as cp

    x = cp.Variable((n, n), symmetric=True)
    problem = cp.Problem(cp.Minimize(objective(x)), [x >> 0, cp.trace(x) <= tau])
    problem.solve(solver=cp.CLARABEL)
    assert problem.status == cp.OPTIMAL
    return x.value, problem.value


def test_projection_of_a_general_square_matrix_equals_the_one_of_a_general_solver(rng):
    import cvxpy as cp

    point = 2 * rng.standard_normal((5, 5))
    for tau in (0.5, 4.0, 100.0):
        expected, _ = by_a_general_solver(lambda x: cp.sum_squares(x - point), 5, tau)
        np.testing.assert_allclose(TraceBall(tau).project(point), expected, atol=2e-4)


def test_projection_is_nearer_than_random_members(rng):
    ball, point = TraceBall(2.0), rng.standard_normal((6, 6))
    found = ball.project(point)
    np.testing.assert_array_equal(found, found.T)
    assert np.linalg.eigvalsh(found)[0] >= -1e-12
    assert np.trace(found) <= 2 + 1e-12
    distance = np.linalg.norm(found - point)
    for _ in range(200):
        member = semidefinite(rng, 6, 2 * rng.random(), rng.integers(1, 7))
        assert distance <= np.linalg.norm(member - point)
        near = found + 0.01 * (member - found)
        assert distance <= np.linalg.norm(near - point) + 1e-12


def test_linear_step_equals_the_one_of_a_general_solver(rng):
    import cvxpy as cp

    for shift in (-3.0, 0.0, 10.0):
        gradient = rng.standard_normal((4, 4)) + shift * np.eye(4)
        _, least = by_a_general_solver(lambda x, g=gradient: cp.trace(g.T @ x), 4, 3.0)
        vertex = TraceBall(3).lmo(gradient)
        assert np.vdot(vertex.dense(), gradient) == pytest.approx(least, abs=1e-6)
        assert vertex.columns == (0 if shift == 10 else 1)


def test_linear_step_is_zero_where_no_member_has_a_negative_product():
    for gradient in (np.zeros((3, 3)), np.eye(3), np.outer([1.0, 2, 3], [1.0, 2, 3]) + 1e-9 * np.eye(3)):
        vertex = TraceBall(2).lmo(gradient)
        assert vertex.shape == (3, 3)
        assert vertex.columns == 0
    assert TraceBall(2).lmo(SingularPair(0.0, np.ones(3), np.ones(3))).columns == 0


def test_only_the_symmetric_part_of_a_gradient_counts(rng):
    skew = rng.standard_normal((5, 5))
    skew = skew - skew.T
    ball = TraceBall(2)
    assert ball.lmo(skew).columns == 0
    assert ball.conjugate(skew, 1.0) == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(ball.project(skew), 0, atol=1e-12)


def test_conjugate_of_a_hand_made_gradient():
    gradient = np.array([[1.0, 0, 0], [0, -4, 0], [0, 0, 2]])
    assert TraceBall(0.5).conjugate(gradient, 9.0) == pytest.approx(2.0)
    assert TraceBall(0.5).conjugate(-gradient, 9.0) == pytest.approx(1.0)
    assert 0 <= TraceBall(0.5).conjugate(np.eye(3), 9.0) < 1e-12


def test_feasible_means_symmetric_semidefinite_and_of_bounded_trace(rng):
    ball, point = TraceBall(2.0), semidefinite(rng, 5, 2.0, 3)
    direction = rng.standard_normal((5, 5))
    assert ball.is_feasible(point)
    assert ball.is_feasible(point * (1 + 1e-7))
    assert not ball.is_feasible(point * (1 + 1e-5))
    assert ball.is_feasible(point * (1 + 1e-5), tolerance=1e-4)
    assert not ball.is_feasible(0.9 * point + 1e-4 * (direction - direction.T))
    assert not ball.is_feasible(0.9 * point - 1e-4 * np.eye(5))
    assert not ball.is_feasible(-point)


def test_factors_are_judged_as_their_product(rng):
    ball, left = TraceBall(2.0), rng.standard_normal((30, 3))
    left *= np.sqrt(1.9 / (left**2).sum())
    assert ball.is_feasible(LowRank(left, left, np.full(30, 9.0)))
    assert ball.value(LowRank(left, left)) == pytest.approx(1.9)
    assert not ball.is_feasible(LowRank(left, -left))
    assert not ball.is_feasible(LowRank(left[:, ::-1], left))
    assert not ball.is_feasible(LowRank(1.2 * left, left))
    assert ball.is_feasible(LowRank.zeros((30, 30)))


def test_matrices_that_are_not_square_are_refused():
    ball = TraceBall(1)
    for shape in ((3, 4), (4, 3), (0, 1)):
        point = np.ones(shape)
        factors = LowRank(np.ones((shape[0], 1)), np.ones((shape[1], 1)))
        for use in (ball.value, ball.is_feasible, ball.project, lambda a: ball.conjugate(a, 1.0)):
            with pytest.raises(InputError, match=r"must be square, but the shape is"):
                use(point)
        for use in (ball.value, ball.is_feasible):
            with pytest.raises(InputError, match=r"must be square"):
                use(factors)
        with pytest.raises(InputError):
            ball.lmo(point)
        with pytest.raises(InputError, match="two dimensions, but has 1"):
            ball.project(np.ones(3))


def test_eigenvalues_are_projected_on_the_nonnegative_part_of_the_ball(rng):
    """Twin by bisection: the threshold at which the rest sums to the radius."""
    for n in (1, 2, 40):
        values = np.sort(3 * rng.standard_normal(n))[::-1]
        low, high = 0.0, 10.0
        for _ in range(100):
            theta = (low + high) / 2
            low, high = (theta, high) if np.maximum(values - theta, 0).sum() > 2.0 else (low, theta)
        shrunk, found = TraceBall(2.0).shrink_values(values)
        np.testing.assert_allclose(shrunk, np.maximum(values - high, 0), atol=1e-11)
        assert found == pytest.approx(high, abs=1e-11)
