from __future__ import annotations

import av
import numpy as np

from bgsub.render.sinks.yuv import even, to_yuv420

COLOURS = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0), (128, 128, 128), (200, 120, 40)]


def test_flat_colours_are_as_bt601_defines_them() -> None:
    for colour in COLOURS:
        planes = to_yuv420(np.full((4, 6, 3), colour, np.uint8))
        red, green, blue = (value / 255 for value in colour)
        luma = 0.299 * red + 0.587 * green + 0.114 * blue
        expected = [16 + 219 * luma, 128 + 112 * (blue - luma) / 0.886, 128 + 112 * (red - luma) / 0.701]
        flat = planes.reshape(-1)
        for part, value in zip((flat[:24], flat[24:30], flat[30:]), expected, strict=True):
            assert np.abs(part - value).max() <= 1.0, colour


def test_it_agrees_with_ffmpegs_scaler_on_a_smooth_picture() -> None:
    rows, columns = np.mgrid[:64, :96]
    picture = np.stack([2 * rows + 40, columns + 60, 200 - rows - columns // 2], axis=-1).astype(np.uint8)
    reference = av.VideoFrame.from_ndarray(picture, format="rgb24").reformat(format="yuv420p").to_ndarray()
    assert np.abs(to_yuv420(picture).astype(int) - reference).max() <= 2


def test_a_chroma_sample_is_the_mean_of_its_four_pixels() -> None:
    picture = np.zeros((2, 2, 3), np.uint8)
    picture[1, 1] = (255, 0, 0)
    one = to_yuv420(picture).reshape(-1)[5]
    full = to_yuv420(np.full((2, 2, 3), (255, 0, 0), np.uint8)).reshape(-1)[5]
    assert abs((int(one) - 128) - (int(full) - 128) / 4) <= 1


def test_gray_and_the_same_gray_in_rgb_are_the_same() -> None:
    gray = np.arange(256, dtype=np.uint8).reshape(16, 16)
    color = np.stack([gray] * 3, axis=-1)
    assert np.abs(to_yuv420(gray).astype(int) - to_yuv420(color)).max() <= 1


def test_small_even_sizes_have_the_right_layout() -> None:
    for size in [(2, 2), (6, 2), (2, 10), (10, 6)]:
        assert to_yuv420(np.zeros((*size, 3), np.uint8)).shape == (size[0] * 3 // 2, size[1]), size


def test_odd_sizes_repeat_the_last_row_and_column() -> None:
    picture = np.arange(15, dtype=np.uint8).reshape(3, 5)
    padded = even(picture)
    assert padded.shape == (4, 6)
    assert np.array_equal(padded[:3, :5], picture)
    assert np.array_equal(padded[3], padded[2])
    assert np.array_equal(padded[:, 5], padded[:, 4])
    assert even(padded) is padded
