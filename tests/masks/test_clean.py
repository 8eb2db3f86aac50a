"""Cleaning, held against definitions by labelled components."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import ndimage
from skimage import filters, measure

from bgsub.masks.clean import (
    _Outlines,
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


def drop_uncertain_objects(mask: Mask, certain: Mask, seeds: int) -> None:
    outlines = _Outlines.of(mask)
    outlines.drop(mask, lambda each: not outlines.is_certain(each, certain, seeds))


def certain_objects(mask: Mask, certain: Mask, seeds: int) -> Mask:
    """Objects with so many certain pixels, or half of theirs, one at least: by labelled components."""
    labels, count = measure.label(mask > 0, connectivity=2, return_num=True)  # type: ignore[no-untyped-call]
    kept = np.zeros_like(mask)
    for index in range(1, count + 1):
        own = labels == index
        found = np.count_nonzero(certain[own])
        if found >= 1 and (found >= seeds or 2 * found >= np.count_nonzero(own)):
            kept[own] = 255
    return kept


@settings(max_examples=60, deadline=None)
@given(mask=masks(), seed=st.integers(0, 2**32 - 1), seeds=st.integers(0, 40), share=st.floats(0, 1))
def test_exactly_the_objects_without_enough_certain_pixels_are_dropped(
    mask: Mask, seed: int, seeds: int, share: float
) -> None:
    # Certain pixels beside an object, in its holes and in other objects there, are none of its own.
    certain = np.where(np.random.default_rng(seed).random(mask.shape) < share**3, 255, 0).astype(np.uint8)
    before, found = certain.copy(), mask.copy()
    drop_uncertain_objects(found, certain, seeds)
    assert np.array_equal(found, certain_objects(mask, certain, seeds))
    assert np.array_equal(certain, before)


def test_with_one_seed_it_is_hysteresis_thresholding() -> None:
    compared = kept = 0
    for seed in range(80):
        values = ndimage.uniform_filter(np.random.default_rng(seed).random((40, 50)), 5, mode="nearest")
        low, high = np.quantile(values, [0.9, 0.985])
        # The library's objects are 4-connected.
        if ndimage.label(values > low)[1] != ndimage.label(values > low, np.ones((3, 3)))[1]:
            continue
        expected = filters.apply_hysteresis_threshold(values, low, high)  # type: ignore[no-untyped-call]
        found = np.where(values > low, 255, 0).astype(np.uint8)
        drop_uncertain_objects(found, np.where(values > high, 255, 0).astype(np.uint8), 1)
        assert np.array_equal(found > 0, expected)
        compared += 1
        kept += 0 < expected.sum() < (values > low).sum()
    assert compared > 10
    assert kept > 10


@settings(max_examples=40, deadline=None)
@given(values=masks(), mask=masks(), area=st.integers(0, 40), seeds=st.integers(0, 80))
def test_clean_drops_what_no_median_of_certain_pixels_supports(
    values: Mask, mask: Mask, area: int, seeds: int
) -> None:
    certain = np.zeros_like(mask)
    height, width = (min(sides) for sides in zip(values.shape, mask.shape, strict=True))
    certain[:height, :width] = values[:height, :width]
    before = certain.copy()
    supported = ndimage.median_filter(certain, 5, mode="nearest")
    assert np.array_equal(
        clean(mask, area, certain, seeds), certain_objects(clean(mask, area), supported, seeds)
    )
    assert np.array_equal(certain, before)


def test_an_object_is_kept_by_its_core_but_not_by_that_of_the_island_in_its_hole() -> None:
    mask, certain = np.zeros((40, 40), np.uint8), np.zeros((40, 40), np.uint8)
    mask[5:35, 5:35] = 255
    mask[9:31, 9:31] = 0
    mask[14:26, 14:26] = certain[14:26, 14:26] = 255
    found = mask.copy()
    drop_uncertain_objects(found, certain, 20)
    assert np.array_equal(found, certain)
    certain[5:8, 5:12] = 255
    found = mask.copy()
    drop_uncertain_objects(found, certain, 20)
    assert np.array_equal(found, mask)


def test_half_of_a_small_object_is_enough() -> None:
    mask, certain = np.zeros((20, 20), np.uint8), np.zeros((20, 20), np.uint8)
    mask[4:8, 4:8] = 255
    certain[4:8, 4:6] = 255
    found = mask.copy()
    drop_uncertain_objects(found, certain, 100)
    assert np.array_equal(found, mask)
    certain[4, 4] = 0
    drop_uncertain_objects(found, certain, 100)
    assert not found.any()


def test_an_empty_mask_has_no_objects_to_drop() -> None:
    for size in ((1, 1), (1, 30), (48, 64)):
        mask = np.zeros(size, np.uint8)
        drop_uncertain_objects(mask, np.full(size, 255, np.uint8), 1)
        assert not mask.any()


def test_all_pixels_certain_is_as_if_nothing_were_said() -> None:
    mask = np.where(np.random.default_rng(5).random((60, 80)) < 0.45, 255, 0).astype(np.uint8)
    assert clean(mask, 8).any()
    assert np.array_equal(clean(mask, 8, np.full_like(mask, 255), 32), clean(mask, 8))
