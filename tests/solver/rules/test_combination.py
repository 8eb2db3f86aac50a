"""Rules for γ: line searches against grids, and what they do with what is wrong."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from bgsub.errors import OptionError
from bgsub.solver.rules.combination import Backtracking, ExactLineSearch, FollowWeight
from bgsub.solver.rules.rule import CombinationRule, Trial

SEEDS = range(12)


def test_combination_rules_satisfy_their_protocol():
    for rule in (FollowWeight(), ExactLineSearch(), Backtracking()):
        assert isinstance(rule, CombinationRule)


def segment(rng, scale, penalty=0.0, sharpness=0.0):
    """Return a Trial along random ends: a weighted or (sharpness > 0) a log-cosh loss, plus ``penalty·‖·‖₁``."""
    start, target = rng.standard_normal((2, 30))
    weights = rng.uniform(0.5, 3, 30)
    end = start + scale * (target - start + 0.5 * rng.standard_normal(30))

    def value(z):
        r = z - target
        smooth = np.log(np.cosh(sharpness * r)) / sharpness if sharpness else weights * r**2 / 2
        return float(smooth.sum() + penalty * np.abs(z).sum())

    r, d = start - target, end - start
    gradient = np.tanh(sharpness * r) if sharpness else weights * r
    beta = sharpness or 3.0
    curvature = beta * (d @ d) if sharpness else d @ (weights * d)
    slope = d @ gradient + penalty * (np.abs(end).sum() - np.abs(start).sum())
    return Trial(
        float(slope), float(curvature), 0.3, value(start), beta, lambda g: value((1 - g) * start + g * end)
    )


def counted(trial):
    calls = []

    def along(gamma):
        calls.append(gamma)
        return trial.along(gamma)

    return replace(trial, along=along), calls


def test_exact_line_search_is_no_worse_than_any_point_of_a_grid(rng):
    for scale in (-3.0, 0.1, 1.0, 5.0):
        trial = segment(rng, scale)
        gamma = ExactLineSearch().step(trial)
        assert 0 <= gamma <= 1
        assert trial.along(gamma) <= min(trial.along(g) for g in np.linspace(0, 1, 1001)) + 1e-12


@pytest.mark.parametrize(
    "options", [{"penalty": 0.8}, {"sharpness": 4.0}, {"penalty": 0.3, "sharpness": 4.0}]
)
def test_exact_line_search_minimises_a_model_that_is_never_below_the_objective(options):
    for seed in SEEDS:
        trial = segment(np.random.default_rng(seed), 1.5, **options)
        gamma = ExactLineSearch().step(trial)

        def model(g, trial=trial):
            return trial.value + g * trial.slope + g * g * trial.curvature / 2

        assert trial.along(gamma) <= model(gamma) + 1e-10
        assert model(gamma) <= min(model(g) for g in np.linspace(0, 1, 1001)) + 1e-12
        assert trial.along(gamma) <= trial.value


@pytest.mark.parametrize("rule", [ExactLineSearch(), Backtracking(), Backtracking(full=True)])
def test_no_descent_gives_no_step_and_no_curvature_gives_the_whole(rule):
    down = Trial(-1.0, 0.0, 0.5, 10.0, 1.0, lambda g: 10 - g)
    assert rule.step(down) == 1
    assert rule.step(replace(down, slope=0.0)) == 0
    assert rule.step(replace(down, slope=2.0, curvature=1.0)) == 0
    assert rule.step(replace(down, slope=math.nan)) == 0
    assert rule.step(replace(down, curvature=math.nan)) == 0


def test_follow_weight_is_the_weight():
    assert FollowWeight().step(Trial(1.0, 1.0, 0.3, 0.0, 1.0, lambda g: g)) == 0.3


@pytest.mark.parametrize(
    "options", [{}, {"penalty": 0.8}, {"sharpness": 4.0}, {"penalty": 0.3, "sharpness": 20.0}]
)
def test_backtracking_takes_the_step_of_the_model_at_one_evaluation(options):
    for seed in SEEDS:
        trial, calls = counted(segment(np.random.default_rng(seed), 1.5, **options))
        gamma = Backtracking().step(trial)
        assert gamma == ExactLineSearch().step(trial)
        assert calls == ([gamma] if gamma > 0 else [])


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("wrong", [1e-3, 0.1])
def test_backtracking_lowers_the_objective_though_the_curvature_is_told_too_small(full, wrong):
    for seed in SEEDS:
        true = segment(np.random.default_rng(seed), 4.0, penalty=0.2)
        trial, calls = counted(replace(true, curvature=wrong * true.curvature))
        gamma = Backtracking(full=full).step(trial)
        if true.slope < 0:
            assert true.along(gamma) <= true.value + 1e-4 * gamma * true.slope
            assert calls[-1] == gamma > 0
            model = ExactLineSearch().step(trial)
            assert all(true.along(g) > true.value + 1e-4 * g * true.slope for g in calls[:-1] if g <= model)
        else:
            assert gamma == 0


def test_a_full_start_is_never_worse_than_the_promise_of_the_model_and_often_much_better():
    for seed in SEEDS:
        trial = segment(np.random.default_rng(seed), 1.0, sharpness=20.0)
        model = ExactLineSearch().step(trial)
        promise = trial.value + model * trial.slope + model**2 * trial.curvature / 2
        gamma = Backtracking(full=True).step(trial)
        assert gamma >= model > 0
        assert trial.along(gamma) <= promise
        assert trial.along(gamma) < trial.along(model)


def test_backtracking_ends_with_the_model_step_however_few_the_evaluations():
    """f = max(−γ, 1e6·γ − 1): falls to γ ≈ 1e-6 only; the model's step 1e-7 is the last of the five trials."""
    trial, calls = counted(Trial(-1.0, 1e7, 0.5, 0.0, 1.0, lambda g: max(-g, 1e6 * g - 1)))
    assert Backtracking(evaluations=5, full=True).step(trial) == pytest.approx(1e-7)
    assert calls == [1, 0.5, 0.25, 0.125, pytest.approx(1e-7)]


def test_backtracking_goes_nowhere_rather_than_up():
    for bad in (math.nan, math.inf, 1.0 + 1e-12):
        trial, calls = counted(Trial(-1.0, 2.0, 0.5, 1.0, 1.0, lambda g, bad=bad: bad))
        assert Backtracking(evaluations=7).step(trial) == 0
        assert calls == [pytest.approx(0.5**k) for k in range(1, 8)]


def test_backtracking_takes_a_fall_too_small_for_its_inequality_over_none():
    trial = Trial(-1.0, 1.0, 0.5, 1.0, 1.0, lambda g: 1 - 1e-9 if g > 0.2 else 1.0)
    assert Backtracking(armijo=0.1).step(trial) == 1


def test_an_option_out_of_range_is_named():
    for options, says in (
        ({"shrink": 1.0}, "shrink of Backtracking must be below 1"),
        ({"shrink": 0}, "shrink of Backtracking"),
        ({"armijo": 0.5}, r"armijo of Backtracking must be below 0\.5"),
        ({"armijo": -1e-4}, "armijo of Backtracking"),
        ({"evaluations": 0}, "evaluations of Backtracking"),
    ):
        with pytest.raises(OptionError, match=says):
            Backtracking(**options)
