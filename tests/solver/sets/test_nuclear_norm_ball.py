from __future__ import annotations

import numpy as np
import pytest

from bgsub.solver import LowRank, NuclearNormBall


def nuclear(matrix):
    return np.linalg.svd(matrix, compute_uv=False).sum()


def test_lmo_is_on_the_boundary_and_attains_the_dual_norm(rng):
    gradient, ball = rng.standard_normal((6, 9)), NuclearNormBall(2.5)
    vertex = ball.lmo(gradient)
    assert vertex.columns == 1
    assert ball.value(vertex) == pytest.approx(2.5)
    spectral = np.linalg.norm(gradient, 2)
    assert np.vdot(vertex.dense(), gradient) == pytest.approx(-2.5 * spectral)
    assert ball.support(spectral) == pytest.approx(2.5 * spectral)


def test_lmo_is_no_worse_than_random_members(rng):
    gradient, ball = rng.standard_normal((6, 4)), NuclearNormBall(2.5)
    value = np.vdot(ball.lmo(gradient).dense(), gradient)
    for _ in range(100):
        assert value <= np.vdot(ball.project(3 * rng.standard_normal((6, 4))), gradient) + 1e-9


@pytest.mark.parametrize("gradient", [np.zeros((3, 4)), np.outer([1.0, 2, 0], [0, 1.0, 0, 1])])
def test_lmo_of_zero_and_of_rank_one_is_a_vertex(gradient):
    ball = NuclearNormBall(3)
    vertex = ball.lmo(gradient)
    assert ball.value(vertex) == pytest.approx(3)
    assert np.vdot(vertex.dense(), gradient) == pytest.approx(-3 * np.linalg.norm(gradient, 2))


def test_projection_equals_the_one_of_a_general_solver(rng):
    import cvxpy as cp

    point = rng.standard_normal((5, 4))
    x = cp.Variable(point.shape)
    cp.Problem(cp.Minimize(cp.sum_squares(x - point)), [cp.normNuc(x) <= 2]).solve(solver=cp.CLARABEL)
    np.testing.assert_allclose(NuclearNormBall(2).project(point), x.value, atol=1e-4)


def test_value_leaves_the_offset_out(rng):
    x = LowRank(rng.standard_normal((5, 2)), rng.standard_normal((6, 2)), rng.standard_normal(6))
    assert NuclearNormBall(1).value(x) == pytest.approx(nuclear(x.left @ x.right.T))
    assert NuclearNormBall(1).value(x.left @ x.right.T) == pytest.approx(NuclearNormBall(1).value(x))


def test_diameter_is_twice_the_radius():
    assert NuclearNormBall(3).diameter == 6


@pytest.mark.parametrize("shape", [(6, 9), (9, 6), (200, 3), (1, 1)])
def test_conjugate_bounds_the_dual_norm_from_above_and_closely(rng, shape):
    for dtype in (np.float32, np.float64):
        gradient = rng.standard_normal(shape).astype(dtype)
        exact = 2.5 * np.linalg.norm(gradient.astype(float), 2)
        assert exact * (1 - 1e-14) <= NuclearNormBall(2.5).conjugate(gradient, 1.0) <= exact * (1 + 1e-9)


def test_values_are_shrunk_as_by_sorting(rng):
    values = np.sort(rng.random(30))[::-1]
    for radius in (0.3, 2.0, 50.0):
        excess = (np.cumsum(values) - radius) / np.arange(1, 31)
        expected = max(float(excess[values > excess][-1]), 0.0)
        shrunk, theta = NuclearNormBall(radius).shrink_values(values)
        assert theta == pytest.approx(expected, abs=1e-12)
        np.testing.assert_allclose(shrunk, np.maximum(values - expected, 0), atol=1e-12)
