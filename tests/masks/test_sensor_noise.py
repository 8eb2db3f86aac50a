"""The noise of a sensor is told from what moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bgsub.errors import BgsubWarning
from bgsub.masks.flicker import flicker
from bgsub.masks.sensor_noise import MOST, TOGETHER, measure_sensor_noise

SHAPE = (60, 80)
Film = NDArray[np.uint8]


def noisy(sigma: float, kind: str = "colour", count: int = 24, soft: float = 0) -> Film:
    """A still picture under noise: of each channel its own, of all the same, or of a gray film; *soft*: smoothed."""
    rng = np.random.default_rng(3)
    channels = 3 if kind == "colour" else 1
    noise = rng.normal(0, 1, (count, *SHAPE, channels)).astype(np.float32)
    if soft:
        noise = np.stack([cv2.GaussianBlur(each, (0, 0), soft).reshape(*SHAPE, -1) for each in noise])
        noise /= noise.std()
    film = np.clip(np.rint(120 + sigma * noise), 0, 255).astype(np.uint8)
    if kind == "alike":
        return np.repeat(film, 3, axis=-1)
    return film if kind == "colour" else film[..., 0]


def flicker_of(film: Film, inside: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
    changed = np.abs(np.diff(film.astype(int), axis=0)).astype(np.uint8)
    largest = changed if film.ndim == 3 else changed.max(axis=-1)
    return flicker(largest.reshape(len(largest), -1), SHAPE, inside=inside)


def grain_of(film: Film, inside: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
    return measure_sensor_noise(list(pairwise(film))[::3], flicker_of(film, inside), inside)


def test_the_grain_is_the_standard_deviation_of_the_noise_in_whatever_channels() -> None:
    for kind, sigma in product(("colour", "alike", "gray"), (8.0, 12.0)):
        found = grain_of(noisy(sigma, kind))
        assert found.shape == SHAPE
        assert found.dtype == np.float32
        assert np.mean(found > 0) > 0.95
        assert np.median(found) == pytest.approx(sigma, rel=0.05)


def test_no_grain_is_looked_for_where_nothing_would_be_taken_for_movement() -> None:
    def unseen() -> Iterator[tuple[Film, Film]]:
        pytest.fail("a pair was looked at")
        yield noisy(1)[0], noisy(1)[1]

    quiet = flicker_of(noisy(2.0))
    assert quiet.max() > 3
    assert not measure_sensor_noise(unseen(), quiet).any()
    assert not measure_sensor_noise(unseen(), np.zeros(SHAPE, np.float32)).any()


def test_what_changes_together_is_no_grain() -> None:
    rippling = noisy(8.0, soft=3.0)
    assert flicker_of(rippling).min() > 8
    assert not grain_of(rippling).any()
    blinking = np.full((24, *SHAPE), 100, np.uint8)
    blinking[::2] = 130
    assert not grain_of(blinking).any()


def test_noise_that_a_sensor_of_one_colour_a_pixel_has_interpolated_is_grain() -> None:
    film = noisy(6.0, soft=0.6)
    changed = np.diff(film[..., 1].astype(float), axis=0)
    beside = np.corrcoef(changed[:, :, 1:].ravel(), changed[:, :, :-1].ravel())[0, 1]
    assert beside > TOGETHER
    assert np.median(grain_of(film)) == pytest.approx(6.0, rel=0.08)


def test_leaves_in_noise_are_no_grain_and_the_noise_around_them_is() -> None:
    film = noisy(4.0)
    leaves = np.random.default_rng(5).integers(40, 200, (len(film), 1, 25, 1))
    film[:, 20:40, 50:75] = leaves
    found = grain_of(film)
    assert not found[24:36, 54:71].any()
    assert np.mean(found[:, :40] > 0) > 0.95
    assert np.median(found[:, :40]) == pytest.approx(4.0, rel=0.05)


def test_what_passes_through_the_noise_does_not_hide_it() -> None:
    film = noisy(6.0, count=60)
    for index, frame in enumerate(film):
        frame[10:40, index : index + 12] -= 60
    found = grain_of(film)
    assert np.mean(found > 0) > 0.9
    assert np.median(found) == pytest.approx(6.0, rel=0.1)


def test_noise_in_which_a_pixel_says_nothing_is_left_to_the_windows() -> None:
    with pytest.warns(BgsubWarning, match=r"noise of the camera is σ 18 grey levels.*--scale"):
        assert not grain_of(noisy(18.0)).any()
    assert grain_of(noisy(MOST * 0.8)).any()


def test_only_what_is_inside_counts() -> None:
    film = noisy(6.0)
    film[:, :, 40:] = np.random.default_rng(6).integers(0, 2, (24, 1, 1, 1), np.uint8) * 200
    inside = np.zeros(SHAPE, bool)
    inside[5:55, 5:35] = True
    other = film.copy()
    other[:, ~inside] = 7
    found = grain_of(film, inside)
    assert np.array_equal(found, grain_of(other, inside))
    assert not found[~inside].any()
    assert np.median(found[inside]) == pytest.approx(6.0, rel=0.05)


def test_without_pairs_or_pixels_nothing_is_known() -> None:
    assert not measure_sensor_noise([], np.full(SHAPE, 20, np.float32)).any()
    film = noisy(6.0)
    assert not measure_sensor_noise(list(pairwise(film)), flicker_of(film), np.zeros(SHAPE, bool)).any()
