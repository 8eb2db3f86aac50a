"""Smoothed differences where they are asked for, held against filtered pictures."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy import ndimage

from bgsub.frames.difference import channel_difference
from bgsub.masks.smoothed import TILE, WINDOW, SmoothedDifference

SIZES = [(1, 1), (2, 3), (WINDOW - 1, 40), (TILE, TILE), (TILE + 1, 7 * TILE - 1), (60, 300)]


def expected(image: np.ndarray, background: np.ndarray) -> np.ndarray:
    difference = image.astype(float) - background
    sides = (WINDOW, WINDOW) + (1,) * (image.ndim - 2)
    mean = np.abs(ndimage.uniform_filter(difference, sides, mode="nearest"))
    return np.rint(mean.max(axis=2) if image.ndim == 3 else mean)


def test_the_mean_difference_is_written_to_the_places_and_nowhere_else() -> None:
    for share, channels, size in product((0.02, 0.3, 1.0), ((), (3,)), SIZES):
        rng = np.random.default_rng(4)
        image, background = rng.integers(0, 256, (2, *size, *channels)).astype(np.uint8)
        around = ndimage.uniform_filter(rng.random(size), 5, mode="nearest")
        places = around <= np.quantile(around, share)
        plain = channel_difference(image, background)
        found = plain.copy()
        SmoothedDifference.of(places).put(image, background, found)
        assert np.array_equal(found, np.where(places, expected(image, background), plain))


def test_the_largest_differences_fit() -> None:
    for value in (0, 255):
        image = np.full((20, 30, 3), value, np.uint8)
        found = np.zeros((20, 30), np.uint8)
        SmoothedDifference.of(np.ones((20, 30), bool)).put(image, 255 - image, found)
        assert (found == 255).all()


def test_pictures_that_are_no_block_of_memory_are_taken() -> None:
    rng = np.random.default_rng(5)
    image, background = rng.integers(0, 256, (2, 40, 80, 3)).astype(np.uint8)[:, ::2, ::2]
    found = np.zeros((20, 40), np.uint8)
    SmoothedDifference.of(np.ones((20, 40), bool)).put(image, background, found)
    assert np.array_equal(found, expected(image, background))
