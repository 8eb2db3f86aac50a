"""How much each pixel changes from frame to frame."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bgsub.masks.flicker import FEWEST_PAIRS, STEADY, flicker


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
    assert np.allclose(found[:, 24:], STEADY * 40)
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
    expected[4:11, 4:11] = STEADY
    assert np.allclose(found, expected)


def test_only_what_is_looked_at_is_averaged() -> None:
    inside = np.zeros((20, 30), bool)
    inside[4:16, 5:25] = True
    inside[9:12, 10:20] = False
    pairs = np.full((FEWEST_PAIRS, 20, 30), 200, np.uint8)
    pairs[:, inside] = 6
    assert np.allclose(flicker(pairs.reshape(FEWEST_PAIRS, -1), (20, 30), inside=inside)[inside], STEADY * 6)
    pairs[:, 4:16, 5:9] = 12
    varied = flicker(pairs.reshape(FEWEST_PAIRS, -1), (20, 30), inside=inside)
    window = np.s_[6 - 3 : 6 + 4, 9 - 3 : 9 + 4]
    assert varied[6, 9] == pytest.approx(STEADY * pairs[0][window][inside[window]].mean())


def test_of_few_pairs_the_quartile_is_that_of_what_is_looked_at() -> None:
    pairs = np.full((FEWEST_PAIRS - 1, 6, 5), 90, np.uint8)
    inside = np.zeros((6, 5), bool)
    inside[:2] = True
    pairs[:, :2] = 4
    assert np.allclose(flicker(pairs.reshape(len(pairs), -1), (6, 5), inside=inside), STEADY * 4)


def test_a_constant_flicker_is_the_same_at_the_border() -> None:
    assert np.allclose(flicker(np.full((4, 99), 6, np.uint8), (9, 11)), STEADY * 6)


def test_a_picture_of_one_pixel_has_a_flicker() -> None:
    assert flicker(np.array([[4], [8], [6]], np.uint8), (1, 1)) == pytest.approx(STEADY * 4)


def test_a_thing_that_moves_in_a_handful_of_frames_is_not_taken_for_flicker() -> None:
    pairs = np.full((FEWEST_PAIRS - 1, 20, 20), 2, np.uint8)
    pairs[:, 5:12, 5:12] = 200
    assert np.allclose(flicker(pairs.reshape(len(pairs), -1), (20, 20)), STEADY * 2)


def test_a_place_that_is_quiet_a_quarter_of_the_time_does_not_flicker() -> None:
    pairs = np.full((40, 20, 20), 60, np.uint8)
    pairs[:12, 5:15, 5:15] = 1
    found = flicker(pairs.reshape(40, -1), (20, 20))
    assert found[10, 10] == pytest.approx(STEADY)
    assert found[0, 0] == pytest.approx(STEADY * 60)


def test_of_noise_it_is_somewhat_more_than_the_median_of_the_channel_maximum() -> None:
    noise = np.random.default_rng(1).normal(120, 4, (400, 12, 12, 3)).round().astype(int)
    changes = np.abs(noise[::2] - noise[1::2]).max(axis=3).astype(np.uint8)
    found = flicker(changes.reshape(200, -1), (12, 12))
    assert 1.1 * np.median(changes) < found.mean() < 1.5 * np.median(changes)
