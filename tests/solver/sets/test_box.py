from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from bgsub.errors import InputError
from bgsub.solver.sets.box import Box

LOW = np.array([-1.0, 0.0, 2.0])
CORNERS = [
    np.array(corner).reshape(2, 3)
    for corner in itertools.product(*[(low, high) for high in (2.5, 3.0) for low in LOW])
]
BOX = Box(LOW, [[2.5], [3.0]])


def test_linear_step_and_conjugate_are_those_of_the_best_corner(rng):
    for _ in range(20):
        gradient = rng.standard_normal((2, 3)) * (rng.random((2, 3)) < 0.8)
        least = min(np.vdot(corner, gradient) for corner in CORNERS)
        assert np.vdot(BOX.lmo(gradient), gradient) == pytest.approx(least)
        assert BOX.conjugate(gradient, 0.0) == pytest.approx(-least)


def test_the_diameter_is_the_diagonal_if_the_shape_is_known():
    diagonal = max(np.linalg.norm(a - b) for a in CORNERS for b in CORNERS)
    assert Box(BOX.low, BOX.high, (2, 3)).diameter == pytest.approx(diagonal)
    assert BOX.diameter == math.inf
    assert Box(-1, 1, (5, 20)).diameter == pytest.approx(20)


def test_projection_equals_the_one_of_a_general_solver(rng):
    import cvxpy as cp

    point = 4 * rng.standard_normal((2, 3))
    y = cp.Variable(point.shape)
    bounds = [y >= np.broadcast_to(LOW, (2, 3)), y <= np.broadcast_to(np.asarray(BOX.high), (2, 3))]
    cp.Problem(cp.Minimize(cp.sum_squares(y - point)), bounds).solve(solver=cp.CLARABEL)
    np.testing.assert_allclose(BOX.project(point), y.value, atol=1e-6)


def test_the_value_is_the_largest_violation():
    point = np.array([[0.0, 1.0, 2.25], [-1.5, 3.125, 2.0]])
    assert BOX.value(point) == 0.5
    point[0, 2] = 3.5
    assert BOX.value(point) == 1.0
    assert BOX.value(BOX.project(point)) == 0


def test_feasibility_is_relative_to_the_largest_bound():
    box = Box(0, 255)
    assert box.is_feasible(np.array([[255 + 2e-4]]))
    assert not box.is_feasible(np.array([[255 + 3e-4]]))
    assert box.is_feasible(np.array([[-0.1]]), tolerance=1e-3)
    assert Box(0, 0).is_feasible(np.array([[1e-7]]))
    assert not Box(0, 0).is_feasible(np.array([[1e-5]]))


def test_equal_bounds_hold_one_point(rng):
    box, point = Box(LOW, LOW), rng.standard_normal((4, 3))
    np.testing.assert_array_equal(box.project(point), np.tile(LOW, (4, 1)))
    np.testing.assert_array_equal(box.lmo(point), np.tile(LOW, (4, 1)))


def test_bounds_that_do_not_fit_the_point_are_named():
    for use in (BOX.value, BOX.project, BOX.lmo, lambda a: BOX.conjugate(a, 0.0)):
        with pytest.raises(InputError, match=r"bounds of Box have shapes .* do not fit a point of \(2, 4\)"):
            use(np.ones((2, 4)))
    with pytest.raises(
        InputError, match=r"this Box holds matrices of shape \(2, 3\), but the point has \(3, 2\)"
    ):
        Box(-1, 1, (2, 3)).project(np.ones((3, 2)))


def test_the_bounds_are_the_callers_no_longer():
    low = np.zeros(3)
    box = Box(low, 1)
    low[:] = 9
    np.testing.assert_array_equal(box.project(np.full((1, 3), -5.0)), np.zeros((1, 3)))
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(box.low)[0] = 1


def test_single_precision_stays(rng):
    point = rng.standard_normal((2, 3)).astype(np.float32)
    assert BOX.project(point).dtype == np.float32
    assert BOX.lmo(point).dtype == np.float32
