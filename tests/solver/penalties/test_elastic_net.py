from __future__ import annotations

import math

import numpy as np
import pytest

from bgsub.solver.penalties.elastic_net import ElasticNet

NETS = pytest.mark.parametrize(
    "net", [ElasticNet(0.7, 0.2), ElasticNet(0, 1.5), ElasticNet(2.0, 0.01)], ids=str
)


def by_a_general_solver(net, shape, smooth):
    import cvxpy as cp

    y = cp.Variable(shape)
    penalty = net.lambda1 * cp.sum(cp.abs(y)) + net.lambda2 * cp.sum_squares(y)
    problem = cp.Problem(cp.Minimize(smooth(y) + penalty))
    problem.solve(solver=cp.CLARABEL)
    assert problem.status == cp.OPTIMAL
    return y.value, problem.value


@NETS
def test_linear_step_and_conjugate_equal_those_of_a_general_solver(rng, net):
    import cvxpy as cp

    gradient = 3 * rng.standard_normal((4, 5))
    expected, least = by_a_general_solver(net, (4, 5), lambda y: cp.sum(cp.multiply(gradient, y)))
    np.testing.assert_allclose(net.lmo(gradient), expected, atol=2e-4 / net.lambda2)
    assert net.conjugate(gradient, 1e9) == pytest.approx(-least, rel=1e-6)


@NETS
def test_proximal_step_equals_the_one_of_a_general_solver(rng, net):
    import cvxpy as cp

    point = 3 * rng.standard_normal((4, 5))
    for weight in (0.1, 1.0, 30.0):
        expected, _ = by_a_general_solver(net, (4, 5), lambda y, w=weight: w / 2 * cp.sum_squares(y - point))
        np.testing.assert_allclose(net.prox(point, weight), expected, atol=2e-4)


@NETS
def test_steps_of_one_number_equal_those_on_a_grid(net):
    grid = np.linspace(-400, 400, 1_600_001)
    penalty = net.lambda1 * np.abs(grid) + net.lambda2 * grid**2
    for a in (-3.0, -0.2, 0.0, 0.4, 5.0):
        best = grid[np.argmin(penalty + 0.8 / 2 * (grid - a) ** 2)]
        assert net.prox(np.array([[a]]), 0.8)[0, 0] == pytest.approx(best, abs=5e-4)
        best = grid[np.argmin(penalty + a * grid)]
        assert net.lmo(np.array([[a]]))[0, 0] == pytest.approx(best, abs=5e-4)


def test_value_has_no_half_before_the_square():
    assert ElasticNet(3, 5).value(np.array([[1.0, -2.0]])) == 3 * 3 + 5 * 5
    assert ElasticNet(3, 5).cost(np.array([[1.0, -2.0]])) == 34


def test_strong_convexity_is_exactly_twice_lambda2(rng):
    """Where no sign changes the chord lies above the function by exactly mix·(1 − mix)·δ/2·‖a − b‖²."""
    net = ElasticNet(0.7, 0.3)
    assert net.convexity == pytest.approx(0.6)
    assert net.diameter == math.inf
    for _ in range(20):
        a, b, mix = rng.random((3, 4)), rng.random((3, 4)), rng.uniform(0.1, 0.9)
        rise = mix * net.value(a) + (1 - mix) * net.value(b) - net.value(mix * a + (1 - mix) * b)
        assert rise == pytest.approx(mix * (1 - mix) * net.convexity / 2 * np.linalg.norm(a - b) ** 2)


def test_large_arrays_are_summed_in_double_precision():
    point = np.full((400, 1000), 0.1, np.float32)
    expected = 4e5 * (float(np.float32(0.1)) + 2 * float(np.float32(0.1)) ** 2)
    assert ElasticNet(1, 2).value(point) == pytest.approx(expected, rel=1e-12)
    assert ElasticNet(0, 0.25).conjugate(point, 0.0) == pytest.approx(
        4e5 * float(np.float32(0.1)) ** 2, rel=1e-12
    )
