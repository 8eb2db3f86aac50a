"""Cleaning, held against definitions by labelled components."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import ndimage

from bgsub.masks.clean import (
    clean,
    default_min_area,
    drop_small_objects,
    fill_small_holes,
)

Mask = NDArray[np.uint8]


def without_small_objects(mask: Mask, area: int) -> Mask:
    labels, count = ndimage.label(mask, np.ones((3, 3)))
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    return np.where((labels > 0) & (sizes[labels] >= area), 255, 0).astype(np.uint8)


def without_small_holes(mask: Mask, area: int) -> Mask:
    labels, count = ndimage.label(mask == 0)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    border = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    is_hole = (labels > 0) & ~np.isin(labels, border) & (sizes[labels] < area)
    return np.where(is_hole, 255, mask).astype(np.uint8)


@st.composite
def masks(draw: Any) -> Mask:
    """Random masks: scattered pixels of any density, or blobs with holes, of 1 × 1 to 30 × 40 pixels."""
    height, width = draw(st.integers(1, 30)), draw(st.integers(1, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = rng.random((height, width))
    for _ in range(draw(st.integers(0, 2))):
        values = ndimage.uniform_filter(values, 3, mode="nearest")
    share = draw(st.sampled_from([0.05, 0.2, 0.4, 0.5, 0.6, 0.8, 0.95]))
    return np.where(values <= np.quantile(values, share), 255, 0).astype(np.uint8)


def rings(side: int) -> Mask:
    """Squares around squares, one pixel thick, one pixel apart."""
    y, x = np.mgrid[:side, :side]
    distance = np.maximum(abs(y - side // 2), abs(x - side // 2))
    return np.where(distance % 2 == 0, 255, 0).astype(np.uint8)


@settings(max_examples=100, deadline=None)
@given(mask=masks(), area=st.integers(0, 60))
def test_exactly_the_8_connected_objects_below_the_area_are_dropped(mask: Mask, area: int) -> None:
    found = mask.copy()
    drop_small_objects(found, area)
    assert np.array_equal(found, without_small_objects(mask, area))


@settings(max_examples=100, deadline=None)
@given(mask=masks(), area=st.integers(0, 60))
def test_exactly_the_enclosed_4_connected_holes_below_the_area_are_filled(mask: Mask, area: int) -> None:
    found = mask.copy()
    fill_small_holes(found, area)
    assert np.array_equal(found, without_small_holes(mask, area))


@settings(max_examples=60, deadline=None)
@given(mask=masks(), area=st.integers(0, 60))
def test_clean_is_the_median_then_holes_then_objects_and_no_more_of_either_is_left(
    mask: Mask, area: int
) -> None:
    before = mask.copy()
    smooth = ndimage.median_filter(mask, 5, mode="nearest")
    expected = without_small_objects(without_small_holes(smooth, area), area)
    found = clean(mask, area)
    assert found.dtype == np.uint8
    assert np.array_equal(found, expected)
    assert np.array_equal(mask, before)
    twice = found.copy()
    fill_small_holes(twice, area)
    drop_small_objects(twice, area)
    assert np.array_equal(twice, found)


def test_nested_rings_are_judged_one_by_one() -> None:
    for area, turned in product((2, 8, 9, 16, 17, 24, 25, 40, 60, 90, 400), (False, True)):
        mask = np.pad(255 - rings(19) if turned else rings(19), 2)
        filled, dropped = mask.copy(), mask.copy()
        fill_small_holes(filled, area)
        drop_small_objects(dropped, area)
        assert np.array_equal(filled, without_small_holes(mask, area))
        assert np.array_equal(dropped, without_small_objects(mask, area))


def test_a_thin_moat_around_a_large_island_is_a_small_hole() -> None:
    mask = np.full((40, 40), 255, np.uint8)
    mask[5:35, 5:35] = 0
    mask[6:34, 6:34] = 255
    moat = int((mask == 0).sum())
    kept, filled = mask.copy(), mask.copy()
    fill_small_holes(kept, moat)
    fill_small_holes(filled, moat + 1)
    assert np.array_equal(kept, mask)
    assert (filled == 255).all()


def test_a_large_island_outlives_the_small_ring_around_it() -> None:
    mask = np.zeros((40, 40), np.uint8)
    mask[5:35, 5:35] = 255
    mask[6:34, 6:34] = 0
    mask[8:32, 8:32] = 255
    drop_small_objects(mask, 200)
    assert mask[8:32, 8:32].all()
    assert (mask > 0).sum() == 24 * 24


def test_objects_that_touch_by_a_corner_are_one_and_holes_that_do_are_two() -> None:
    mask = np.zeros((9, 9), np.uint8)
    mask[1:4, 1:4] = mask[4:7, 4:7] = 255
    drop_small_objects(mask, 18)
    assert (mask > 0).sum() == 18
    holes = 255 - mask
    fill_small_holes(holes, 10)
    assert (holes == 255).all()


def test_a_bay_of_the_border_is_no_hole() -> None:
    mask = np.full((6, 6), 255, np.uint8)
    mask[0, 2] = mask[1, 2] = mask[5, 5] = 0
    found = mask.copy()
    fill_small_holes(found, 10)
    assert np.array_equal(found, mask)


def test_no_area_is_left_to_the_median_alone() -> None:
    for area in (0, 1):
        mask = np.where(np.random.default_rng(3).random((60, 80)) < 0.45, 255, 0).astype(np.uint8)
        assert np.array_equal(clean(mask, area), ndimage.median_filter(mask, 5, mode="nearest"))


def test_a_uniform_mask_stays_when_it_is_large_enough() -> None:
    for value, size in product((0, 255), ((1, 1), (1, 30), (30, 1), (48, 64))):
        mask = np.full(size, value, np.uint8)
        assert np.array_equal(clean(mask, size[0] * size[1]), mask)
        assert not clean(mask, size[0] * size[1] + 2).any()


def test_the_automatic_area_is_a_ten_thousandth_of_the_picture() -> None:
    assert default_min_area(768 * 576) == 44
    assert default_min_area(1) == 0
