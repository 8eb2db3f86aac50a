"""Thresholds in the units of each place."""

from __future__ import annotations

import numpy as np
import pytest

from bgsub.masks.significance import AREA, SIDE
from bgsub.masks.thresholds import HIGHEST, Thresholds

SHAPE = 40, 60
ORDINARY = np.random.default_rng(2).uniform(0.3, 30, SHAPE).astype(np.float32)


@pytest.mark.parametrize("sensitivity", [0.25, 1.0, 1.3, 7.7])
def test_a_sum_or_a_pixel_exceeds_the_whole_level_exactly_when_it_exceeds_the_real_one(sensitivity):
    found = Thresholds.of(ORDINARY, 7.0, sensitivity)
    levels = np.float64(7.0 / sensitivity) * ORDINARY
    assert found.sums is not None
    pairs = (found.sums.astype(int), AREA * levels, HIGHEST), (found.pixels.astype(int), SIDE * levels, 255)
    for whole, real, highest in pairs:
        wanted = np.minimum(real, highest)
        assert (whole <= wanted + 1e-3).all()
        assert (whole + 1 > wanted - 1e-3).all()


def test_the_reason_tells_the_levels_inside():
    inside = np.zeros(SHAPE, bool)
    inside[10:30, 20:50] = True
    told = Thresholds.of(np.where(inside, np.float32(2), np.float32(20)), 6.0, 2.0, inside).reason
    assert told.startswith("threshold 6.0 grey levels in the median, 6.0 to 6.0: 3.0 times")


@pytest.mark.parametrize("threshold", [0, 0.5, 24.9, 25, 254.2, 255])
def test_a_threshold_asked_for_is_the_same_for_every_pixel(threshold):
    found = Thresholds.fixed(SHAPE, threshold)
    assert found.sums is None
    differences = np.arange(256)
    assert np.array_equal(differences > found.pixels[0, 0], differences > threshold)
    assert (found.pixels == found.pixels[0, 0]).all()
    assert f"{threshold:g} grey levels: as asked for" in found.reason
