"""Thresholds that follow the noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bgsub.masks.dynamic_background import Unrest
from bgsub.masks.thresholds import CALM, CERTAIN, CERTAIN_SWAYS, NOISE, QUIET, SWAYS, TRACE, Levels

SHAPE = 40, 60


def exceeding(level: float) -> list[int]:
    return [difference for difference in range(256) if difference > level]


def half_restless(sway: NDArray[np.float32] | float = 20.0) -> Unrest:
    """Leaves on the right, a wall on the left; the swell bounds nothing."""
    flicker = np.zeros(SHAPE, np.float32)
    flicker[:, 30:] = 40
    spread = np.broadcast_to(np.float32(sway), SHAPE).astype(np.float32)
    return Unrest(flicker, np.full(SHAPE, 200, np.float32), spread, np.zeros(SHAPE, np.float32))


def test_quiet_places_have_two_levels_and_judge_no_smoothed_pictures() -> None:
    levels = Levels.of(Unrest.none(SHAPE))
    assert (levels.low == QUIET).all()
    assert (levels.certain == CERTAIN).all()
    assert (levels.sure >= levels.low).all()
    assert (levels.sure < 255).all()
    assert not levels.own.any()
    assert not levels.restless.any()
    assert levels.reason == (
        f"threshold {QUIET:g} grey levels (some of an object {CERTAIN:g}) everywhere: no place is restless"
    )


def test_restless_places_follow_their_sway() -> None:
    sway = np.random.default_rng(2).uniform(0, 60, SHAPE).astype(np.float32)
    levels = Levels.of(half_restless(sway))
    assert levels.restless[:, 36:].all()
    assert not levels.restless[:, :26].any()
    for y, x in np.argwhere(levels.restless):
        assert levels.low[y, x] == int(max(SWAYS * sway[y, x], CALM))
        assert levels.certain[y, x] == int(max(CERTAIN_SWAYS * sway[y, x], QUIET))
    quiet = ~levels.restless
    assert (levels.low[quiet] == QUIET).all()
    assert (levels.certain[quiet] == CERTAIN).all()
    assert np.array_equal(levels.own, np.where(levels.restless, TRACE, 0))
    # Specks are not looked for in leaves.
    assert (levels.sure[levels.restless] == 255).all()
    assert (levels.sure[quiet] < 255).all()


def test_the_reason_tells_the_levels_of_the_restless_part() -> None:
    sway = np.where(np.arange(60) < 50, 20, 35).astype(np.float32)
    levels = Levels.of(half_restless(sway))
    share = levels.restless.mean()
    assert f"in the restless {share:.1%} of the picture a median of 40 and at most 70" in levels.reason


def test_the_reason_tells_where_nothing_can_be_foreground() -> None:
    sway = np.where(np.arange(60) < 50, 20, 200).astype(np.float32)
    levels = Levels.of(half_restless(sway))
    blind = float((levels.low == 255).mean())
    assert 0 < blind < levels.restless.mean()
    assert f"nothing is foreground in the {blind:.1%} that change too much" in levels.reason
    assert "nothing is foreground" not in Levels.of(half_restless(20.0)).reason


def test_sensitivity_divides_every_level() -> None:
    for sensitivity in (0.25, 0.7, 1.0, 1.3, 2.0, 7.7):
        levels = Levels.of(half_restless(21.7), sensitivity)
        moving = levels.restless
        expected = (
            (levels.low, {True: SWAYS * 21.7, False: QUIET}),
            (levels.certain, {True: CERTAIN_SWAYS * 21.7, False: CERTAIN}),
            (levels.own, {True: TRACE, False: 0}),
        )
        for found, real in expected:
            assert found.dtype == np.uint8
            for where, level in real.items():
                values = np.unique(found[moving == where])
                assert len(values) == 1
                # The same whole differences exceed the whole level and the real one.
                assert exceeding(values[0]) == exceeding(float(np.float32(level) / np.float32(sensitivity)))


def test_sensitivity_changes_no_place_from_quiet_to_restless() -> None:
    places = [Levels.of(half_restless(), sensitivity).restless for sensitivity in (0.2, 1, 5)]
    assert all(np.array_equal(places[0], each) for each in places)


def test_levels_end_at_white_which_nothing_exceeds() -> None:
    levels = Levels.of(half_restless(200.0), 0.05)
    assert (levels.low == 255).all()
    assert (levels.certain == 255).all()


def test_certain_is_never_below_low() -> None:
    for sensitivity in (0.2, 1, 3):
        sway = np.random.default_rng(3).uniform(0, 90, SHAPE).astype(np.float32)
        levels = Levels.of(half_restless(sway), sensitivity)
        assert (levels.certain >= levels.low).all()


def test_only_pixels_inside_are_restless_or_counted() -> None:
    inside = np.zeros(SHAPE, bool)
    inside[10:30, 20:50] = True
    levels = Levels.of(half_restless(), inside=inside)
    assert levels.restless[10:30, 36:50].all()
    assert not levels.restless[~inside].any()
    assert f"{levels.restless[inside].mean():.1%}" in levels.reason
    assert levels.restless[inside].mean() > 1.5 * levels.restless.mean()


def test_what_lies_outside_does_not_change_a_level_inside() -> None:
    inside = np.zeros(SHAPE, bool)
    inside[10:30, :34] = True
    unrest = half_restless()
    calmer = replace(unrest, flicker=np.where(inside, unrest.flicker, 0).astype(np.float32))
    first, second = Levels.of(unrest, inside=inside), Levels.of(calmer, inside=inside)
    assert first.restless.any()
    for name in ("low", "certain", "sure", "own", "restless"):
        assert np.array_equal(getattr(first, name), getattr(second, name))
    assert first.reason == second.reason


def test_a_threshold_asked_for_is_the_same_everywhere() -> None:
    for threshold in (0, 0.5, 24.9, 25, 25.5, 254.2, 255):
        levels = Levels.fixed(SHAPE, threshold)
        assert levels.low.shape == levels.own.shape == levels.restless.shape == SHAPE
        assert exceeding(levels.low[0, 0]) == exceeding(threshold)
        assert (levels.low == levels.low[0, 0]).all()
        assert np.array_equal(levels.certain, levels.low)
        assert (levels.sure == 255).all()
        assert not levels.own.any()
        assert not levels.restless.any()
        assert f"{threshold:g} grey levels: as asked for" in levels.reason


def test_specks_must_exceed_the_noise_of_the_sensor_and_the_reason_names_it() -> None:
    grain = np.zeros(SHAPE, np.float32)
    grain[:, :20] = 8
    levels = Levels.of(replace(Unrest.none(SHAPE), grain=grain))
    assert (levels.sure[:, :20] == NOISE * 8).all()
    assert (levels.sure[:, 20:] == QUIET).all()
    assert (levels.low == QUIET).all()
    assert not levels.restless.any()
    assert levels.reason.endswith("; the noise of the sensor, σ 8.0, is not taken for movement")
