"""The objects of one mask, against SciPy's labels and plain sums."""

from __future__ import annotations

import math

import numpy as np
import pytest
from event_kit import mask_of
from scipy import ndimage

from bgsub.events.objects import find_objects, part, union


def random_blobs(seed: int, shape: tuple[int, int]) -> np.ndarray:
    """Smooth blobs of all sizes."""
    rng = np.random.default_rng(seed)
    return np.where(ndimage.gaussian_filter(rng.standard_normal(shape), 4) > 0.08, 255, 0).astype(np.uint8)


@pytest.mark.parametrize("shape", [(60, 80), (37, 211)])
@pytest.mark.parametrize("color", [False, True])
def test_objects_are_what_is_connected_once_narrow_gaps_are_closed(shape, color):
    rng = np.random.default_rng(5)
    mask, score = random_blobs(1, shape), rng.integers(0, 256, shape, dtype=np.uint8)
    image = rng.integers(0, 256, (*shape, 3) if color else shape, dtype=np.uint8)
    side = 2 * math.ceil(0.01 * math.hypot(*shape) / 2) + 1
    closed = ndimage.binary_closing(np.pad(mask > 0, side), np.ones((side, side)))[side:-side, side:-side]
    labels, count = ndimage.label(ndimage.binary_fill_holes(closed), np.ones((3, 3)))
    labels[mask == 0] = 0
    found = find_objects(mask, score, image)
    assert len(found) == count > 5
    by_corner = {each.box: each for each in found}
    for index, place in enumerate(ndimage.find_objects(labels), 1):
        inside = labels[place] == index
        rows, columns = np.nonzero(labels == index)
        height, width = inside.shape
        each = by_corner[place[1].start, place[0].start, width, height]
        assert each.area == inside.sum()
        assert np.array_equal(each.pixels > 0, inside)
        assert each.centre == pytest.approx((columns.mean(), rows.mean()))
        assert each.contrast == pytest.approx(score[rows, columns].mean())
        assert each.colour == pytest.approx(np.broadcast_to(image[rows, columns].mean(axis=0), 3))


@pytest.mark.parametrize(("shape", "bridged"), [((120, 200), 4), ((480, 640), 8), ((60, 80), 2)])
def test_a_gap_of_a_hundredth_of_the_diagonal_does_not_part_an_object(shape, bridged):
    for gap in range(1, 12):
        mask = mask_of([(10, 10, 20, 10), (10, 20 + gap, 20, 10)], shape)
        assert len(find_objects(mask, mask, mask)) == (1 if gap <= bridged else 2), gap


def test_an_empty_mask_holds_nothing():
    assert find_objects(*[np.zeros((20, 30), np.uint8)] * 3) == []


def test_two_objects_together_are_what_they_are_in_one_mask():
    mask = mask_of([(5, 6, 9, 20), (60, 40, 30, 3)])
    rng = np.random.default_rng(0)
    score, image = (rng.integers(0, 256, shape, dtype=np.uint8) for shape in (mask.shape, (*mask.shape, 3)))
    one, other = find_objects(mask, score, image)
    whole = one.joined(other)
    assert whole.box == union(one.box, other.box) == (5, 6, 85, 37)
    assert np.array_equal(whole.pixels, mask[6:43, 5:90])
    inside = mask > 0
    rows, columns = np.nonzero(inside)
    assert whole.area == inside.sum()
    assert whole.centre == pytest.approx((columns.mean(), rows.mean()))
    assert whole.contrast == pytest.approx(score[inside].mean())
    assert whole.colour == pytest.approx(image[inside].mean(axis=0))


def test_a_part_is_what_lies_in_the_box():
    mask = mask_of([(10, 10, 30, 20)])
    [whole] = find_objects(mask, mask, mask)
    assert part(whole, (0, 0, 20, 15)).box == (10, 10, 10, 5)
    assert part(whole, (0, 0, 20, 15)).area == 50
    # The box of a part is that of its pixels.
    ragged = mask.copy()
    ragged[10:30, 10:17] = 0
    [whole] = find_objects(ragged, ragged, ragged)
    assert part(whole, (0, 0, 20, 15)).box == (17, 10, 3, 5)
    for beside in ((40, 10, 5, 5), (0, 0, 10, 50), (100, 100, 3, 3)):
        assert part(whole, beside) is None
