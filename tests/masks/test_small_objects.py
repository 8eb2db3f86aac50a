"""Objects of a few pixels live when they persist."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgsub.masks.clean import median
from bgsub.masks.small_objects import FRAMES, MOST, REACH, Persistence, find_small_objects

SHAPE = (120, 160)


def picture(*places: tuple[int, int], side: int = 2, level: int = 90) -> NDArray[np.uint8]:
    """Differences of *level* in squares at these places, 0 elsewhere."""
    out = np.zeros(SHAPE, np.uint8)
    for y, x in places:
        out[y : y + side, x : x + side] = level
    return out


def found(difference: NDArray[np.uint8], mask: NDArray[np.uint8] | None = None) -> NDArray[np.uint8] | None:
    empty = np.zeros(SHAPE, np.uint8)
    return find_small_objects(difference, np.full(SHAPE, 25, np.uint8), empty if mask is None else mask)


def test_three_neighbours_are_a_speck_and_one_pixel_or_two_are_none() -> None:
    assert np.array_equal(found(picture((20, 30))), np.where(picture((20, 30)), 255, 0))
    assert found(picture((20, 30), side=1)) is None
    pair = picture((20, 30), side=1) | picture((20, 31), side=1)
    assert found(pair) is None
    assert found(picture((20, 30), level=25)) is None


def test_specks_have_at_least_the_pixels_that_are_asked_for() -> None:
    for least, sides in ((0, (2, 3, 4)), (1, (2, 3, 4)), (9, (3, 4)), (10, (4,)), (17, ())):
        difference = picture((20, 30)) | picture((20, 60), side=3) | picture((20, 90), side=4)
        kept = find_small_objects(
            difference, np.full(SHAPE, 25, np.uint8), np.zeros(SHAPE, np.uint8), None, least
        )
        assert (0 if kept is None else np.count_nonzero(kept)) == sum(side * side for side in sides)


def test_edges_count_with_the_object_that_they_belong_to() -> None:
    difference = picture((20, 30), side=4)
    core = median(np.where(difference, 255, 0).astype(np.uint8))
    assert np.count_nonzero(core) > 0
    edges = find_small_objects(difference, np.full(SHAPE, 25, np.uint8), core, None, 16)
    assert edges is not None
    assert np.array_equal(edges | core, np.where(difference, 255, 0))


def test_a_ragged_edge_is_no_small_object() -> None:
    mask = np.zeros(SHAPE, np.uint8)
    mask[10:30, 10:30] = 255
    assert found(picture((20, 37)), mask) is None
    assert found(picture((20, 41)), mask) is not None


def test_what_the_median_leaves_of_a_narrow_object_gets_its_edges_back() -> None:
    for side in (4, 5, 6):
        difference = picture((20, 30), side=side)
        core = median(np.where(difference, 255, 0).astype(np.uint8))
        assert 0 <= np.count_nonzero(core) < side * side * 0.7
        persistent = Persistence()
        masks = [persistent(core, found(difference, core)) for _ in range(FRAMES)]
        assert np.array_equal(masks[-1], np.where(difference, 255, 0))


def test_a_shadow_that_was_taken_out_of_the_mask_does_not_come_back_in_small_objects() -> None:
    difference, empty = picture((20, 30), side=4), np.zeros(SHAPE, np.uint8)
    shadow = picture((21, 31), level=255)
    assert found(difference) is not None
    assert find_small_objects(difference, np.full(SHAPE, 25, np.uint8), empty, shadow) is None


def test_places_that_are_left_out_have_none_and_a_texture_has_none() -> None:
    sure = np.full(SHAPE, 255, np.uint8)
    assert find_small_objects(picture((20, 30)), sure, np.zeros(SHAPE, np.uint8)) is None
    many = [(y, x) for y in range(2, 118, 8) for x in range(2, 158, 8)]
    assert len(many) * 4 > MOST * 120 * 160
    assert found(picture(*many)) is None


def test_a_speck_is_let_in_once_it_was_there_in_the_frames_before() -> None:
    for step in (0, 1, REACH):
        persistent, empty = Persistence(), np.zeros(SHAPE, np.uint8)
        for index in range(6):
            small_objects = found(picture((20, 20 + step * index)))
            assert small_objects is not None
            out = persistent(empty, small_objects)
            assert np.array_equal(out, small_objects if index >= FRAMES - 1 else empty)


def test_what_flashes_or_jumps_is_not_let_in_and_the_mask_is_left_as_it_is() -> None:
    mask = picture((90, 100), side=9, level=255)
    for gaps in (0.0, 0.2):
        persistent, rng = Persistence(), np.random.default_rng(1)
        for index in range(30):
            y, x = (7 * index) % 30, (13 * index) % 50
            small_objects = found(picture((y, x))) if rng.random() >= gaps else None
            assert np.array_equal(persistent(mask, small_objects), mask)


def test_a_gap_starts_anew_and_the_mask_keeps_its_own() -> None:
    persistent, mask = Persistence(), picture((40, 60), side=9, level=255)
    small_objects = found(picture((20, 20)))
    seen = [
        persistent(mask, each)
        for each in (small_objects, small_objects, None, small_objects, small_objects, small_objects)
    ]
    for out in seen[:5]:
        assert np.array_equal(out, mask)
    assert np.array_equal(seen[5], mask | small_objects)
