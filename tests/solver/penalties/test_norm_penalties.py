"""The penalties that are a weight times a norm: ℓ1, nuclear, sums over rows and columns."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bgsub.solver.penalties.group import GroupPenalty
from bgsub.solver.penalties.l1 import L1Penalty
from bgsub.solver.penalties.nuclear_norm import NuclearNormPenalty

TERMS = {
    "l1": L1Penalty(0.7),
    "nuclear": NuclearNormPenalty(0.7),
    "rows": GroupPenalty(0.7, "rows"),
    "columns": GroupPenalty(0.7, "columns"),
}
NAMES = pytest.mark.parametrize("name", TERMS)


def expression(name, y):
    import cvxpy as cp

    if name == "l1":
        return cp.sum(cp.abs(y))
    if name == "nuclear":
        return cp.normNuc(y)
    return cp.mixed_norm(y if name == "rows" else y.T, 2, 1)


def solved(problem):
    import cvxpy as cp

    problem.solve(solver=cp.CLARABEL)
    assert problem.status == cp.OPTIMAL
    return problem.value


@NAMES
def test_proximal_step_equals_the_one_of_a_general_solver(rng, name):
    import cvxpy as cp

    for weight in (0.3, 1.0, 20.0):
        point = 2 * rng.standard_normal((5, 4))
        y = cp.Variable(point.shape)
        solved(cp.Problem(cp.Minimize(0.7 * expression(name, y) + weight / 2 * cp.sum_squares(y - point))))
        np.testing.assert_allclose(TERMS[name].prox(point, weight), y.value, atol=2e-4)


@NAMES
def test_conjugate_equals_the_supremum_within_the_level(rng, name):
    import cvxpy as cp

    for scale, level in ((0.1, 2.5), (0.3, 2.5), (3.0, 2.5), (3.0, 0.0)):
        gradient = scale * rng.standard_normal((5, 4))
        y = cp.Variable(gradient.shape)
        penalty = 0.7 * expression(name, y)
        gain = -cp.sum(cp.multiply(gradient, y)) - penalty
        highest = solved(cp.Problem(cp.Maximize(gain), [penalty <= level]))
        assert TERMS[name].conjugate(gradient, level) == pytest.approx(highest, abs=1e-5)


@NAMES
def test_conjugate_is_zero_up_to_the_weight_for_any_level(name):
    gradient = np.zeros((3, 4))
    gradient[0, 1] = 0.69
    assert TERMS[name].conjugate(gradient, math.inf) == 0
    gradient[0, 1] = 0.71
    assert TERMS[name].conjugate(gradient, 7.0) == pytest.approx(0.1)


def test_values_of_a_hand_made_matrix():
    point = np.array([[3.0, -4.0], [0.0, 0.0]])
    assert L1Penalty(2).value(point) == pytest.approx(14)
    assert NuclearNormPenalty(2).value(point) == pytest.approx(10)
    assert GroupPenalty(2, "rows").value(point) == pytest.approx(10)
    assert GroupPenalty(2, "columns").value(point) == pytest.approx(14)


def test_groups_are_the_rows_or_columns_of_the_matrix_as_given():
    point = np.array([[3.0, -4.0], [0.3, 0.0]])
    np.testing.assert_allclose(GroupPenalty(1, "rows").prox(point, 2.0), [[2.7, -3.6], [0, 0]], atol=1e-14)
    length = math.sqrt(9.09)
    np.testing.assert_allclose(
        GroupPenalty(1, "columns").prox(point, 2.0),
        np.column_stack([point[:, 0] * (1 - 0.5 / length), [-3.5, 0]]),
        atol=1e-14,
    )


@NAMES
def test_a_heavy_penalty_makes_everything_zero(rng, name):
    found = TERMS[name].prox(rng.standard_normal((4, 6)), 1e-3)
    np.testing.assert_array_equal(found, np.zeros((4, 6)))
    assert TERMS[name].diameter == math.inf
    assert TERMS[name].convexity == 0
    assert not hasattr(TERMS[name], "lmo")
