from __future__ import annotations

import numpy as np
import pytest

from bgsub.solver import L1Ball


def projection_by_sorting(point, radius):
    moduli = np.sort(np.abs(point).ravel())[::-1]
    if moduli.sum() <= radius:
        return point.copy()
    excess = (np.cumsum(moduli) - radius) / np.arange(1, moduli.size + 1)
    theta = excess[np.nonzero(moduli > excess)[0][-1]]
    return np.sign(point) * np.maximum(np.abs(point) - theta, 0)


@pytest.mark.parametrize("radius", [0.3, 2.0, 40.0, 1e6])
def test_projection_equals_projection_by_sorting_from_any_start(rng, radius):
    point = rng.standard_normal((13, 9))
    expected = projection_by_sorting(point, radius)
    for start in (0.0, 0.7, 1e9):
        np.testing.assert_allclose(L1Ball(radius).project(point, start), expected, atol=1e-11)


def test_projection_is_nearer_than_any_point_of_a_grid():
    point, ball = np.array([[1.3, -0.4]]), L1Ball(0.9)
    grid = np.linspace(-0.9, 0.9, 181)
    members = np.array([[a, b] for a in grid for b in grid if abs(a) + abs(b) <= 0.9])
    best = np.linalg.norm(members - point, axis=1).min()
    assert np.linalg.norm(ball.project(point) - point) <= best + 1e-12
    assert ball.value(ball.project(point)) <= 0.9


def test_projection_equals_the_one_of_a_general_solver(rng):
    import cvxpy as cp

    point = rng.standard_normal((5, 4))
    y = cp.Variable(point.shape)
    cp.Problem(cp.Minimize(cp.sum_squares(y - point)), [cp.sum(cp.abs(y)) <= 3]).solve(solver=cp.CLARABEL)
    np.testing.assert_allclose(L1Ball(3).project(point), y.value, atol=1e-5)


def test_a_member_projects_on_itself(rng):
    point = rng.standard_normal((4, 4)) / 100
    np.testing.assert_array_equal(L1Ball(5).project(point), point)


def test_projection_of_ties_is_exact():
    np.testing.assert_allclose(L1Ball(1).project(np.full((2, 5), -3.0)), -np.full((2, 5), 0.1), rtol=1e-11)


def test_lmo_is_on_the_boundary_and_attains_the_dual_norm(rng):
    gradient, ball = rng.standard_normal((6, 7)), L1Ball(2.5)
    vertex = ball.lmo(gradient).dense((6, 7))
    assert ball.value(vertex) == pytest.approx(2.5)
    assert np.vdot(vertex, gradient) == pytest.approx(-2.5 * np.abs(gradient).max())
    assert ball.support(np.abs(gradient).max()) == pytest.approx(-np.vdot(vertex, gradient))


def test_lmo_is_no_worse_than_random_members(rng):
    gradient, ball = rng.standard_normal((6, 7)), L1Ball(2.5)
    value = np.vdot(ball.lmo(gradient).dense((6, 7)), gradient)
    for _ in range(200):
        assert value <= np.vdot(ball.project(5 * rng.standard_normal((6, 7))), gradient) + 1e-9


def test_lmo_of_zero_is_a_vertex():
    assert L1Ball(3).value(L1Ball(3).lmo(np.zeros((2, 2))).dense((2, 2))) == 3


def test_feasibility_has_the_tolerance_that_is_asked_for():
    ball = L1Ball(1.0)
    assert ball.is_feasible(np.array([[1.0 + 1e-7]]))
    assert not ball.is_feasible(np.array([[1.0 + 1e-5]]))
    assert ball.is_feasible(np.array([[1.0 + 1e-5]]), tolerance=1e-4)
    assert ball.diameter == 2


def test_conjugate_equals_the_largest_product_over_the_vertices(rng):
    gradient, ball = rng.standard_normal((3, 4)), L1Ball(2.5)
    products = []
    for index in np.ndindex(3, 4):
        for sign in (-2.5, 2.5):
            vertex = np.zeros((3, 4))
            vertex[index] = sign
            products.append(-np.vdot(vertex, gradient))
    assert ball.conjugate(gradient, 1.0) == pytest.approx(max(products), rel=1e-15)


def test_single_precision_is_projected_as_well_as_it_can_be(rng):
    point = (100 * rng.standard_normal((300, 400))).astype(np.float32)
    found = L1Ball(5e5).project(point)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, projection_by_sorting(point.astype(float), 5e5), atol=2e-5)
