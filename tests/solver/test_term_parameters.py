"""Every parameter of a term is checked, and named where it is wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bgsub.errors import OptionError
from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.penalties.group import GroupPenalty
from bgsub.solver.penalties.l1 import L1Penalty
from bgsub.solver.penalties.nuclear_norm import NuclearNormPenalty
from bgsub.solver.sets.box import Box
from bgsub.solver.sets.group_ball import GroupBall
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.lp_ball import LpBall
from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall
from bgsub.solver.sets.trace_ball import TraceBall

NORM_BALLS = {
    "L1Ball": L1Ball,
    "NuclearNormBall": NuclearNormBall,
    "TraceBall": TraceBall,
    "LpBall": lambda radius: LpBall(radius, 1.2),
    "GroupBall": lambda radius: GroupBall(radius, "rows"),
}
PENALTIES = {
    "NuclearNormPenalty": NuclearNormPenalty,
    "L1Penalty": L1Penalty,
    "GroupPenalty": lambda weight: GroupPenalty(weight, "rows"),
    "ElasticNet": lambda weight: ElasticNet(1.0, weight),
}


NOT_POSITIVE = 0, -1.0, math.nan, math.inf, True, "4", None, 1j


def refused(make, values, says):
    for value in values:
        with pytest.raises(OptionError, match=says):
            make(value)


def test_a_radius_that_is_no_positive_number_is_an_option_error():
    for name, make in NORM_BALLS.items():
        refused(make, NOT_POSITIVE, rf"radius of {name} must be a finite number above 0")


def test_a_weight_that_is_no_positive_number_is_an_option_error():
    for name, make in PENALTIES.items():
        refused(make, NOT_POSITIVE, rf"of {name} must be a finite number above 0")
        prox = make(1.0).prox
        says = rf"weight of the proximal step of {name} must be"
        refused(lambda number, prox=prox: prox(np.ones((2, 2)), number), NOT_POSITIVE, says)


def test_lambda1_may_be_zero_and_nothing_below():
    assert ElasticNet(0, 1).lambda1 == 0
    says = "lambda1 of ElasticNet must be a finite number of at least 0"
    refused(lambda number: ElasticNet(number, 1), NOT_POSITIVE[1:], says)


def test_an_exponent_outside_of_one_to_two_is_an_option_error():
    wrong = 1, 0.5, 2.0001, -1.5, math.nan, math.inf, True, "2", None
    refused(lambda p: LpBall(1.0, p), wrong, "p of LpBall must be")


def test_unknown_groups_are_an_option_error():
    for make in (GroupBall, GroupPenalty):
        says = f"groups of {make.__name__} must be 'rows' or 'columns', but is "
        refused(lambda groups, make=make: make(1.0, groups), ("row", "Columns", "", 0, None, ["rows"]), says)


def test_a_bound_that_is_no_finite_number_is_an_option_error():
    wrong = math.nan, math.inf, True, "4", None, 1j, np.array([0, np.nan])
    refused(lambda bound: Box(bound, 5), wrong, "low of Box must be finite numbers")
    refused(lambda bound: Box(-5, bound), wrong, "high of Box must be finite numbers")


def test_bounds_in_the_wrong_order_or_of_unfit_shapes_are_option_errors():
    with pytest.raises(OptionError, match="low of Box must not be above high"):
        Box([0, 2], [1, 1])
    with pytest.raises(OptionError, match=r"low \(2,\) and high \(3,\) of Box must broadcast"):
        Box([0, 0], [1, 1, 1])
    with pytest.raises(OptionError, match=r"to shape \(4, 3\)"):
        Box([0, 0], 1, (4, 3))


def test_numbers_of_any_kind_become_plain_floats():
    for number in (2, np.float32(2), np.int64(2)):
        assert type(L1Ball(number).radius) is float
    assert L1Ball(2) == L1Ball(2.0)
    assert hash(ElasticNet(1, 2)) == hash(ElasticNet(1.0, 2.0))
