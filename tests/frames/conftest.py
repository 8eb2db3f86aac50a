"""Small clips, made on the spot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

Clip = NDArray[np.uint8]


@pytest.fixture
def clip() -> Clip:
    """Twelve colour pictures of 48 × 32 pixels, all different, each with a gradient and a moving square."""
    return moving_square(12, 32, 48)


@pytest.fixture
def write_video() -> Callable[..., Path]:
    return encode


def moving_square(frames: int, height: int, width: int) -> Clip:
    ramp = np.linspace(20, 120, width, dtype=np.uint8)
    stack = np.empty((frames, height, width, 3), np.uint8)
    stack[...] = ramp[None, None, :, None]
    stack[..., 2] //= 2
    for index in range(frames):
        stack[index, 4:12, 2 * index : 2 * index + 8] = (230, 60, 10 * index)
    return stack


def encode(
    path: Path,
    clip: Clip,
    *,
    codec: str = "ffv1",
    pixel_format: str = "bgr0",
    pts: Sequence[int] | None = None,
    rate: Fraction = Fraction(25),
) -> Path:
    """Write *clip*; *pts* are the frames' time stamps in units of a nominal frame."""
    stored = "gray" if clip.ndim == 3 else "rgb24"
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=rate)
        stream.height, stream.width = clip.shape[1:3]
        stream.pix_fmt = pixel_format
        stream.time_base = 1 / rate
        for index, image in enumerate(clip):
            frame = av.VideoFrame.from_ndarray(image, format=stored)
            frame.time_base = 1 / rate
            frame.pts = index if pts is None else pts[index]
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path
