"""Differences of windows, and the level that the masks depend least on."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from bgsub.masks.decisions import DECIDED
from bgsub.masks.significance import (
    AREA,
    FINEST,
    STEP,
    level_index,
    local_difference,
    log_significance,
    ordinary_deviation,
    stable_level,
)

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("shape", [(20, 30), (20, 30, 3), (1, 1, 3), (1, 7)])
def test_a_place_differs_by_its_window_but_by_no_more_than_the_pixel(shape):
    image, background = RNG.integers(0, 256, (2, *shape), dtype=np.uint8)
    signed = image.astype(int) - background
    window = np.ones((3, 3, 1)[: len(shape)], int)
    sums, own = np.abs(ndimage.correlate(signed, window, mode="nearest")), np.abs(signed)
    if len(shape) == 3:
        sums, own = sums.max(axis=2), own.max(axis=2)
    assert np.array_equal(local_difference(image, background), np.minimum(sums, AREA * own))


def test_an_edge_of_strong_contrast_widens_no_object():
    background = np.full((30, 30), 100, np.uint8)
    image = background.copy()
    image[10:20, 10:20] = 250
    assert np.array_equal(local_difference(image, background) > 0, image != background)


def test_the_unit_is_half_of_what_the_place_and_half_of_what_the_picture_deviates_by():
    residuals = np.full((60, 80), 2.0, np.float32)
    residuals[:, 60:] = 10
    unit = ordinary_deviation(residuals)
    assert np.allclose(unit[:, :50], 2)
    assert np.allclose(unit[:, 70:], 6)


def test_what_lies_outside_is_no_part_of_the_unit():
    inside = np.zeros((60, 80), bool)
    inside[:, :40] = True
    residuals = np.where(inside, np.float32(2), np.float32(90))
    assert np.allclose(ordinary_deviation(residuals, inside)[inside], 2)


def test_a_file_without_noise_deviates_by_half_a_grey_level():
    assert (ordinary_deviation(np.zeros((9, 9), np.float32)) == 0.25).all()


def test_a_threshold_and_the_median_filter_change_places():
    difference = RNG.integers(0, 2000, (50, 60)).astype(np.uint16)
    ordinary = np.full((50, 60), 3, np.float32)
    found = log_significance(difference, ordinary)
    z = np.maximum(difference / (AREA * 3.0) / FINEST, 1)
    steps = np.rint(np.log(z) / STEP)
    for level in (3.0, 8.0, 20.0):
        above = ndimage.median_filter((steps > level_index(level)).astype(np.uint8), 5, mode="nearest")
        assert (
            np.mean((found > level_index(level)) != (above > 0)) < 0.002
        )  # Steps at a half may round either way.


def frames(noise: float, objects: float, share: float, dtype_seed: int = 0) -> list[np.ndarray]:
    """Log significances of Gaussian noise and of objects of one contrast, spread by a fifth."""
    rng, found = np.random.default_rng(dtype_seed), []
    for _ in range(8):
        z = np.abs(rng.normal(0, noise, 40_000))
        count = int(share * z.size)
        z[:count] = objects * np.exp(rng.normal(0, 0.2, count))
        found.append(np.clip(np.rint(np.log(np.maximum(z, FINEST) / FINEST) / STEP), 0, 255).astype(np.uint8))
    return found


@pytest.mark.parametrize(
    ("noise", "objects", "share"), [(1, 20, 0.1), (1.5, 40, 0.02), (0.8, 12, 0.3), (2, 60, 0.1)]
)
def test_the_level_lies_between_the_noise_and_the_objects(noise, objects, share):
    level = stable_level(frames(noise, objects, share))
    assert 3 * noise < level < objects * np.exp(-0.6)


def test_where_nothing_passes_the_level_lies_beyond_the_noise():
    level = stable_level(frames(1, 1, 0.0))
    z = np.abs(np.random.default_rng(1).normal(0, 1, 1_000_000))
    assert np.mean(z > level) < 1e-4
    assert DECIDED.range[0] <= level <= 2 * DECIDED.level


def test_the_level_does_not_depend_on_what_lies_outside():
    inside = np.zeros(40_000, bool)
    inside[:20_000] = True
    found = [each.copy() for each in frames(1, 20, 0.1)]
    expected = stable_level(found, inside)
    for each in found:
        each[20_000:] = 200
    assert stable_level(found, inside) == expected
