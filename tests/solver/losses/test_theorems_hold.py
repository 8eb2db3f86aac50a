"""The bounds of the theorems along runs of Algorithm 1, with losses of α ≠ β; f* by an interior-point method."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from loss_cases import LogCoshLoss, Split

from bgsub.solver.losses.weighted import WeightedLoss
from bgsub.solver.rules.combination import Backtracking, ExactLineSearch, FollowWeight
from bgsub.solver.rules.rule import Setting
from bgsub.solver.rules.weight import DiameterRule, StrongPenaltyRule, StrongSetFixed, StrongSetRule

SHAPE, SIDE, RADIUS, FIRST, SECOND = (5, 6), 0.4, 3.0, 0.3, 0.25
RULES = [FollowWeight(), ExactLineSearch(), Backtracking(), Backtracking(full=True)]


def entry_vertex(gradient):
    out = np.zeros(SHAPE)
    index = np.unravel_index(np.abs(gradient).argmax(), SHAPE)
    out[index] = -RADIUS * np.sign(gradient[index])
    return out


def sphere_point(gradient):
    return -RADIUS * gradient / np.linalg.norm(gradient)


def net_point(gradient):
    return -np.sign(gradient) * np.maximum(np.abs(gradient) - FIRST, 0) / (2 * SECOND)


def net(y):
    return float(FIRST * np.abs(y).sum() + SECOND * (y**2).sum())


BLOCKS = {
    "entries": (entry_vertex, lambda y: 0.0, (2 * RADIUS, 0.0, 0.0)),
    "sphere": (sphere_point, lambda y: 0.0, (2 * RADIUS, 1 / RADIUS, 0.0)),
    "net": (net_point, net, (math.inf, 0.0, 2 * SECOND)),
}


def build(loss, block, seed=5):
    lmo, penalty, constants = BLOCKS[block]
    split = Split(loss, 2 * np.random.default_rng(seed).standard_normal(SHAPE), SIDE, lmo, penalty)
    return split, Setting(loss.alpha, loss.beta, *constants, split.gap(*np.zeros((2, *SHAPE))))


def solve(split, block, objective):
    """Return the least *objective* of the residual X + Y − M, and the penalty of Y."""
    import cvxpy as cp

    x, y = cp.Variable(SHAPE), cp.Variable(SHAPE)
    limits = {
        "entries": [cp.sum(cp.abs(y)) <= RADIUS],
        "sphere": [cp.norm(y, "fro") <= RADIUS],
        "net": [],
    }[block]
    cost = FIRST * cp.sum(cp.abs(y)) + SECOND * cp.sum_squares(y) if block == "net" else 0
    problem = cp.Problem(cp.Minimize(objective(x + y - split.matrix) + cost), [cp.abs(x) <= SIDE, *limits])
    problem.solve(solver=cp.CLARABEL)
    assert problem.status == cp.OPTIMAL
    return float(problem.value)


def weighted():
    return WeightedLoss(np.random.default_rng(1).uniform(1, 3, SHAPE))


def half_weighted_square(loss):
    import cvxpy as cp

    return lambda r: cp.sum(cp.multiply(loss.weights, cp.square(r))) / 2


def log_cosh(loss):
    import cvxpy as cp

    return lambda r: cp.sum(cp.logistic(2 * r) - r - np.log(2)) + loss.alpha / 2 * cp.sum_squares(r)


def assert_bounded(split, setting, rule, optimum):
    assert setting.gap >= split.value(*np.zeros((2, *SHAPE))) - optimum - 1e-6
    for combination in RULES:
        values = split.run(rule.prepare(setting), combination, 60)
        for t, value in enumerate(values, start=1):
            assert optimum - 1e-5 <= value <= optimum + rule.bound(setting, t) + 1e-5
        if not isinstance(combination, FollowWeight):
            assert all(b <= a + 1e-12 for a, b in itertools.pairwise(values))


@pytest.mark.parametrize(
    ("block", "rule"),
    [
        ("entries", DiameterRule()),
        ("sphere", DiameterRule()),
        ("sphere", StrongSetRule()),
        ("net", StrongPenaltyRule()),
    ],
)
def test_the_excess_of_a_weighted_loss_stays_below_the_bound(block, rule):
    loss = weighted()
    split, setting = build(loss, block)
    assert_bounded(split, setting, rule, solve(split, block, half_weighted_square(loss)))


def test_the_fixed_step_for_data_outside_of_the_sets_keeps_its_bound():
    import cvxpy as cp

    loss = weighted()
    split, setting = build(loss, "sphere")
    least = solve(split, "sphere", lambda r: cp.norm(cp.multiply(loss.weights, r), "fro"))
    optimum = solve(split, "sphere", half_weighted_square(loss))
    assert_bounded(split, setting, StrongSetFixed(0.999 * least), optimum)


@pytest.mark.parametrize(("block", "rule"), [("entries", DiameterRule()), ("net", StrongPenaltyRule())])
def test_the_excess_of_a_loss_that_is_not_quadratic_stays_below_the_bound(block, rule):
    loss = LogCoshLoss()
    split, setting = build(loss, block)
    assert_bounded(split, setting, rule, solve(split, block, log_cosh(loss)))
