from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgsub.errors import InputError, OptionError
from bgsub.frames.grid import Grid

RNG = np.random.default_rng(5)


@st.composite
def grids(draw, smallest: float = 1.0) -> Grid:
    width, height = draw(st.integers(1, 40)), draw(st.integers(1, 40))
    x, y = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    w, h = draw(st.integers(1, width - x)), draw(st.integers(1, height - y))
    roi = draw(st.sampled_from([None, (x, y, w, h)]))
    scale = draw(st.floats(smallest, 1))
    if min(width, height) * scale < 0.5:
        scale = 1.0
    return Grid(width, height, draw(st.booleans()), scale, roi)


def picture(grid: Grid, channels: int = 3) -> np.ndarray:
    shape = (grid.height, grid.width, 3)[: 2 if channels == 1 else 3]
    return RNG.integers(0, 256, shape, np.uint8)


@settings(max_examples=50)
@given(grids(), st.integers(0, 255))
def test_gather_undoes_scatter(grid: Grid, fill: int):
    vector = RNG.integers(0, 256, grid.rows, np.uint8)
    whole = grid.scatter(vector, fill)
    assert whole.flags.c_contiguous
    assert whole.shape[:2] == grid.frame_shape
    np.testing.assert_array_equal(grid.gather(whole), vector)


@given(grids())
def test_scatter_undoes_gather_inside_and_fills_outside(grid: Grid):
    image = picture(grid, grid.channels)
    whole = grid.scatter(grid.gather(image), fill=9)
    y0, y1, x0, x1 = grid.region
    expected = np.full_like(image, 9)
    expected[y0:y1, x0:x1] = image[y0:y1, x0:x1]
    np.testing.assert_array_equal(whole, expected)


@given(grids(smallest=0.05))
def test_every_grid_has_a_region_inside_the_scaled_picture(grid: Grid):
    height, width = grid.frame_shape
    y0, y1, x0, x1 = grid.region
    assert 0 <= y0 < y1 <= height
    assert 0 <= x0 < x1 <= width
    assert grid.shape == (y1 - y0, x1 - x0)
    assert grid.rows == (y1 - y0) * (x1 - x0) * grid.channels
    assert grid.gather(picture(grid)).shape == (grid.rows,)
    assert grid.scatter_mask(np.ones(grid.shape, np.uint8)).sum() == grid.shape[0] * grid.shape[1]


def test_a_region_never_changes_the_values_inside_it():
    for color in [True, False]:
        whole = Grid(61, 47, color, 0.37)
        part = Grid(61, 47, color, 0.37, (13, 9, 30, 20))
        image = picture(whole)
        y0, y1, x0, x1 = part.region
        expected = whole.gather(image).reshape(*whole.shape, -1)[y0:y1, x0:x1]
        np.testing.assert_array_equal(part.gather(image), expected.ravel())


def test_scaling_by_half_averages_four_pixels():
    grid = Grid(8, 6, False, 0.5)
    image = picture(grid, 1)
    means = image.reshape(3, 2, 4, 2).mean(axis=(1, 3))
    np.testing.assert_allclose(grid.gather(image).reshape(3, 4), means, atol=0.51)


def test_rows_are_pixel_by_pixel_with_channels_together():
    grid = Grid(5, 4, True, roi=(1, 2, 3, 2))
    image = picture(grid)
    np.testing.assert_array_equal(grid.gather(image).reshape(2, 3, 3), image[2:4, 1:4])


def test_colour_becomes_luma_on_a_gray_grid_and_gray_becomes_rgb_on_a_colour_grid():
    image = picture(Grid(9, 7, True))
    luma = Grid(9, 7, False).resample(image)
    np.testing.assert_allclose(luma, image @ (0.299, 0.587, 0.114), atol=1)
    np.testing.assert_array_equal(Grid(9, 7, True).resample(luma), cv2.merge([luma] * 3))


def test_one_resampling_can_serve_several_cuts():
    grid = Grid(9, 7, True, 0.6, (2, 1, 5, 5))
    image = picture(grid)
    np.testing.assert_array_equal(grid.cut(grid.resample(image)), grid.gather(image))


def test_rows_are_written_where_the_caller_wants_them():
    grid = Grid(9, 7, True, roi=(2, 1, 5, 5))
    image = picture(grid)
    out = np.zeros(grid.rows, np.uint8)
    assert grid.gather(image, out) is out
    np.testing.assert_array_equal(out, grid.gather(image))


def test_pictures_of_another_size_are_refused():
    with pytest.raises(InputError, match="expected pictures of 9 × 7 pixels, got one of 7 × 9"):
        Grid(9, 7, True).gather(np.zeros((9, 7, 3), np.uint8))


def test_an_impossible_scale_is_refused():
    for scale in [0, -1, 1.5, float("nan"), float("inf")]:
        with pytest.raises(OptionError, match="scale must be greater than 0 and at most 1"):
            Grid(9, 7, True, scale)


def test_a_scale_that_leaves_nothing_is_refused_with_one_that_works():
    with pytest.raises(OptionError, match=r"scale 0\.01 leaves nothing of 9 × 7 pixels; use at least 0\.143"):
        Grid(9, 7, True, 0.01)
    assert Grid(9, 7, True, 0.143).frame_shape == (1, 1)


def test_a_region_outside_the_picture_is_refused_with_its_size():
    for roi in [(-1, 0, 2, 2), (0, 0, 10, 2), (8, 6, 2, 1), (0, 6, 1, 2)]:
        with pytest.raises(OptionError, match="reaches outside the picture, which is 9 × 7 pixels"):
            Grid(9, 7, True, roi=roi)


def test_an_empty_region_is_refused():
    for roi in [(1, 1, 0, 3), (1, 1, 3, -1)]:
        with pytest.raises(OptionError, match="is empty"):
            Grid(9, 7, True, roi=roi)
