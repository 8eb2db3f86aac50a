from __future__ import annotations

import numpy as np

from bgsub.frames.read.orientation import Orientation

UNIT = 1 << 16


def moved(image: np.ndarray, a: int, b: int, c: int, d: int) -> np.ndarray:
    """Move every pixel (x, y) to (a x + c y, b x + d y), one at a time."""
    places = {
        (a * x + c * y, b * x + d * y): image[y, x]
        for y in range(image.shape[0])
        for x in range(image.shape[1])
    }
    xs, ys = sorted({x for x, _ in places}), sorted({y for _, y in places})
    return np.array([[places[x, y] for x in xs] for y in ys])


def matrix(a: float, b: float, c: float, d: float) -> bytes:
    entries = [round(UNIT * entry) for entry in (a, b, 0, c, d, 0, 0, 0)]
    return np.array([*entries, 1 << 30], np.int32).tobytes()


def test_all_eight_orientations_move_pixels_where_the_matrix_says():
    for entries in [(s, 0, 0, t) for s in (1, -1) for t in (1, -1)] + [
        (0, s, t, 0) for s in (1, -1) for t in (1, -1)
    ]:
        image = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
        turned = Orientation.from_display_matrix(matrix(*entries)).apply(image)
        np.testing.assert_array_equal(turned, moved(image, *entries))
        assert turned.flags.c_contiguous, entries


def test_odd_angles_go_to_the_nearest_right_angle():
    for degrees, nearest in [(10, 0), (80, 90), (100, 90), (185, 180), (-80, 270), (300, 270)]:
        sine, cosine = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
        assert Orientation.from_display_matrix(matrix(cosine, sine, -sine, cosine)).rotation == nearest, (
            degrees,
            nearest,
        )


def test_scale_in_the_matrix_is_ignored():
    assert Orientation.from_display_matrix(matrix(0, 2, -1, 0)).rotation == 90


def test_a_useless_matrix_turns_nothing():
    for data in [b"", bytes(36), bytes(35)]:
        assert Orientation.from_display_matrix(data) == Orientation(), data
