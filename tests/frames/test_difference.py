"""The difference of two pictures, whatever their size and channels."""

from __future__ import annotations

from itertools import product

import numpy as np

from bgsub.frames.difference import TILE, channel_difference


def test_it_is_the_largest_of_the_channels() -> None:
    for size, channels in product([(1, 1), (3, 5), (1, TILE), (7, 293), (41, 100)], [(), (1,), (3,)]):
        first, second = np.random.default_rng(1).integers(0, 256, (2, *size, *channels)).astype(np.uint8)
        expected = np.abs(first.astype(int) - second).reshape(*size, -1).max(axis=2)
        found = channel_difference(first, second)
        assert found.dtype == np.uint8, (size, channels)
        assert np.array_equal(found, expected), (size, channels)


def test_black_and_white_are_255_apart_either_way() -> None:
    black, white = np.zeros((2, 3, 3), np.uint8), np.full((2, 3, 3), 255, np.uint8)
    assert (channel_difference(black, white) == 255).all()
    assert (channel_difference(white, black) == 255).all()


def test_parts_of_larger_pictures_are_taken() -> None:
    first, second = np.random.default_rng(2).integers(0, 256, (2, 20, 30, 3)).astype(np.uint8)[:, 3:17, 5:21]
    expected = np.abs(first.astype(int) - second).max(axis=2)
    assert np.array_equal(channel_difference(first, second), expected)
