"""How restless a place is, against windows cut out one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from bgsub.masks.dynamic_background import AROUND, CAP, RESTLESS, Unrest, restless, window_mean

SIZES = [(1, 1), (1, 9), (9, 1), (12, 15), (23, 31)]


def cut_out(values: NDArray[np.float32], side: int, inside: NDArray[np.bool_] | None) -> NDArray[np.float64]:
    """Mean over the window around each pixel, by index; the border is repeated outwards."""
    half = side // 2
    counts = np.ones(values.shape, bool) if inside is None else inside
    wide, looked_at = np.pad(values.astype(float), half, "edge"), np.pad(counts, half, "edge")
    out = np.zeros(values.shape)
    for y, x in np.ndindex(values.shape):
        window = wide[y : y + side, x : x + side][looked_at[y : y + side, x : x + side]]
        out[y, x] = window.mean() if window.size else 0
    return out


def some_pixels(size: tuple[int, int], share: float = 0.5) -> NDArray[np.bool_]:
    return np.random.default_rng(11).random(size) < share


def test_the_mean_is_that_of_the_pixels_inside_the_window() -> None:
    for size, (side, share) in product(
        SIZES, ((3, None), (7, 0.0), (9, 0.02), (7, 0.5), (9, 1.0), (7, None))
    ):
        values = np.random.default_rng(3).uniform(0, 255, size).astype(np.float32)
        inside = None if share is None else some_pixels(size, share)
        found = window_mean(values, side, inside)
        assert found.shape == size
        assert found.dtype == np.float32
        assert np.allclose(found, cut_out(values, side, inside), rtol=1e-4, atol=1e-3)


def test_what_lies_outside_changes_nothing_inside() -> None:
    inside = some_pixels((20, 30))
    values = np.random.default_rng(4).uniform(0, 20, inside.shape).astype(np.float32)
    other = np.where(inside, values, np.float32(250))
    assert np.array_equal(window_mean(values, 7, inside), window_mean(other, 7, inside))
    assert np.array_equal(restless(values, inside), restless(other, inside))


def test_restless_is_where_the_average_around_exceeds_the_limit() -> None:
    for partly, size in product((False, True), SIZES):
        flicker = np.random.default_rng(5).uniform(0, 2 * RESTLESS, size).astype(np.float32)
        inside = some_pixels(size) if partly else None
        average = cut_out(flicker, AROUND, inside)
        clear = np.abs(average - RESTLESS) > 1e-3
        assert np.array_equal(restless(flicker, inside)[clear], (average > RESTLESS)[clear])


def test_one_restless_pixel_makes_no_restless_place_and_a_quiet_one_in_leaves_is_restless() -> None:
    lonely = np.zeros((30, 30), np.float32)
    lonely[15, 15] = 200
    assert not restless(lonely).any()
    leaves = np.full((30, 30), 12, np.float32)
    leaves[15, 15] = 0
    assert restless(leaves).all()


def test_the_limit_itself_is_still_quiet() -> None:
    for level in (RESTLESS - 0.01, RESTLESS, RESTLESS + 0.01):
        flicker = np.full((20, 20), level, np.float32)
        assert restless(flicker).all() == restless(flicker).any() == (level > RESTLESS)


def test_the_sway_is_the_spread_but_no_more_than_some_times_the_swell() -> None:
    swell, spread = np.random.default_rng(6).uniform(0, 30, (2, 9, 11)).astype(np.float32)
    sway = Unrest(np.full_like(swell, 20), swell, spread, np.zeros_like(swell)).sway
    assert sway.dtype == np.float32
    for place in np.ndindex(swell.shape):
        assert sway[place] == pytest.approx(min(spread[place], CAP * swell[place]))
    assert (sway < spread).any()
    assert (sway == spread).any()


def test_what_stands_for_a_while_spreads_but_does_not_sway() -> None:
    nothing, spread = np.zeros((4, 5), np.float32), np.full((4, 5), 90, np.float32)
    assert not Unrest(nothing, nothing, spread, nothing).sway.any()


def test_nothing_is_known_to_move_in_a_scene_without_unrest() -> None:
    unrest = Unrest.none((4, 7))
    for each in (unrest.flicker, unrest.swell, unrest.spread, unrest.grain, unrest.sway):
        assert each.shape == (4, 7)
        assert each.dtype == np.float32
        assert not each.any()
    assert not restless(unrest.flicker).any()


def unrest_of(flicker, swell, spread):
    maps = (np.asarray(each, np.float32) for each in (flicker, swell, spread))
    return Unrest(*maps, np.zeros(np.shape(spread), np.float32))


def place(shape=(40, 60), where=np.s_[10:30, 10:50], **levels):
    """Return flicker, swell and spread of a picture that is restless in one place."""
    found = {}
    for name, level in levels.items():
        found[name] = np.zeros(shape, np.float32)
        found[name][where] = level
    return found


def test_where_traffic_passes_all_the_time_the_ground_does_not_sway() -> None:
    road = unrest_of(**place(flicker=10, swell=5, spread=40))
    assert np.all(road.sway[10:30, 10:50] == 10)
    assert not road.sway[:10].any()


def test_a_branch_before_the_sky_sways_as_far_as_it_does() -> None:
    tree = place(flicker=10, swell=5, spread=8)
    tree["spread"][10:16, 10:50] = 29  # three tenths of it
    found = unrest_of(**tree).sway
    assert np.all(found[10:16, 10:50] == 29)
    assert np.all(found[16:30, 10:50] == 8)


def test_what_strays_no_further_than_it_flickers_or_hardly_at_all_has_not_been_passed() -> None:
    for flicker, spread in ((16, 30), (5.9, 11.9)):
        assert np.all(
            unrest_of(**place(flicker=flicker, swell=5, spread=spread)).sway[10:30, 10:50]
            == np.float32(spread)
        )


def test_a_tree_beside_the_road_is_judged_by_itself() -> None:
    road = place(where=np.s_[5:35, 5:25], flicker=10, swell=5, spread=40)
    tree = place(where=np.s_[5:35, 35:55], flicker=10, swell=5, spread=15)
    found = unrest_of(**{name: road[name] + tree[name] for name in road}).sway
    assert np.all(found[5:35, 5:25] == 10)
    assert np.all(found[5:35, 35:55] == 15)
