"""Warping to and fro, and which pixels the reference knows."""

from __future__ import annotations

from itertools import product

import numpy as np
from registration_kit import HEIGHT, WIDTH, motion_of, seen_from, texture

from bgsub.background.stabilise.warp import inverse, known, warp_to_frame, warp_to_reference

SIZE = (HEIGHT, WIDTH)


def test_whole_pixels_are_moved_exactly() -> None:
    for channels, (x, y) in product((1, 3), ((3, -2), (-5, 0), (0, 4))):
        picture = texture() if channels == 1 else np.stack([texture(seed=k) for k in range(3)], axis=2)
        out = warp_to_frame(picture, motion_of(x, y))
        back = warp_to_reference(out, motion_of(x, y))
        inner = (slice(8, HEIGHT - 8), slice(8, WIDTH - 8))
        assert np.array_equal(out[inner], np.roll(picture, (y, x), (0, 1))[inner])
        assert np.array_equal(back[inner], picture[inner])
        assert out.dtype == np.uint8


def test_there_and_back_is_nearly_the_same() -> None:
    for interpolation in ("nearest", "linear", "cubic"):
        smooth = (100 + 60 * np.sin(np.mgrid[:HEIGHT, :WIDTH].sum(axis=0) / 15)).astype(np.float32)
        motion = motion_of(2.6, -1.3, 0.01, 0.01)
        back = warp_to_reference(warp_to_frame(smooth, motion, interpolation), motion, interpolation)
        assert np.abs(back - smooth)[10:-10, 10:-10].max() < (8 if interpolation == "nearest" else 0.5)
        assert back.dtype == np.float32


def test_the_frame_is_what_the_reference_becomes() -> None:
    scene, motion = texture(), motion_of(1.4, 2.7, -0.008)
    difference = np.abs(warp_to_frame(scene, motion).astype(int) - seen_from(scene, motion))
    assert difference[known(motion, SIZE)].mean() < 0.5


def test_known_is_what_has_a_counterpart_in_the_reference() -> None:
    motion = motion_of(3, -2)
    expected = np.zeros(SIZE, bool)
    for row in range(HEIGHT):
        for column in range(WIDTH):
            x, y = column - 3, row + 2
            expected[row, column] = 0 <= x < WIDTH and 0 <= y < HEIGHT
    assert np.array_equal(known(motion, SIZE), expected)


def test_known_follows_the_region() -> None:
    inside = np.zeros(SIZE, bool)
    inside[20:60, 30:90] = True
    moved = np.zeros(SIZE, bool)
    moved[25:65, 26:86] = True
    assert np.array_equal(known(motion_of(-4, 5), SIZE, inside), moved)


def test_a_motion_and_its_inverse_cancel() -> None:
    motion = motion_of(3.3, -1.1, 0.02, 0.01)
    point = np.array([40.0, 70.0, 1.0])
    assert np.allclose(inverse(motion) @ np.append(motion @ point, 1), point[:2])
