"""A picture with its coordinates: lines lie where their numbers say, and a region where it is."""

from __future__ import annotations

import numpy as np
import pytest

from bgsub.render.ruler import LINES, SMALLEST, Ruled, step_for


@pytest.mark.parametrize("side", [1, 7, 64, 320, 720, 1920, 7680])
def test_lines_are_few_and_at_round_numbers(side):
    step = step_for(side)
    assert side / step <= LINES
    assert str(step).strip("0") in ("1", "2", "5")
    assert step == 1 or side / step > LINES / 3


@pytest.mark.parametrize("shape", [(480, 800), (480, 800, 3), (48, 64, 3)])
def test_lines_lie_at_multiples_of_the_step_in_pixels_of_the_picture(shape):
    ruled = Ruled(np.full(shape, 100, np.uint8))
    ruled.rule()
    height, width = shape[:2]
    zoom = ruled.drawn.shape[1] // width
    assert ruled.drawn.shape == (height * zoom, width * zoom, 3)
    assert width * zoom >= SMALLEST
    step = step_for(width)
    # Away from the numbers, which stand along the upper and the left side.
    row = ruled.drawn[step * zoom + zoom * step // 2, :, 0]
    assert np.flatnonzero(row[100:] > 150).tolist() == [
        x * zoom - 100 for x in range(step, width, step) if x * zoom >= 100
    ]


def test_a_region_is_outlined_where_it_is_and_stays_in_sight():
    picture = np.full((480, 800), 100, np.uint8)
    inside = np.zeros((480, 800), bool)
    inside[100:300, 200:500] = True
    ruled = Ruled(picture)
    ruled.outline(inside, "tür", (10, 250, 20))
    y, x = np.nonzero((ruled.drawn == (10, 250, 20)).all(axis=2))
    assert abs(y.min() - 100) <= 3
    assert abs(y.max() - 299) <= 3
    assert abs(x.min() - 200) <= 3
    assert abs(x.max() - 499) <= 3
    assert (ruled.drawn[150:250, 300:480] == 100).all()
    assert (picture == 100).all()
