"""What a scene does by itself, against windows cut out one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from bgsub.masks.dynamic_background import AROUND, CAP, DYNAMIC, SceneActivity, find_dynamic, window_mean

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
    assert np.array_equal(find_dynamic(values, inside), find_dynamic(other, inside))


def test_dynamic_is_where_the_average_around_exceeds_the_limit() -> None:
    for partly, size in product((False, True), SIZES):
        flicker = np.random.default_rng(5).uniform(0, 2 * DYNAMIC, size).astype(np.float32)
        inside = some_pixels(size) if partly else None
        average = cut_out(flicker, AROUND, inside)
        clear = np.abs(average - DYNAMIC) > 1e-3
        assert np.array_equal(find_dynamic(flicker, inside)[clear], (average > DYNAMIC)[clear])


def test_one_flickering_pixel_makes_no_dynamic_place_and_a_quiet_one_in_leaves_is_dynamic() -> None:
    lonely = np.zeros((30, 30), np.float32)
    lonely[15, 15] = 200
    assert not find_dynamic(lonely).any()
    leaves = np.full((30, 30), 12, np.float32)
    leaves[15, 15] = 0
    assert find_dynamic(leaves).all()


def test_the_limit_itself_is_still_quiet() -> None:
    for level in (DYNAMIC - 0.01, DYNAMIC, DYNAMIC + 0.01):
        flicker = np.full((20, 20), level, np.float32)
        assert find_dynamic(flicker).all() == find_dynamic(flicker).any() == (level > DYNAMIC)


def test_the_allowed_deviation_is_the_observed_one_but_no_more_than_some_times_the_flicker() -> None:
    smooth_flicker, deviation = np.random.default_rng(6).uniform(0, 30, (2, 9, 11)).astype(np.float32)
    allowed_deviation = SceneActivity(
        np.full_like(smooth_flicker, 20), smooth_flicker, deviation, np.zeros_like(smooth_flicker)
    ).allowed_deviation
    assert allowed_deviation.dtype == np.float32
    for place in np.ndindex(smooth_flicker.shape):
        assert allowed_deviation[place] == pytest.approx(min(deviation[place], CAP * smooth_flicker[place]))
    assert (allowed_deviation < deviation).any()
    assert (allowed_deviation == deviation).any()


def test_what_stands_for_a_while_deviates_but_does_not_flicker() -> None:
    nothing, deviation = np.zeros((4, 5), np.float32), np.full((4, 5), 90, np.float32)
    assert not SceneActivity(nothing, nothing, deviation, nothing).allowed_deviation.any()


def test_nothing_is_known_to_move_in_a_scene_without_activity() -> None:
    activity = SceneActivity.none((4, 7))
    for each in (
        activity.flicker,
        activity.smooth_flicker,
        activity.deviation,
        activity.sensor_noise,
        activity.allowed_deviation,
    ):
        assert each.shape == (4, 7)
        assert each.dtype == np.float32
        assert not each.any()
    assert not find_dynamic(activity.flicker).any()


def activity_of(flicker, smooth_flicker, deviation):
    maps = (np.asarray(each, np.float32) for each in (flicker, smooth_flicker, deviation))
    return SceneActivity(*maps, np.zeros(np.shape(deviation), np.float32))


def place(shape=(40, 60), where=np.s_[10:30, 10:50], **levels):
    """Return flicker, smoothed and not, and deviation of a picture that is dynamic in one place."""
    found = {}
    for name, level in levels.items():
        found[name] = np.zeros(shape, np.float32)
        found[name][where] = level
    return found


def test_where_traffic_passes_all_the_time_the_ground_does_not_sway() -> None:
    road = activity_of(**place(flicker=10, smooth_flicker=5, deviation=40))
    assert np.all(road.allowed_deviation[10:30, 10:50] == 10)
    assert not road.allowed_deviation[:10].any()


def test_a_branch_before_the_sky_sways_as_far_as_it_does() -> None:
    tree = place(flicker=10, smooth_flicker=5, deviation=8)
    tree["deviation"][10:16, 10:50] = 29  # three tenths of it
    found = activity_of(**tree).allowed_deviation
    assert np.all(found[10:16, 10:50] == 29)
    assert np.all(found[16:30, 10:50] == 8)


def test_what_strays_no_further_than_it_flickers_or_hardly_at_all_has_not_been_passed() -> None:
    for flicker, deviation in ((16, 30), (5.9, 11.9)):
        assert np.all(
            activity_of(**place(flicker=flicker, smooth_flicker=5, deviation=deviation)).allowed_deviation[
                10:30, 10:50
            ]
            == np.float32(deviation)
        )


def test_a_tree_beside_the_road_is_judged_by_itself() -> None:
    road = place(where=np.s_[5:35, 5:25], flicker=10, smooth_flicker=5, deviation=40)
    tree = place(where=np.s_[5:35, 35:55], flicker=10, smooth_flicker=5, deviation=15)
    found = activity_of(**{name: road[name] + tree[name] for name in road}).allowed_deviation
    assert np.all(found[5:35, 5:25] == 10)
    assert np.all(found[5:35, 35:55] == 15)
