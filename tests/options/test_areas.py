"""Parts of a picture, as people write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgsub.frames.region import decode_mask
from bgsub.options.areas import (
    EmbeddedMask,
    PictureFile,
    Polygon,
    Rectangle,
    encode_mask,
    parse_area,
    read_areas,
)

COORDINATES = st.integers(0, 5000) | st.floats(0, 5000).map(lambda x: round(x, 3))


TEXTS = {
    "1,2,30,40": Rectangle(1, 2, 30, 40),
    " 1, 2 ,30,  40 ": Rectangle(1, 2, 30, 40),
    "0,0 10,0 10.5,7": Polygon(((0, 0), (10, 0), (10.5, 7))),
    "0,0;10,0; 10,7 ;0,7;": Polygon(((0, 0), (10, 0), (10, 7), (0, 7))),
    "0, 0  10, 0\n10, 7": Polygon(((0, 0), (10, 0), (10, 7))),
    "@sky.png": PictureFile("sky.png"),
    "@1,2,3,4": PictureFile("1,2,3,4"),
    "masks/the sky, west.PNG": PictureFile("masks/the sky, west.PNG"),
    "ROI.bmp": PictureFile("ROI.bmp"),
}
NO_AREAS = ["", " ", "@", "1,2,3", "1,2,3,4,5", "1,2,3,4.5", "1,2", "1,2,3,4 5,6,7,8", "a,b,c,d", "sky", "1,2 3,4 5",
            "1,2 nan,4 5,6"]  # fmt: skip


def test_text_is_read_as_the_area_it_looks_like():
    assert {text: parse_area(text) for text in TEXTS} == TEXTS
    assert {text: parse_area(str(area)) for text, area in TEXTS.items()} == TEXTS


def test_what_is_no_area_says_what_one_looks_like():
    says = r"expected x,y,width,height, or a polygon x,y x,y x,y, or a picture @FILE"
    for text in NO_AREAS:
        with pytest.raises(ValueError, match=says):
            parse_area(text)


def test_two_points_are_no_polygon():
    with pytest.raises(ValueError, match="a polygon has at least 3 points, and this one has 2"):
        parse_area("1,2 3,4")


@given(st.lists(st.tuples(COORDINATES, COORDINATES), min_size=3, max_size=8))
def test_a_polygon_is_read_back_exactly(points):
    area = Polygon(tuple((float(x), float(y)) for x, y in points))
    assert parse_area(str(area)) == area


PYTHON = [
    ("1,2,3,4", ["1,2,3,4"]),
    ((1, 2, 3, 4), ["1,2,3,4"]),
    (np.array([1, 2, 3, 4]), ["1,2,3,4"]),
    ([1, 2, 3.0, np.int64(4)], ["1,2,3,4"]),
    ([(0, 0), (5, 0), (5.5, 5)], ["0,0 5,0 5.5,5"]),
    (np.array([(0, 0), (5, 0), (5, 5)], np.uint8), ["0,0 5,0 5,5"]),
    (
        [(1, 2, 3, 4), [(0, 0), (5, 0), (5, 5)], "a.png", Path("b")],
        ["1,2,3,4", "0,0 5,0 5,5", "@a.png", "@b"],
    ),
    (["1,2,3,4", "1, 2, 3, 4"], ["1,2,3,4"]),
    (np.array([(1, 2, 3, 4), (5, 6, 7, 8)]), ["1,2,3,4", "5,6,7,8"]),
]
NO_PYTHON = [7, None, True, (1, 2, 3), (1, 2, 3, True), (1, 2, 3, 4.5), [1, "2", 3, 4], [(0, 0), (1, 1)],
             [(0, 0), (1, 0), ("a", 1)], [(0, 0), (1, 0), (float("inf"), 1)]]  # fmt: skip


def test_python_values_become_texts():
    for value, texts in PYTHON:
        assert read_areas(value) == tuple(texts)
    assert read_areas([]) is None


def test_python_values_that_are_no_area_are_refused():
    for value in NO_PYTHON:
        with pytest.raises((ValueError, TypeError)):
            read_areas(value)


def test_an_array_is_a_mask_that_comes_back_exactly():
    for shape, dtype in (((1, 5), bool), ((36, 49), np.uint8), ((3, 1000), bool)):
        mask = np.random.default_rng(1).integers(0, 2, shape).astype(dtype)
        [text] = read_areas(mask)
        assert parse_area(text) == EmbeddedMask(text)
        assert np.array_equal(decode_mask(text), mask > 0)


def test_a_mask_takes_little_more_than_a_bit_a_pixel():
    noise = np.random.default_rng(1).integers(0, 2, (480, 640)) > 0
    assert len(encode_mask(noise)) < 480 * 640 / 8 * 4 / 3 * 1.05


def test_a_damaged_mask_is_refused():
    for text in ("", "AAAA", "*", "iVBORw0KGgo="):
        with pytest.raises(ValueError, match="damaged"):
            decode_mask("data:image/png;base64," + text)


def test_what_no_picture_can_have_is_a_fault():
    faults = {
        "0,0,0,5": "is empty, 0 × 5 pixels",
        "-1,0,5,5": "begins outside of the picture, at -1,0",
        "0,0 5,5 9,9": "encloses nothing, since its points lie on one line",
        "3,3 3,3 3,3": "encloses nothing",
        "0,0 5,-1 9,9": "has a point outside of the picture, 5,-1",
    }
    assert {text: words for text, words in faults.items() if words not in parse_area(text).fault} == {}
    bow_tie = "0,0 10,10 10,0 0,10"
    assert parse_area(bow_tie).fault == ""
