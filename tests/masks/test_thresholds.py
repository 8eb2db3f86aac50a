"""Thresholds that follow the noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bgsub.masks.dynamic_background import SceneActivity
from bgsub.masks.thresholds import (
    DYNAMIC_HIGH,
    DYNAMIC_LOW,
    LEAST_LOW,
    NOISE,
    STATIC_HIGH,
    STATIC_LOW,
    UNSMOOTHED,
    Thresholds,
)

SHAPE = 40, 60


def exceeding(level: float) -> list[int]:
    return [difference for difference in range(256) if difference > level]


def half_dynamic(allowed_deviation: NDArray[np.float32] | float = 20.0) -> SceneActivity:
    """Leaves on the right, a wall on the left; the flicker of the smoothed picture bounds nothing."""
    flicker = np.zeros(SHAPE, np.float32)
    flicker[:, 30:] = 40
    deviation = np.broadcast_to(np.float32(allowed_deviation), SHAPE).astype(np.float32)
    return SceneActivity(flicker, np.full(SHAPE, 200, np.float32), deviation, np.zeros(SHAPE, np.float32))


def test_quiet_places_have_two_levels_and_judge_no_smoothed_pictures() -> None:
    levels = Thresholds.of(SceneActivity.none(SHAPE))
    assert (levels.low == STATIC_LOW).all()
    assert (levels.high == STATIC_HIGH).all()
    assert (levels.small >= levels.low).all()
    assert (levels.small < 255).all()
    assert not levels.unsmoothed.any()
    assert not levels.dynamic.any()
    assert levels.reason == (
        f"threshold {STATIC_LOW:g} grey levels ({STATIC_HIGH:g} in part of every object) everywhere: no background is "
        "dynamic"
    )


def test_dynamic_background_follows_its_allowed_deviation() -> None:
    allowed_deviation = np.random.default_rng(2).uniform(0, 60, SHAPE).astype(np.float32)
    levels = Thresholds.of(half_dynamic(allowed_deviation))
    assert levels.dynamic[:, 36:].all()
    assert not levels.dynamic[:, :26].any()
    for y, x in np.argwhere(levels.dynamic):
        assert levels.low[y, x] == int(max(DYNAMIC_LOW * allowed_deviation[y, x], LEAST_LOW))
        assert levels.high[y, x] == int(max(DYNAMIC_HIGH * allowed_deviation[y, x], STATIC_LOW))
    quiet = ~levels.dynamic
    assert (levels.low[quiet] == STATIC_LOW).all()
    assert (levels.high[quiet] == STATIC_HIGH).all()
    assert np.array_equal(levels.unsmoothed, np.where(levels.dynamic, UNSMOOTHED, 0))
    # Small objects are not looked for in leaves.
    assert (levels.small[levels.dynamic] == 255).all()
    assert (levels.small[quiet] < 255).all()


def test_the_reason_tells_the_levels_of_the_dynamic_part() -> None:
    allowed_deviation = np.where(np.arange(60) < 50, 20, 35).astype(np.float32)
    levels = Thresholds.of(half_dynamic(allowed_deviation))
    share = levels.dynamic.mean()
    says = f"in the {share:.1%} of the picture that is dynamic background a median of 40 and at most 70"
    assert says in levels.reason


def test_the_reason_tells_where_nothing_can_be_foreground() -> None:
    allowed_deviation = np.where(np.arange(60) < 50, 20, 200).astype(np.float32)
    levels = Thresholds.of(half_dynamic(allowed_deviation))
    blind = float((levels.low == 255).mean())
    assert 0 < blind < levels.dynamic.mean()
    assert f"nothing is foreground in the {blind:.1%} that change too much" in levels.reason
    assert "nothing is foreground" not in Thresholds.of(half_dynamic(20.0)).reason


def test_sensitivity_divides_every_level() -> None:
    for sensitivity in (0.25, 0.7, 1.0, 1.3, 2.0, 7.7):
        levels = Thresholds.of(half_dynamic(21.7), sensitivity)
        moving = levels.dynamic
        expected = (
            (levels.low, {True: DYNAMIC_LOW * 21.7, False: STATIC_LOW}),
            (levels.high, {True: DYNAMIC_HIGH * 21.7, False: STATIC_HIGH}),
            (levels.unsmoothed, {True: UNSMOOTHED, False: 0}),
        )
        for found, real in expected:
            assert found.dtype == np.uint8
            for where, level in real.items():
                values = np.unique(found[moving == where])
                assert len(values) == 1
                # The same whole differences exceed the whole level and the real one.
                assert exceeding(values[0]) == exceeding(float(np.float32(level) / np.float32(sensitivity)))


def test_sensitivity_changes_no_place_from_static_to_dynamic() -> None:
    places = [Thresholds.of(half_dynamic(), sensitivity).dynamic for sensitivity in (0.2, 1, 5)]
    assert all(np.array_equal(places[0], each) for each in places)


def test_levels_end_at_white_which_nothing_exceeds() -> None:
    levels = Thresholds.of(half_dynamic(200.0), 0.05)
    assert (levels.low == 255).all()
    assert (levels.high == 255).all()


def test_certain_is_never_below_low() -> None:
    for sensitivity in (0.2, 1, 3):
        allowed_deviation = np.random.default_rng(3).uniform(0, 90, SHAPE).astype(np.float32)
        levels = Thresholds.of(half_dynamic(allowed_deviation), sensitivity)
        assert (levels.high >= levels.low).all()


def test_only_pixels_inside_are_dynamic_or_counted() -> None:
    inside = np.zeros(SHAPE, bool)
    inside[10:30, 20:50] = True
    levels = Thresholds.of(half_dynamic(), inside=inside)
    assert levels.dynamic[10:30, 36:50].all()
    assert not levels.dynamic[~inside].any()
    assert f"{levels.dynamic[inside].mean():.1%}" in levels.reason
    assert levels.dynamic[inside].mean() > 1.5 * levels.dynamic.mean()


def test_what_lies_outside_does_not_change_a_level_inside() -> None:
    inside = np.zeros(SHAPE, bool)
    inside[10:30, :34] = True
    activity = half_dynamic()
    calmer = replace(activity, flicker=np.where(inside, activity.flicker, 0).astype(np.float32))
    first, second = Thresholds.of(activity, inside=inside), Thresholds.of(calmer, inside=inside)
    assert first.dynamic.any()
    for name in ("low", "high", "small", "unsmoothed", "dynamic"):
        assert np.array_equal(getattr(first, name), getattr(second, name))
    assert first.reason == second.reason


def test_a_threshold_asked_for_is_the_same_everywhere() -> None:
    for threshold in (0, 0.5, 24.9, 25, 25.5, 254.2, 255):
        levels = Thresholds.fixed(SHAPE, threshold)
        assert levels.low.shape == levels.unsmoothed.shape == levels.dynamic.shape == SHAPE
        assert exceeding(levels.low[0, 0]) == exceeding(threshold)
        assert (levels.low == levels.low[0, 0]).all()
        assert np.array_equal(levels.high, levels.low)
        assert (levels.small == 255).all()
        assert not levels.unsmoothed.any()
        assert not levels.dynamic.any()
        assert f"{threshold:g} grey levels: as asked for" in levels.reason


def test_specks_must_exceed_the_noise_of_the_sensor_and_the_reason_names_it() -> None:
    sensor_noise = np.zeros(SHAPE, np.float32)
    sensor_noise[:, :20] = 8
    levels = Thresholds.of(replace(SceneActivity.none(SHAPE), sensor_noise=sensor_noise))
    assert (levels.small[:, :20] == NOISE * 8).all()
    assert (levels.small[:, 20:] == STATIC_LOW).all()
    assert (levels.low == STATIC_LOW).all()
    assert not levels.dynamic.any()
    assert levels.reason.endswith("; the noise of the sensor, σ 8.0, is not taken for movement")
