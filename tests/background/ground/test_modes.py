"""The two densest values of a pixel, against an exhaustive search written out."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from bgsub.background.ground.modes import find_modes

Values = NDArray[np.uint8]


def searched(
    samples: NDArray[np.int64], radius: int, apart: int
) -> tuple[list[NDArray[np.float64]], list[float]]:
    """``(n, channels)`` samples of one pixel: the most crowded balls (of the largest channel difference), twice."""
    left, modes, shares = samples, [], []
    for _ in range(2):
        distances = np.abs(left[:, None] - left).max(axis=2)
        counts = (distances <= radius).sum(axis=1)
        first_of_the_densest = int(np.argmax(counts))
        near = distances[first_of_the_densest] <= radius
        modes.append(left[near].mean(axis=0))
        shares.append(near.sum() / len(samples))
        # Whole levels, as all samples are.
        left = left[np.abs(left - np.floor(modes[0])).max(axis=1) > apart]
        if not len(left):
            break
    return modes, shares


def values_of(kind: str, channels: int, count: int, pixels: int = 40) -> Values:
    rng = np.random.default_rng(21)
    size = pixels, channels, count
    if kind == "any":
        return rng.integers(0, 256, size, dtype=np.uint8)
    if kind == "few levels":
        return (rng.integers(0, 8, size) * 7 + 100).astype(np.uint8)
    levels = rng.integers(0, 256, (pixels, channels, 3))
    which = rng.choice(3, (pixels, 1, count), p=[0.5, 0.3, 0.2])
    found = np.take_along_axis(levels, np.broadcast_to(which, size), axis=2) + rng.normal(0, 4, size)
    return np.clip(np.rint(found), 0, 255).astype(np.uint8)


def test_the_modes_are_those_of_an_exhaustive_search() -> None:
    for count, channels, kind in product((1, 2, 7, 36), (1, 3), ("any", "few levels", "three things")):
        values = values_of(kind, channels, count)
        modes, shares = find_modes(values, 12, 20)
        assert modes.shape == (2, len(values), channels)
        assert shares.shape == (2, len(values))
        assert modes.dtype == shares.dtype == np.float32
        for pixel, samples in enumerate(values.transpose(0, 2, 1).astype(np.int64)):
            expected, share = searched(samples, 12, 20)
            assert np.allclose(modes[: len(expected), pixel], expected, rtol=1e-6)
            assert np.allclose(shares[: len(share), pixel], share, rtol=1e-6)
            assert not modes[len(expected) :, pixel].any()
            assert not shares[len(share) :, pixel].any()


def test_radius_and_distance_are_as_asked_for() -> None:
    for radius, apart in product((0, 3, 30), (0, 5, 200)):
        values = values_of("few levels", 3, 20)
        modes, shares = find_modes(values, radius, apart)
        for pixel, samples in enumerate(values.transpose(0, 2, 1).astype(np.int64)):
            expected, share = searched(samples, radius, apart)
            assert np.allclose(modes[: len(expected), pixel], expected, rtol=1e-6)
            assert np.allclose(shares[: len(share), pixel], share, rtol=1e-6)


def test_the_number_of_threads_changes_nothing() -> None:
    for threads, pixels in product((2, 3, 7), (1, 5, 40)):
        values = values_of("three things", 3, 24, pixels)
        for one, many in zip(find_modes(values, 12, 20), find_modes(values, 12, 20, threads), strict=True):
            assert np.array_equal(one, many)


def test_a_constant_pixel_has_one_mode_and_black_and_white_do_not_wrap_around() -> None:
    values = np.zeros((2, 1, 10), np.uint8)
    values[1, 0, 6:] = 255
    modes, shares = find_modes(values, 12, 20)
    assert modes[:, :, 0].T.tolist() == [[0, 0], [0, 255]]
    assert shares.T.tolist() == [[1, 0], pytest.approx([0.6, 0.4])]


def test_a_colour_that_differs_in_one_channel_is_another_thing() -> None:
    values = np.full((1, 3, 10), 100, np.uint8)
    values[0, 2, 7:] = 160
    modes, shares = find_modes(values, 12, 20)
    assert modes[:, 0].tolist() == [[100, 100, 100], [100, 100, 160]]
    assert shares[:, 0] == pytest.approx([0.7, 0.3])


def test_no_pixels_have_no_modes() -> None:
    modes, shares = find_modes(np.zeros((0, 3, 10), np.uint8), 12, 20, 2)
    assert modes.shape == (2, 0, 3)
    assert shares.shape == (2, 0)
