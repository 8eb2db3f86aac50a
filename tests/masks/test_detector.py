"""From a frame and its background to a mask."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import ndimage

from bgsub.masks.clean import clean
from bgsub.masks.decisions import DECIDED
from bgsub.masks.detector import Detector
from bgsub.masks.significance import local_difference
from bgsub.masks.thresholds import Thresholds

SHAPE = 80, 120
LEAST = 8
RNG = np.random.default_rng(8)
OBJECT = np.zeros(SHAPE, bool)
OBJECT[25:57, 76:104] = True


def wall(channels: int) -> np.ndarray:
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    plain = 120 + 25 * np.sin(x / 9) + 15 * np.cos(y / 7)
    return (
        (np.stack([plain + 3 * k for k in range(3)], axis=2) if channels == 3 else plain)
        .round()
        .astype(np.uint8)
    )


@pytest.mark.parametrize("channels", [1, 3])
def test_a_mask_is_what_exceeds_the_threshold_of_its_place_cleaned(channels):
    background = wall(channels)
    image = np.clip(background + RNG.normal(0, 12, background.shape), 0, 255).astype(np.uint8)
    image[OBJECT] = np.clip(image[OBJECT].astype(int) + 40, 0, 255)
    levels = Thresholds.of(RNG.uniform(1, 6, SHAPE).astype(np.float32), 6.0)
    difference, mask = Detector(levels, LEAST)(image, background)
    apart = np.abs(image.astype(int) - background)
    assert np.array_equal(difference, apart.max(axis=2) if channels == 3 else apart)
    sums = local_difference(image, background)
    peak = ndimage.grey_dilation(sums, (DECIDED.blur, DECIDED.blur), mode="nearest")
    above = (sums > levels.sums) & (sums > np.floor(np.float32(DECIDED.edge) * peak.astype(np.float32)))
    assert np.array_equal(mask, clean(np.where(above, 255, 0).astype(np.uint8), LEAST))
    assert mask[OBJECT].mean() > 0.9 * 255


def test_a_fixed_threshold_is_the_pixels_own():
    background = wall(1)
    image = background + np.where(OBJECT, 31, 30).astype(np.uint8)
    _, mask = Detector(Thresholds.fixed(SHAPE, 30), 0)(image, background)
    assert mask[30:50, 80:100].all()
    assert not mask[~ndimage.binary_dilation(OBJECT)].any()


def test_where_the_scene_moves_by_itself_more_is_needed():
    unit = np.full(SHAPE, 1, np.float32)
    unit[:, 60:] = 8
    detector = Detector(Thresholds.of(unit, 7.0), LEAST)
    background = wall(1)
    image = background.copy()
    image[20:40, 20:40] += 20
    image[20:40, 80:100] += 20
    mask = detector(image, background)[1]
    assert mask[22:38, 22:38].all()
    assert not mask[:, 60:].any()


def test_the_input_is_left_alone_and_threads_may_share_a_detector():
    detector, background = Detector(Thresholds.of(np.ones(SHAPE, np.float32), 7.0), LEAST), wall(3)
    images = [
        np.clip(background + RNG.normal(0, 9, background.shape), 0, 255).astype(np.uint8) for _ in range(8)
    ]
    before = [image.copy() for image in images]
    alone = [detector(image, background)[1] for image in images]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda image: detector(image, background)[1], images))
    assert all(map(np.array_equal, alone, together))
    assert all(map(np.array_equal, images, before))
    assert np.array_equal(background, wall(3))


def test_small_objects_are_not_looked_for_beside_a_fixed_threshold():
    difference, mask = np.zeros(SHAPE, np.uint8), np.zeros(SHAPE, np.uint8)
    difference[40:43, 40:43] = 200
    assert Detector(Thresholds.fixed(SHAPE, 30), 0).small_objects(difference, mask) is None
    found = Detector(Thresholds.of(np.ones(SHAPE, np.float32), 7.0), 0).small_objects(difference, mask)
    assert found is not None
    assert np.array_equal(found > 0, difference > 0)
