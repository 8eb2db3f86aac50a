"""The residual as one number a pixel."""

from __future__ import annotations

import numpy as np

from bgsub.masks.score import score

SIZES = [(1, 1), (1, 9), (9, 1), (4, 3), (37, 53)]


def test_gray_score_is_the_absolute_difference() -> None:
    for size in SIZES:
        image, background = np.random.default_rng(0).integers(0, 256, (2, *size), dtype=np.uint8)
        found = score(image, background)
        assert found.dtype == np.uint8
        assert np.array_equal(found, np.abs(image.astype(int) - background))


def test_colour_score_is_the_largest_of_the_three_differences() -> None:
    for size in SIZES:
        image, background = np.random.default_rng(1).integers(0, 256, (2, *size, 3), dtype=np.uint8)
        found = score(image, background)
        assert found.shape == size
        assert np.array_equal(found, np.abs(image.astype(int) - background).max(axis=2))


def test_black_against_white_does_not_wrap_around() -> None:
    black, white = np.zeros((2, 2, 3), np.uint8), np.full((2, 2, 3), 255, np.uint8)
    assert (score(black, white) == 255).all()
    assert (score(white, black) == 255).all()


def test_a_picture_against_itself_scores_nothing_and_is_not_changed() -> None:
    image = np.random.default_rng(2).integers(0, 256, (5, 6, 3), dtype=np.uint8)
    before = image.copy()
    assert not score(image, image).any()
    assert np.array_equal(image, before)
