"""Which pixels take part: rectangles, polygons, masks, and what is left out of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgsub.errors import OptionError
from bgsub.frames.grid import Grid
from bgsub.frames.region import fill_polygon
from bgsub.options.areas import encode_mask

RNG = np.random.default_rng(5)
POINTS = st.lists(st.tuples(st.integers(0, 24), st.integers(0, 18)), min_size=3, max_size=7)


def chosen(grid: Grid) -> np.ndarray:
    """Return the pixels of the scaled picture that take part, as gathering and scattering show them."""
    ones = np.full((grid.height, grid.width), 255, np.uint8)
    return grid.scatter(grid.gather(ones))[..., 0] > 0 if grid.color else grid.scatter(grid.gather(ones)) > 0


def block(y0: int, y1: int, x0: int, x1: int, shape: tuple[int, int] = (18, 24)) -> np.ndarray:
    found = np.zeros(shape, bool)
    found[y0:y1, x0:x1] = True
    return found


def written(path: Path, picture: np.ndarray) -> str:
    cv2.imencode(path.suffix, picture)[1].tofile(path)
    return f"@{path}"


@given(POINTS)
def test_a_pixel_is_inside_a_polygon_when_its_centre_is(points):
    contour = np.array(points, np.float32).reshape(-1, 1, 2)
    found = fill_polygon(np.array(points, float), (18, 24))
    for y, x in np.ndindex(18, 24):
        side = cv2.pointPolygonTest(contour, (x + 0.5, y + 0.5), measureDist=False)
        # On the edge itself the pixel belongs to one of two neighbours.
        assert side == 0 or found[y, x] == (side > 0), (x, y)


@given(st.integers(0, 23), st.integers(0, 17), st.data())
def test_a_rectangle_is_the_polygon_of_its_corners(x, y, data):
    w, h = data.draw(st.integers(1, 24 - x)), data.draw(st.integers(1, 18 - y))
    corners = f"{x},{y} {x + w},{y} {x + w},{y + h} {x},{y + h}"
    one, other = (Grid(24, 18, False, roi=roi) for roi in ((x, y, w, h), corners))
    assert one.region == other.region
    assert one.inside is other.inside is None


@given(st.integers(0, 48), st.integers(0, 36))
def test_polygons_that_share_edges_share_no_pixel_and_leave_none_out(x, y):
    corners = [(0, 0), (24, 0), (24, 18), (0, 18)]
    triangles = [[corners[k - 1], corners[k], (x / 2, y / 2)] for k in range(4)]
    parts = [fill_polygon(np.array(triangle, float), (18, 24)) for triangle in triangles]
    assert (np.sum(parts, axis=0) == 1).all()


def test_regions_are_joined_and_exclusions_taken_away():
    for color in [False, True]:
        grid = Grid(24, 18, color, 1, ("2,3,6,4", "10,3 16,3 16,9 10,9"), ("5,0,7,18",))
        assert np.array_equal(chosen(grid), block(3, 7, 2, 5) | block(3, 9, 12, 16)), color
        assert grid.region == (3, 9, 2, 16), color
        assert grid.rows == 6 * 14 * grid.channels, color
        assert grid.pixels == 4 * 3 + 6 * 4, color
        assert np.array_equal(grid.inside, chosen(grid)[3:9, 2:16]), color
        assert np.array_equal(grid.outline == 255, chosen(grid)), color


def test_an_exclusion_alone_is_taken_from_the_whole_picture():
    grid = Grid(24, 18, False, exclude=(2, 3, 6, 4))
    assert np.array_equal(chosen(grid), ~block(3, 7, 2, 8))
    assert grid.is_partial


def test_an_exclusion_at_the_border_leaves_a_rectangle():
    grid = Grid(24, 18, False, exclude="0,0,24,5")
    assert (grid.region, grid.inside, grid.outline) == ((5, 18, 0, 24), None, None)
    assert grid.is_partial


def test_regions_that_cover_everything_are_the_whole_picture():
    grid = Grid(24, 18, True, roi=("0,0,12,18", "10,0,14,18"))
    assert not grid.is_partial
    assert grid.outline_text is None


def test_values_inside_are_those_of_the_whole_scaled_picture_and_0_elsewhere():
    for scale, color in product([1, 0.6], [False, True]):
        whole = Grid(61, 47, color, scale)
        part = Grid(61, 47, color, scale, "10,5 50,9 40,40 6,30", "20,15,8,9")
        image = RNG.integers(1, 256, (47, 61, 3), np.uint8)
        shown, expected = part.scatter(part.gather(image)), whole.scatter(whole.gather(image))
        inside = part.outline == 255
        assert 0 < inside.sum() < inside.size, (scale, color)
        assert np.array_equal(shown[inside], expected[inside]), (scale, color)
        assert not shown[~inside].any(), (scale, color)
        out = np.full(part.rows, 77, np.uint8)
        assert np.array_equal(part.gather(image, out), part.gather(image)), (scale, color)


def test_what_is_outside_is_filled_whatever_the_rows_hold():
    grid = Grid(24, 18, True, roi=("2,3,6,4", "10,3,6,6"))
    whole = grid.scatter(np.full(grid.rows, 200, np.uint8), fill=9)
    inside = grid.outline == 255
    assert (whole[inside] == 200).all()
    assert (whole[~inside] == 9).all()
    assert np.array_equal(grid.scatter_mask(np.full(grid.shape, 255, np.uint8)), grid.outline)


def test_scaled_areas_lie_where_the_scaled_picture_has_them():
    for scale in [0.5, 0.3, 0.05]:
        grid = Grid(400, 300, False, scale, ("40,30,100,100", "200,100 380,100 380,280 200,280"))
        expected = cv2.resize(
            np.float32(block(30, 130, 40, 140, (300, 400)) | block(100, 280, 200, 380, (300, 400))),
            grid.frame_shape[::-1],
            interpolation=cv2.INTER_AREA,
        )
        assert chosen(grid)[expected == 1].all(), scale
        assert not chosen(grid)[expected == 0].any(), scale


def test_an_area_keeps_a_pixel_however_small_the_scale():
    for roi in ["200,100 201,100 200,101", "200,100,1,1"]:
        grid = Grid(400, 300, False, 0.01, (roi, "0,0 1,0 1,1"))
        assert grid.frame_shape == (3, 4), roi
        assert np.argwhere(chosen(grid)).tolist() == [[0, 0], [1, 2]], roi


def test_another_scale_has_the_same_regions():
    grid = Grid(400, 300, False, 1, "10,10 390,20 200,280", "150,50,60,60")
    assert replace(grid, scale=0.5) == Grid(400, 300, False, 0.5, grid.roi, grid.exclude)
    assert replace(replace(grid, scale=0.5), scale=1) == grid
    assert replace(grid, scale=0.5) != grid


def test_what_is_not_black_in_a_picture_is_inside(tmp_path):
    for factor, suffix in product([1, 2], [".png", ".bmp", ".jpg"]):
        picture = np.zeros((18 * factor, 24 * factor), np.uint8)
        picture[4 * factor : 12 * factor, 6 * factor : 20 * factor] = 255
        assert np.array_equal(
            chosen(Grid(24, 18, True, roi=written(tmp_path / f"m{suffix}", picture))), block(4, 12, 6, 20)
        ), (factor, suffix)


def test_the_darkest_level_of_any_channel_counts(tmp_path):
    for level in [(1,), (0, 0, 1), (9, 0, 0)]:
        picture = np.zeros((18, 24, len(level)), np.uint8)
        picture[4:12, 6:20] = level
        grid = Grid(24, 18, False, roi=written(tmp_path / "m.png", picture))
        assert np.array_equal(chosen(grid), block(4, 12, 6, 20)), level


def test_a_mask_may_have_the_size_that_a_scaled_picture_has():
    mask = np.ones((47, 61), bool)
    assert not Grid(610, 473, False, roi=(encode_mask(mask),)).is_partial


def test_a_grid_does_not_need_the_file_again(tmp_path):
    name = written(tmp_path / "m.png", np.uint8(block(4, 12, 6, 20)))
    grid = Grid(24, 18, False, exclude=name)
    (tmp_path / "m.png").unlink()
    assert np.array_equal(chosen(replace(grid, color=True)), ~block(4, 12, 6, 20))
    assert hash(grid) == hash(replace(grid))


def test_areas_that_do_not_fit_are_named():
    for roi, exclude, words in [
        ("0,0 30,0 5,9", None, "the region 0,0 30,0 5,9 (x,y of each point) reaches outside the picture"),
        (("0,0,5,5", "20,0,5,5"), None, "the region 20,0,5,5 (x,y,width,height) reaches outside the picture"),
        (None, "20,0,5,5", "the excluded region 20,0,5,5 (x,y,width,height) reaches outside the picture"),
        ("0,0 5,5 9,9", None, "the region 0,0 5,5 9,9 encloses nothing"),
        (
            None,
            "0,0,24,18",
            "the excluded regions cover all that was to be looked at of 24 × 18 pixels; exclude less",
        ),
        ("3,3,4,4", ("2,2 9,2 9,9 2,9", "0,0,1,1"), "the excluded regions cover all"),
    ]:
        with pytest.raises(OptionError) as caught:
            Grid(24, 18, False, roi=roi, exclude=exclude)
        assert str(caught.value).startswith(words), words


def test_a_picture_of_another_shape_or_without_a_pixel_is_named(tmp_path):
    for shape, level, words in [
        ((24, 18), 255, "is 18 × 24 pixels, and the picture 24 × 18: draw it on a frame of the footage"),
        ((18, 24), 0, "is empty: every pixel is black"),
    ]:
        name = written(tmp_path / "m.png", np.full(shape, level, np.uint8))
        with pytest.raises(OptionError) as caught:
            Grid(24, 18, False, roi=name)
        assert str(caught.value).startswith(f"the region {name} {words}"), words


def test_a_picture_that_cannot_be_read_is_named(tmp_path):
    for content, words in [(None, "no such file"), (b"", "empty"), (b"text", "another kind of file")]:
        path = tmp_path / "m.png"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(OptionError) as caught:
            Grid(24, 18, False, exclude=f"@{path}")
        assert f"the excluded region @{path}" in str(caught.value), words
        assert words in str(caught.value), words
        assert "\n" not in str(caught.value), words
