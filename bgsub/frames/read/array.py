"""Frames that are already in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import CannotDecode, InputError
from bgsub.frames.read.timing import DEFAULT_RATE, check_rate
from bgsub.frames.source import Frame, VideoInfo

PLANES = (3, 4)
"""Channels of a colour image: a gray stack with so few columns is really a single colour image."""


class ArraySource:
    """A NumPy array, or a sequence of images of the same shape, as a frame source.

    Parameters
    ----------
    frames
        ``(n, height, width)`` gray or ``(n, height, width, 3)`` RGB, uint8, grey levels 0–255; or a sequence
        of n such images. Nothing is copied until a frame is read, and then only that frame.
    fps
        Frame rate: frame i is at i / fps seconds. None assumes 25 (and ``info.fps`` is None too).

    Raises
    ------
    InputError
        The images are not uint8, or not all of one gray or RGB shape; or the array is a single colour image.
    CannotDecode
        There are no frames.
    OptionError
        *fps* is not within 0.01 … 1000.
    """

    __slots__ = ("_frames", "_info", "_rate")

    def __init__(
        self, frames: NDArray[np.uint8] | Sequence[NDArray[np.uint8]], *, fps: Fraction | None = None
    ) -> None:
        self._rate = DEFAULT_RATE if fps is None else check_rate(fps)
        if isinstance(frames, np.ndarray):
            _check_stack(frames)
        self._frames = frames if isinstance(frames, np.ndarray) else list(frames)
        if len(self._frames) == 0:
            raise CannotDecode("the array holds no frame")
        first = np.asarray(self._frames[0])
        if first.ndim == 2 and first.shape[1] in PLANES:
            shape = (len(self._frames), *first.shape)
            raise InputError(
                f"an array of shape {shape} is one picture in colour, not footage: give (frames, height, width, 3)"
            )
        for index, image in enumerate(self._frames):
            _check_picture(np.asarray(image), first, index)
        count = len(self._frames)
        height, width = first.shape[:2]
        self._info = VideoInfo(
            name="array",
            kind="array",
            width=width,
            height=height,
            is_color=first.ndim == 3,
            frame_count=count,
            fps=None if fps is None else self._rate,
            duration=count / self._rate,
        )

    @property
    def info(self) -> VideoInfo:
        """Exact: nothing is estimated."""
        return self._info

    def __iter__(self) -> Iterator[Frame]:
        """Yield a copy of each image in turn."""
        for index, image in enumerate(self._frames):
            yield Frame(index, index + 1, index / self._rate, np.array(image, order="C"))


def _check_stack(frames: NDArray[np.uint8]) -> None:
    if frames.ndim not in (3, 4):
        raise InputError(
            "expected an array of shape (frames, height, width) or (frames, height, width, 3), "
            f"got {frames.shape}"
        )


def _check_picture(image: NDArray[np.uint8], first: NDArray[np.uint8], index: int) -> None:
    if image.dtype != np.uint8:
        raise InputError(
            f"expected uint8 grey levels 0–255, got {image.dtype}; {how_to_convert(image.dtype, 'frames')}"
        )
    if not (image.ndim == 2 or (image.ndim == 3 and image.shape[2] == 3)) or image.size == 0:
        raise InputError(
            "expected pictures of shape (height, width) or (height, width, 3), "
            f"got {image.shape} at frame {index}"
        )
    if image.shape != first.shape:
        raise InputError(
            f"all frames must have one shape: frame 0 is {first.shape}, frame {index} is {image.shape}"
        )


def how_to_convert(dtype: np.dtype[np.generic], name: str) -> str:
    """Return a hint on how to convert an array *name* of another dtype to uint8."""
    if dtype == np.bool_:
        return f"convert with {name}.astype(np.uint8) * 255"
    if dtype == np.uint16:
        return f"convert with ({name} >> 8).astype(np.uint8)"
    if dtype.kind == "f":
        return f"if the values are 0–1, convert with ({name} * 255).round().clip(0, 255).astype(np.uint8)"
    return f"convert with {name}.clip(0, 255).astype(np.uint8)"
