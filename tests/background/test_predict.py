"""The picture of the background for given coefficients."""

from __future__ import annotations

from itertools import product

import numpy as np

from bgsub.background.predict import TILE, predict


def predicted(offset: np.ndarray, components: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    picture = np.empty(len(offset), np.uint8)
    predict(np.float32(offset), np.float32(components), np.float32(coefficients), picture)
    return picture


def expected(offset: np.ndarray, components: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    return np.clip(np.floor(offset + coefficients @ components + 0.5), 0, 255).astype(np.uint8)


def test_the_picture_is_the_rounded_and_limited_sum() -> None:
    for rank, rows in product((0, 1, 2, 5), (1, 100, TILE - 1, TILE, TILE + 1, 3 * TILE + 17)):
        rng = np.random.default_rng(rank)
        # Quarters are exact in float32, so every value can be compared, ties and limits included.
        offset = rng.integers(-400, 1500, rows) / 4
        components = rng.integers(-20, 20, (rank, rows)) / 4
        coefficients = rng.integers(-9, 9, rank).astype(float)
        assert np.array_equal(
            predicted(offset, components, coefficients), expected(offset, components, coefficients)
        )


def test_halves_are_rounded_up_and_the_scale_ends_at_black_and_white() -> None:
    offset = np.array([-1e6, -0.6, -0.5, 0.49, 0.5, 1.5, 254.49, 254.5, 255.4, 1e6])
    found = predicted(offset, np.zeros((0, 10)), np.zeros(0))
    assert found.tolist() == [0, 0, 0, 0, 1, 2, 254, 255, 255, 255]
