from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp

from bgsub.solver.sets.lp_ball import LpBall

EXPONENTS = [1.05, 1.2, 1.5, 2.0]


def norm(point, p):
    return float((np.abs(np.asarray(point, float)) ** p).sum() ** (1 / p))


def boundary(rng, shape, p, radius, density=1.0):
    point = rng.standard_normal(shape) * (rng.random(shape) < density)
    point.flat[rng.integers(point.size)] += 0.1
    return point * (radius / norm(point, p))


def minimised(objective, shape, p, radius):
    import cvxpy as cp

    y = cp.Variable(shape)
    problem = cp.Problem(
        cp.Minimize(objective(y)), [cp.pnorm(cp.vec(y, order="C"), p, approx=False) <= radius]
    )
    problem.solve(solver=cp.CLARABEL)
    assert problem.status == cp.OPTIMAL
    return y.value, problem.value


@pytest.mark.parametrize("p", EXPONENTS)
def test_projection_equals_the_one_of_a_general_solver(rng, p):
    import cvxpy as cp

    point = rng.standard_normal((4, 3))
    expected, _ = minimised(lambda y: cp.sum_squares(y - point), (4, 3), p, 1.5)
    np.testing.assert_allclose(LpBall(1.5, p).project(point), expected, atol=1e-4)


@pytest.mark.parametrize("p", EXPONENTS)
def test_linear_step_equals_the_one_of_a_general_solver(rng, p):
    import cvxpy as cp

    gradient = rng.standard_normal((4, 3))
    _, least = minimised(lambda y: cp.sum(cp.multiply(gradient, y)), (4, 3), p, 1.5)
    assert np.vdot(LpBall(1.5, p).lmo(gradient), gradient) == pytest.approx(least, rel=1e-5)


@pytest.mark.parametrize("p", EXPONENTS)
def test_projection_is_nearer_than_any_point_of_a_grid(p):
    point, grid = np.array([[1.3, -0.4]]), np.linspace(-0.9, 0.9, 181)
    members = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    members = members[(np.abs(members) ** p).sum(axis=1) <= 0.9**p]
    best = np.linalg.norm(members - point, axis=1).min()
    found = LpBall(0.9, p).project(point)
    assert norm(found, p) <= 0.9 * (1 + 1e-12)
    assert np.linalg.norm(found - point) <= best + 1e-12


@pytest.mark.parametrize("p", EXPONENTS)
def test_linear_step_is_stable_at_any_scale(rng, p):
    for scale in (1e-140, 1.0, 1e140):
        gradient, ball = rng.standard_normal((6, 7)), LpBall(2.5, p)
        vertex = ball.lmo(scale * gradient)
        assert norm(vertex, p) == pytest.approx(2.5, rel=1e-12)
        np.testing.assert_allclose(vertex, ball.lmo(gradient), rtol=1e-11)
        assert np.vdot(vertex, gradient) == pytest.approx(-ball.conjugate(gradient, 0.0), rel=1e-12)


def test_linear_step_of_wide_ranging_moduli_is_finite_and_sparse():
    gradient = np.geomspace(1e-120, 1, 200)[None] * np.resize([1, -1], 200)
    for dtype in (np.float32, np.float64):
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            vertex = LpBall(1, 1.05).lmo(gradient.astype(dtype))
        assert np.isfinite(vertex).all()
        nonzero = np.abs(vertex[vertex != 0])
        assert nonzero.min() >= np.finfo(dtype).tiny
        assert norm(vertex, 1.05) == pytest.approx(1, rel=1e-6)
        assert np.vdot(vertex, gradient) < 0


def test_linear_step_of_ties_and_of_one_entry():
    np.testing.assert_allclose(LpBall(3, 1.5).lmo(np.full((2, 4), -7.0)), 3 * 8 ** (-2 / 3), rtol=1e-13)
    np.testing.assert_allclose(LpBall(3, 1.05).lmo(np.array([[0, 0, 5.0]])), [[0, 0, -3]], rtol=1e-13)
    np.testing.assert_array_equal(LpBall(3, 1.05).lmo(np.zeros((2, 2))), np.zeros((2, 2)))


@pytest.mark.parametrize("p", EXPONENTS)
def test_conjugate_is_the_dual_norm_in_logarithms(rng, p):
    gradient = rng.standard_normal((20, 30)) ** 5
    q = p / (p - 1)
    expected = 0.7 * np.exp(logsumexp(q * np.log(np.abs(gradient))) / q)
    assert LpBall(0.7, p).conjugate(gradient, 1.0) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("p", EXPONENTS)
def test_the_ball_is_strongly_convex_with_the_constant_it_states(rng, p):
    """mix·a + (1 − mix)·b plus anything of length mix·(1 − mix)·γ/2·‖a − b‖² is a member."""
    radius = 2.0
    for shape in ((1, 2), (2, 2), (5, 8)):
        gamma = LpBall(radius, p).set_convexity(shape[0] * shape[1])
        for _ in range(150):
            a = boundary(rng, shape, p, radius, rng.choice([0.2, 1]))
            b = boundary(rng, shape, p, radius, rng.choice([0.2, 1]))
            if rng.random() < 0.5:
                b = a + 0.1 * (b - a)
                b *= radius / norm(b, p)
            mix = rng.random()
            middle = mix * a + (1 - mix) * b
            # The worst direction is the normal of the boundary near the middle.
            normal = np.sign(middle) * np.abs(middle) ** (p - 1)
            for towards in (normal, rng.standard_normal(shape)):
                step = mix * (1 - mix) * gamma / 2 * np.linalg.norm(a - b) ** 2
                assert norm(middle + step * towards / np.linalg.norm(towards), p) <= radius * (1 + 1e-12)


def test_the_constant_is_tight_for_the_euclidean_ball():
    """γ = 1/s at p = 2, and nothing larger: two near points of a circle, and their middle."""
    radius, angle = 2.0, 1e-2
    a, b = (
        radius * np.array([np.cos(angle), np.sin(angle)]),
        radius * np.array([np.cos(angle), -np.sin(angle)]),
    )
    gamma = LpBall(radius, 2).set_convexity(2)
    assert gamma == pytest.approx(1 / radius)
    middle = (a + b) / 2
    reach = np.linalg.norm(a - b) ** 2 / 8 * middle / np.linalg.norm(middle)
    assert norm(middle + gamma * reach, 2) <= radius
    assert norm(middle + 1.01 * gamma * reach, 2) > radius


def test_the_constant_follows_its_formula():
    assert LpBall(4.0, 1.25).set_convexity(16) == pytest.approx(0.25 * 16 ** (0.5 - 0.8) / 4)
    assert LpBall(4.0, 1.25).convexity == 0


def test_feasibility_has_the_tolerance_that_is_asked_for(rng):
    point = boundary(rng, (5, 5), 1.3, 2.0)
    ball = LpBall(2.0, 1.3)
    assert ball.value(point) == pytest.approx(2.0)
    assert ball.is_feasible(point * (1 + 1e-7))
    assert not ball.is_feasible(point * (1 + 1e-5))
    assert ball.is_feasible(point * (1 + 1e-5), tolerance=1e-4)


def test_norms_of_extreme_moduli_neither_overflow_nor_vanish():
    assert LpBall(1, 2).value(np.array([[3e200, -4e200]])) == pytest.approx(5e200)
    assert LpBall(1, 2).value(np.array([[3e-200, -4e-200]])) == pytest.approx(5e-200)
    assert LpBall(1, 2).value(np.zeros((3, 3))) == 0
