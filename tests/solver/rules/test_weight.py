"""Rules for η: the theorems' bounds against the worst that their recursions allow."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from bgsub.errors import IncompatibleProblem, OptionError
from bgsub.solver.rules.rule import BoundedRule, Setting, WeightRule
from bgsub.solver.rules.weight import DiameterRule, OpenLoop, StrongPenaltyRule, StrongSetFixed, StrongSetRule

SEEDS = range(12)


def random_setting(seed):
    rng = np.random.default_rng(seed)
    alpha = 10 ** rng.uniform(-2, 2)
    diameter = 10 ** rng.uniform(-1, 2)
    return Setting(
        alpha=alpha,
        beta=alpha * 10 ** rng.uniform(0, 1.5),
        diameter=diameter,
        set_convexity=rng.uniform(0.05, 1) * 4 / diameter,  # a γ-strongly convex set has D ≤ 4/γ
        convexity=alpha * 10 ** rng.uniform(-1, 1),
        gap=alpha * diameter**2 * 10 ** rng.uniform(-2, 4),
    )


def excess_after(setting, eta, excess, distance, gain):
    """Return the largest h_{t+1} that Proposition 1 allows, of a vertex within *distance* of an optimal block.

    *gain* is what the vertex is worth per square of its distance: 0 for a set, δ/2 for a penalty, γ‖∇‖/8 for a
    strongly convex set. The distance of X + Y from its optimum is not bounded by anything: 1e6.
    """
    loose = max(eta * setting.beta - setting.alpha / 2, 0.0)
    if loose < 1e-12 * setting.alpha:
        loose = 0.0
    free = max(eta * setting.beta - gain, 0.0) * distance**2
    return (1 - eta) * excess + eta * (1e12 * loose + free)


def test_the_diameter_rule_keeps_its_bound_in_the_worst_case_and_the_bound_is_tight():
    for seed in SEEDS:
        setting, rule = random_setting(seed), DiameterRule()
        weight, excess, last = rule.prepare(setting), setting.gap, int(rule.first_phase(setting)) + 3000
        for t in range(1, last):
            assert excess <= rule.bound(setting, t) * (1 + 1e-9)
            excess = excess_after(setting, weight(t), excess, setting.diameter, 0.0)
        assert excess >= 0.9 * rule.bound(setting, last)


def test_the_diameter_rule_is_the_one_that_the_theorem_prints():
    for seed in SEEDS:
        s, rule = random_setting(seed), DiameterRule()
        start = max(0, math.ceil(2 * s.beta / s.alpha * math.log(2 * s.gap / (s.alpha * s.diameter**2))))
        weight = rule.prepare(s)
        assert rule.first_phase(s) == start
        for t in (1, start, start + 1, start + 2, start + 50):
            expected = s.alpha / (2 * s.beta) if t <= start else 2 / (t - start + 4 * s.beta / s.alpha)
            assert t == 0 or weight(t) == pytest.approx(expected)
            if t > start:
                bound = 4 * s.beta * s.diameter**2 / (t - start - 1 + 4 * s.beta / s.alpha)
                assert rule.bound(s, t) == pytest.approx(bound)


def strong_set_ratio(setting, weight, iterations):
    """Return the largest quotient of the worst-case h_t and the bound of Theorem 2."""
    rule, excess, largest = StrongSetRule(), setting.gap, 0.0
    for t in range(1, iterations):
        largest = max(largest, excess / rule.bound(setting, t))
        gain = setting.set_convexity / 8 * math.sqrt(setting.alpha / 2 * excess)
        excess = excess_after(setting, weight(t), excess, 4 / setting.set_convexity, gain)
    return largest


def test_the_strong_set_rule_keeps_its_bound_in_the_worst_case():
    for seed in SEEDS:
        setting = random_setting(seed)
        assert strong_set_ratio(setting, StrongSetRule().prepare(setting), 3000) <= 1 + 1e-12


def test_the_step_that_theorem_two_prints_breaks_its_bound():
    """With 1 in place of 3 the excess falls like 1/t while the gradient is large, and the bound like 1/t²."""
    for seed in SEEDS:
        setting = random_setting(seed)
        # Of a large C the second term of the maximum is the larger one: both start at the same height.
        heavy = replace(
            setting, gap=1e8 * (setting.gap + setting.beta**2 / setting.set_convexity**2 / setting.alpha)
        )

        def printed(t, shift=6 * heavy.beta / heavy.alpha):
            return 1 / (t - 1 + shift)

        assert strong_set_ratio(heavy, printed, 3000) > 5
        assert strong_set_ratio(heavy, StrongSetRule().prepare(heavy), 3000) <= 1 + 1e-12


def test_the_bound_of_theorem_two_is_the_printed_one():
    for seed in SEEDS:
        s = random_setting(seed)
        for t in (1, 2, 30):
            assert StrongSetRule().prepare(s)(t) == pytest.approx(3 / (t - 1 + 6 * s.beta / s.alpha))
            top = max(128 * s.beta**2 / (s.alpha * s.set_convexity**2), 4 * s.beta**2 / s.alpha**2 * s.gap)
            assert StrongSetRule().bound(s, t) == pytest.approx(9 * top / (t - 1 + 6 * s.beta / s.alpha) ** 2)


def test_the_fixed_steps_keep_their_bounds_and_no_longer_step_would():
    for seed in SEEDS:
        setting = random_setting(seed)
        gradient = 10 ** np.random.default_rng(seed).uniform(-2, 2) * setting.beta / setting.set_convexity
        for rule, gain in (
            (StrongPenaltyRule(), setting.convexity / 2),
            (StrongSetFixed(gradient), setting.set_convexity * gradient / 8),
        ):
            eta = rule.prepare(setting)(1)
            assert rule.prepare(setting)(1000) == eta
            excess = setting.gap
            for t in range(1, 300):
                assert excess <= rule.bound(setting, t) * (1 + 1e-9)
                excess = excess_after(setting, eta, excess, 1e5, gain * (1 + 1e-12))
            longer = excess_after(setting, 1.01 * eta, excess := 1e-6 * setting.alpha, 1e5, gain)
            assert longer > excess


def test_the_bound_of_the_fixed_steps_is_the_exponential_one():
    setting = Setting(1.0, 4.0, 3.0, 0.5, 0.2, 7.0)
    assert StrongPenaltyRule().prepare(setting)(5) == pytest.approx(0.2 / 8)
    assert StrongPenaltyRule().bound(setting, 11) == pytest.approx(7 * math.exp(-0.25))
    assert StrongSetFixed(2.0).prepare(setting)(5) == pytest.approx(0.5 * 2 / 32)
    assert StrongSetFixed(1e9).bound(setting, 11) == pytest.approx(7 * math.exp(-10 / 8))


BALL = Setting(1.0, 1.0, 2.0, 0.0, 0.0, 1.0)
STRONG_BALL = Setting(1.0, 1.0, 2.0, 0.5, 0.0, 1.0)
NET = Setting(1.0, 1.0, math.inf, 0.0, 0.3, 1.0)
FREE = Setting(1.0, 1.0, math.inf, 0.0, 0.0, 1.0)


def test_a_rule_whose_constant_is_missing_names_it_and_the_rules_that_fit():
    no_set = replace(STRONG_BALL, other_is_set=False)
    for rule, setting, says in (
        (
            DiameterRule(),
            NET,
            r"^DiameterRule needs a bounded set .* use StrongPenaltyRule\(\) or OpenLoop\(\)$",
        ),
        (DiameterRule(), FREE, r"^DiameterRule needs a bounded set .* use OpenLoop\(\)$"),
        (DiameterRule(), replace(BALL, gap=math.inf), "DiameterRule needs a finite bound"),
        (StrongSetRule(), BALL, r"needs a strongly convex set .* use DiameterRule\(\) or OpenLoop"),
        (StrongSetRule(), no_set, "needs a set, not a penalty, .* DiameterRule"),
        (StrongSetFixed(1.0), BALL, "StrongSetFixed needs a strongly convex set"),
        (
            StrongPenaltyRule(),
            STRONG_BALL,
            r"needs a strongly convex penalty .* use StrongSetRule\(\) or Diam",
        ),
    ):
        with pytest.raises(IncompatibleProblem, match=says):
            rule.prepare(setting)
        with pytest.raises(IncompatibleProblem, match=says):
            rule.bound(setting, 3)


def test_a_start_at_the_optimum_and_a_set_of_one_point_have_weights_too():
    assert DiameterRule().prepare(replace(BALL, gap=0.0))(1) == pytest.approx(0.4)
    point = replace(BALL, diameter=0.0)
    assert [DiameterRule().prepare(point)(t) for t in (1, 10**6)] == [0.5, 0.5]
    assert DiameterRule().bound(point, 3) == pytest.approx(0.25)
    assert Setting(1.0, 1.0, 1.0, 0.0, 0.0, -1e-9).gap == 0


def test_extreme_constants_do_not_overflow():
    setting = Setting(1e-100, 1e100, 1e200, 1e-200, 1.0, 1e300)
    for rule in (DiameterRule(), StrongSetRule(), StrongSetFixed(1.0), StrongPenaltyRule()):
        assert 0 <= rule.prepare(setting)(1) <= 1
        assert rule.bound(setting, 2) >= 0


def test_impossible_constants_are_refused():
    for constants in (
        (0.0, 1.0, 1.0),
        (2.0, 1.0, 1.0),
        (math.nan, 1.0, 1.0),
        (1.0, math.inf, 1.0),
        (1.0, 1.0, -1.0),
    ):
        with pytest.raises(OptionError, match=r"alpha|beta|diameter of a Setting"):
            Setting(*constants, 0.0, 0.0, 1.0)
    with pytest.raises(OptionError, match="gap"):
        Setting(1.0, 1.0, 1.0, 0.0, 0.0, math.nan)


def test_open_loop_starts_at_one_and_falls_like_two_over_t():
    weight = OpenLoop().prepare(FREE)
    assert [weight(1), weight(2), weight(9)] == [1, pytest.approx(2 / 3), pytest.approx(0.2)]
    assert OpenLoop(4).prepare(FREE)(1) == pytest.approx(0.4)


def test_an_option_out_of_range_is_named():
    for shift in (0.5, math.nan, math.inf, True):
        with pytest.raises(OptionError, match=r"shift of OpenLoop must be .*at least 1"):
            OpenLoop(shift)
    with pytest.raises(OptionError, match="gradient_bound of StrongSetFixed"):
        StrongSetFixed(0)


def test_weight_rules_satisfy_their_protocol():
    for rule in (OpenLoop(), DiameterRule(), StrongSetRule(), StrongSetFixed(1), StrongPenaltyRule()):
        assert isinstance(rule, WeightRule)
        assert isinstance(rule, BoundedRule) == (not isinstance(rule, OpenLoop))
