"""What several tests of layers and sinks use: frames to draw, and readers of what was written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.render.view import FrameView

Image = NDArray[np.uint8]


def view(height: int = 40, width: int = 60, *, color: bool = True, inside=None, seed: int = 0) -> FrameView:
    """A random frame with a random background, and a rectangle as its mask (rows 10–19, columns 20–34)."""
    rng = np.random.default_rng(seed)
    shape = (height, width, 3) if color else (height, width)
    image = rng.integers(0, 256, shape, dtype=np.uint8)
    background = rng.integers(0, 256, shape, dtype=np.uint8)
    mask = np.zeros((height, width), np.uint8)
    mask[10:20, 20:35] = 255
    region = (0, height, 0, width) if inside is None else inside
    return FrameView(0, 1, Fraction(0), image, background, mask.copy(), mask, region)


def read_video(path: Path, pixel_format: str = "rgb24") -> tuple[list[Image], list[Fraction]]:
    """Decode a file: its images and its exact times."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(stream))
        times = [frame.pts * Fraction(frame.time_base) for frame in frames]
        return [frame.to_ndarray(format=pixel_format) for frame in frames], times


def read_png(path: Path) -> Image:
    """Decode a PNG file, RGB or gray as stored."""
    data = np.frombuffer(path.read_bytes(), np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    return image if image.ndim == 2 else image[..., ::-1]


def steps(count: int, step: Fraction = Fraction(1, 25), first: Fraction = Fraction(0)) -> list[Fraction]:
    """Equidistant times."""
    return [first + index * step for index in range(count)]


def names(folder: Path) -> list[str]:
    """Everything in a folder, hidden files too."""
    return sorted(entry.name for entry in folder.iterdir())
