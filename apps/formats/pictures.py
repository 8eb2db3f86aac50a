"""Frames in any pixel format: a ramp with a square that moves."""

from __future__ import annotations

import av
import numpy as np
from numpy.typing import NDArray


def picture(index: int, width: int, height: int) -> NDArray[np.uint8]:
    """Return the picture number *index*, RGB."""
    image = np.empty((height, width, 3), np.uint8)
    image[...] = np.linspace(20, 120, width).astype(np.uint8)[None, :, None]
    image[..., 2] //= 2
    side = max(1, min(width, height) // 4)
    x = (3 * index) % max(1, width - side + 1)
    image[side : 2 * side, x : x + side] = (230, 60, (10 * index) % 256)
    return image


def frame(index: int, size: tuple[int, int], pixel_format: str) -> av.VideoFrame:
    """Return it as a frame; where no conversion leads to *pixel_format*, its planes hold plain numbers instead."""
    made = av.VideoFrame.from_ndarray(picture(index, *size), format="rgb24")
    if pixel_format == "rgb24":
        return made
    try:
        return made.reformat(format=pixel_format)
    except (av.FFmpegError, ValueError):
        return _filled(index, size, pixel_format)


def _filled(index: int, size: tuple[int, int], pixel_format: str) -> av.VideoFrame:
    made = av.VideoFrame(*size, pixel_format)
    for plane in made.planes:
        plane.update(bytes((index + place) % 256 for place in range(plane.buffer_size)))
    return made
