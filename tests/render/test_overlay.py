from __future__ import annotations

import dataclasses
from dataclasses import replace

import numpy as np
import pytest
from render_kit import view

from bgsub.errors import OptionError
from bgsub.render.boxes import Boxes, colour_of
from bgsub.render.lettering import HALO
from bgsub.render.overlay import REGION, Overlay, border

YELLOW = (255, 240, 0)


def test_far_from_the_mask_the_frame_is_untouched() -> None:
    given = view()
    drawn = Overlay().draw(given)
    far = np.ones(given.mask.shape, bool)
    far[9:21, 19:36] = False
    assert np.array_equal(drawn[far], given.image[far])


def test_the_outline_is_the_border_of_the_mask_with_a_dark_rim_around_it() -> None:
    drawn = Overlay(contour=YELLOW).draw(view())
    for row in (10, 19):
        assert (drawn[row, 20:35] == YELLOW).all()
    for column in (20, 34):
        assert (drawn[10:20, column] == YELLOW).all()
    assert (drawn[9, 19:36] == HALO).all()
    assert (drawn[20, 19:36] == HALO).all()
    assert (drawn[9:21, 19] == HALO).all()
    assert (drawn[9:21, 35] == HALO).all()


def test_inside_the_outline_the_frame_shines_through_the_tint() -> None:
    given = view()
    drawn = Overlay(tint=(200, 0, 100), opacity=0.4).draw(given)
    expected = 0.6 * given.image[11:19, 21:34] + 0.4 * np.array([200, 0, 100])
    assert np.abs(drawn[11:19, 21:34] - expected).max() <= 0.5 + 1e-9


def test_outline_and_rim_differ_from_each_other_and_one_of_them_from_any_scene() -> None:
    for level in [0, 64, 128, 192, 255]:
        given = view()
        given.image[...] = level
        drawn = Overlay().draw(given).astype(int)
        outline, rim, scene = (drawn[row, 27].mean() for row in (10, 9, 5))
        assert abs(outline - rim) > 100, level
        assert max(abs(outline - scene), abs(rim - scene)) > 80, level


def test_one_moving_pixel_is_marked() -> None:
    given = view()
    given.mask[...] = 0
    given.mask[5, 5] = 255
    drawn = Overlay().draw(given)
    assert tuple(drawn[5, 5]) == Overlay().contour
    assert (drawn[[4, 4, 4, 5, 5, 6, 6, 6], [4, 5, 6, 4, 6, 4, 5, 6]] == HALO).all()


def test_what_touches_the_edge_of_the_picture_is_outlined_there() -> None:
    given = view()
    given.mask[...] = 0
    given.mask[:8, :8] = 255
    drawn = Overlay().draw(given)
    assert (drawn[0, :8] == Overlay().contour).all()
    assert (drawn[:8, 0] == Overlay().contour).all()


def test_gray_footage_gets_coloured_marks_on_gray() -> None:
    given = view(color=False)
    drawn = Overlay().draw(given)
    assert np.array_equal(drawn[30, 50], [given.image[30, 50]] * 3)
    assert tuple(drawn[10, 25]) == Overlay().contour


def test_a_region_of_interest_is_framed_and_the_whole_picture_is_not() -> None:
    given = view(inside=(5, 35, 10, 50))
    given.mask[...] = 0
    drawn = Overlay().draw(given)
    assert (drawn[5, 10:50] == REGION).all()
    assert (drawn[34, 10:50] == REGION).all()
    assert (drawn[5:35, 49] == REGION).all()
    assert (drawn[4, 9:51] == HALO).all()
    assert np.array_equal(drawn[6:34, 11:49], given.image[6:34, 11:49])
    whole = dataclasses.replace(given, inside=(0, 40, 0, 60))
    assert np.array_equal(Overlay().draw(whole), given.image)


def test_a_region_that_is_no_rectangle_is_framed_along_its_edge() -> None:
    outline = np.zeros((40, 60), np.uint8)
    outline[5:20, 10:50] = outline[20:35, 10:30] = 255
    given = dataclasses.replace(view(inside=(5, 35, 10, 50)), outline=outline)
    given.mask[...] = 0
    drawn = Overlay().draw(given)
    assert (drawn[19, 30:50] == REGION).all()
    assert (drawn[20:35, 29] == REGION).all()
    assert (drawn[21:36, 30] == HALO).all()
    assert np.array_equal(drawn[22:, 31:], given.image[22:, 31:])
    assert np.array_equal(drawn[6:34, 11:29], given.image[6:34, 11:29])


def test_lines_grow_with_the_picture() -> None:
    given = view(960, 1200)
    drawn = Overlay().draw(given)
    assert (drawn[[10, 11], 25] == Overlay().contour).all()
    assert (drawn[[8, 9], 25] == HALO).all()
    assert not (drawn[12, 25] == Overlay().contour).all()


def test_border_splits_the_edge_into_inside_and_outside() -> None:
    mask = np.zeros((9, 9), np.uint8)
    mask[3:6, 3:6] = 255
    line, rim = border(mask, 1)
    assert line.sum() // 255 == 8
    assert line[4, 4] == 0
    assert rim.sum() // 255 == 16
    assert not (line & rim).any()


def test_an_impossible_opacity_is_refused() -> None:
    for opacity in [-0.1, 1.1, float("nan")]:
        with pytest.raises(OptionError, match="opacity must lie between 0 and 1"):
            Overlay(opacity=opacity)


def test_only_the_box_around_the_mask_is_looked_at_and_nothing_is_missed() -> None:
    for place in [(0, 0, 3, 4), (36, 55, 4, 5), (10, 20, 9, 30), (0, 30, 40, 1)]:
        given = view()
        top, left, height, width = place
        given.mask[...] = 0
        given.mask[top : top + height, left : left + width] = 255
        given.mask[top, left] = 0
        whole = given.image.copy()
        Overlay()._mark(whole, given.mask, 1)
        assert np.array_equal(Overlay().draw(given), whole), place


def test_an_empty_mask_leaves_the_frame_as_it_is() -> None:
    given = view()
    given.mask[...] = 0
    assert np.array_equal(Overlay().draw(given), given.image)


def test_time_and_numbers_are_written_on_request_and_nowhere_else():
    plain = view(120, 160)
    box = (20, 60, 15, 10)
    for extra, where in (
        ({"caption": "00:00:01.000"}, (slice(100, 120), slice(0, 110))),
        ({"numbered": True, "marks": ((7, box),)}, (slice(40, 62), slice(18, 40))),
    ):
        before, after = Overlay().draw(plain), Overlay().draw(replace(plain, **extra))
        changed = (before != after).any(axis=2)
        assert changed[where].sum() > 20
        changed[where] = False
        assert not changed.any()
    assert np.array_equal(Overlay().draw(plain), Overlay().draw(replace(plain, marks=((7, box),))))


def test_boxes_frame_their_tracks_and_leave_the_inside_alone():
    plain = view(120, 160)
    box = (60, 50, 20, 30)
    drawn = Boxes().draw(replace(plain, marks=((3, box),)))
    assert np.array_equal(drawn[50:80, 60:80], plain.image[50:80, 60:80])
    # Below and on the right, where the number is not.
    assert (drawn[80, 60:80] == colour_of(3)).all()
    assert (drawn[50:80, 80] == colour_of(3)).all()
    assert len({colour_of(number) for number in range(1, 9)}) == 8
