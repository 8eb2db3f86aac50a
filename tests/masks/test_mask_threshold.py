"""A threshold for each pixel from how it flickers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bgsub.masks.threshold import FEWEST_PAIRS, flicker, threshold_map


def steps(frames: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Absolute differences of consecutive frames, one row a pair."""
    return np.abs(np.diff(frames.astype(int), axis=0)).astype(np.uint8).reshape(len(frames) - 1, -1)


def still(count: int = 40) -> NDArray[np.uint8]:
    return np.full((count, 30, 40), 100, np.uint8)


def test_without_pairs_there_is_no_flicker() -> None:
    found = flicker(np.zeros((0, 12), np.uint8), (3, 4))
    assert found.shape == (3, 4)
    assert found.dtype == np.float32
    assert not found.any()


def test_a_waving_texture_flickers() -> None:
    frames = still()
    frames[::2, :, 20:] = 140
    found = flicker(steps(frames), (30, 40))
    assert np.allclose(found[:, 24:], 40)
    assert not found[:, :16].any()


def test_a_standing_block_does_not_flicker_though_it_comes_and_goes() -> None:
    frames = still()
    frames[10:35, 5:25, 5:25] = 220
    assert not flicker(steps(frames), (30, 40)).any()


def test_flicker_is_averaged_over_a_window_of_seven() -> None:
    pairs = np.zeros((FEWEST_PAIRS, 15, 15), np.uint8)
    pairs[:, 7, 7] = 49
    found = flicker(pairs.reshape(FEWEST_PAIRS, -1), (15, 15))
    expected = np.zeros((15, 15))
    expected[4:11, 4:11] = 1
    assert np.allclose(found, expected)


def test_a_constant_flicker_is_the_same_at_the_border() -> None:
    assert np.allclose(flicker(np.full((4, 99), 6, np.uint8), (9, 11)), 6)


def test_a_picture_of_one_pixel_has_a_flicker() -> None:
    assert flicker(np.array([[4], [8], [6]], np.uint8), (1, 1)) == 6


@pytest.mark.parametrize("fixed", [0.5, 1.0, 25.0, 25.5, 254.9, 255.0])
def test_a_fixed_threshold_is_exceeded_by_exactly_the_greater_scores(fixed: float) -> None:
    levels, reason = threshold_map(np.full((2, 3), 50, np.float32), fixed)
    scores = np.arange(256)
    assert np.array_equal(scores > levels[0, 0], scores > fixed)
    assert (levels == levels[0, 0]).all()
    assert f"{fixed:g}" in reason
    assert "as asked for" in reason


def test_each_pixel_is_raised_by_three_for_each_level_of_flicker_beyond_three() -> None:
    flickering = np.random.default_rng(0).uniform(0, 120, (50, 60)).astype(np.float32)
    flickering[0, :4] = 0, 3, 4, 5
    levels, _ = threshold_map(flickering, None)
    assert levels[0, :4].tolist() == [25, 25, 28, 31]
    scores = np.arange(256)[:, None, None]
    exact = 25 + 3 * np.maximum(flickering.astype(float) - 3, 0)
    # A level so close to a whole number that float32 decides is no matter of the rule.
    clear = np.abs(exact - np.rint(exact)) > 1e-3
    assert np.array_equal((scores > levels)[:, clear], (scores > exact)[:, clear])


def test_the_reason_of_a_quiet_picture_says_that_nothing_flickers() -> None:
    _, reason = threshold_map(np.full((4, 4), 2.9, np.float32), None)
    assert reason == "threshold 25 grey levels everywhere: no pixel flickers by more than 3"


def test_the_reason_of_a_flickering_picture_gives_median_maximum_and_share() -> None:
    flickering = np.zeros((10, 10), np.float32)
    flickering[:4] = 13
    flickering[0] = 23
    _, reason = threshold_map(flickering, None)
    assert "median of 25 and at most 85" in reason
    assert "40% of the pixels" in reason
    flickering[:6] = 8
    assert "median of 40" in threshold_map(flickering, None)[1]


def test_no_threshold_and_no_reason_goes_beyond_white() -> None:
    levels, reason = threshold_map(np.full((3, 3), 200, np.float32), None)
    assert (levels == 255).all()
    assert "median of 255 and at most 255" in reason


def test_a_thing_that_moves_in_a_handful_of_frames_is_not_taken_for_flicker() -> None:
    pairs = np.full((FEWEST_PAIRS - 1, 20, 20), 2, np.uint8)
    pairs[:, 5:12, 5:12] = 200
    assert np.array_equal(flicker(pairs.reshape(len(pairs), -1), (20, 20)), np.full((20, 20), 2))


def test_sensitivity_divides_the_automatic_threshold_and_leaves_a_fixed_one() -> None:
    flickering = np.array([[0, 3, 13]], np.float32)
    assert threshold_map(flickering, None, 2.0)[0].tolist() == [[12, 12, 27]]
    assert threshold_map(flickering, None, 0.5)[0].tolist() == [[50, 50, 110]]
    assert threshold_map(flickering, 30.0, 2.0)[0].tolist() == [[30, 30, 30]]
