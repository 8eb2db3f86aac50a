"""Thumbnails against means that NumPy takes, cell by cell."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.changes.thumbnail import COLUMNS, LINES, ROWS, thumbnail

SHAPES = [(1, 1), (2, 5), (700, 3), (48, 64, 3), (61, 83, 3), (480, 640), (1080, 1920, 3)]


def parts(length: int, most: int) -> list[slice]:
    count = min(length, most)
    edges = [k * length // count for k in range(count + 1)]
    return [slice(first, end) for first, end in pairwise(edges)]


def cells(image: NDArray[np.uint8]) -> NDArray[np.float64]:
    lines = image[:: max(1, image.shape[0] // (LINES * ROWS))].astype(float)
    rows, columns = parts(lines.shape[0], ROWS), parts(lines.shape[1], COLUMNS)
    return np.array([[lines[row, column].mean(axis=(0, 1)) for column in columns] for row in rows])


def test_one_grey_level_stays_what_it_is():
    for shape in SHAPES:
        thumb = thumbnail(np.full(shape, 90, np.uint8))
        assert thumb.dtype == np.float32, shape
        assert thumb.shape == (min(ROWS, shape[0]), min(COLUMNS, shape[1])), shape
        assert np.all(thumb == 90), shape


def test_a_cell_is_the_mean_of_its_area_in_whole_grey_levels():
    for shape in SHAPES:
        image = np.random.default_rng(3).integers(0, 256, shape, dtype=np.uint8)
        expected = cells(image)
        if image.ndim == 3:
            expected = cv2.cvtColor(expected.astype(np.float32), cv2.COLOR_RGB2GRAY)
        thumb = thumbnail(image)
        np.testing.assert_allclose(thumb, expected, atol=0.5 + 1e-3)
        assert np.all(thumb == np.rint(thumb)), shape


def test_the_layout_in_memory_does_not_matter():
    for layout in ["every other row", "every other column", "upside down", "Fortran"]:
        whole = np.random.default_rng(4).integers(0, 256, (96, 128, 3), dtype=np.uint8)
        image = {
            "every other row": whole[::2],
            "every other column": whole[:, ::2],
            "upside down": whole[::-1],
            "Fortran": np.asfortranarray(whole),
        }[layout]
        np.testing.assert_array_equal(thumbnail(image), thumbnail(image.copy()))
