"""Frames that are already in memory, or in an array of another library that reads them from disk."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import CannotDecode
from bgsub.frames.read.array_like import (
    as_picture,
    channels_of,
    check_alike,
    check_picture,
    check_stack,
    frame_at,
    indexable,
    is_array,
)
from bgsub.frames.read.levels import Pair, spread
from bgsub.frames.read.stretch import ARGUMENT, Stretch
from bgsub.frames.read.timing import DEFAULT_RATE, check_rate
from bgsub.frames.source import Frame, VideoInfo


class ArraySource:
    """An array, or a sequence of images of the same shape, as a frame source.

    Parameters
    ----------
    frames
        ``(n, height, width)`` gray or ``(n, height, width, 3)`` RGB (a single channel is gray, a fourth is dropped), of
        any integer, float or boolean dtype: NumPy's, or an object that NumPy can read frame by frame (dask, xarray,
        h5py, zarr, torch); or a sequence of n such images. Nothing is copied until a frame is read, and then only it.
    fps
        Frame rate: frame i is at i / fps seconds. None assumes 25 (and ``info.fps`` is None too).
    levels
        The values that become 0 and 255. None leaves uint8 as it is, makes booleans 0 and 255, and stretches other
        values from the range that a sample of the frames uses.

    Raises
    ------
    InputError
        The images are not all of one gray or RGB shape and dtype, hold no real numbers, or no finite one; or the array
        is a single colour image.
    CannotDecode
        There are no frames.
    OptionError
        *fps* is not within 0.01 … 1000, or *levels* are not two numbers, the lower first.

    Warns
    -----
    BgsubWarning
        While reading: of the range that values are stretched from, and of the first frame with values beyond it.
    """

    __slots__ = ("_count", "_frames", "_info", "_rate", "_stretch")

    def __init__(
        self, frames: Any, *, fps: Fraction | None = None, levels: Pair | None = None, name: str = "array"
    ) -> None:
        self._rate = DEFAULT_RATE if fps is None else check_rate(fps)
        self._frames = _checked_stack(frames) if is_array(frames) else list(frames)
        self._count = len(self._frames)
        if self._count == 0:
            raise CannotDecode("the array holds no frame")
        first = frame_at(self._frames, 0)
        if not is_array(frames):
            _check_sequence(self._frames, first)
        check_picture(first.shape, 0)
        first = channels_of(first)
        self._stretch = Stretch(f"the {name}", first, levels, self._sample, ARGUMENT)
        self._info = VideoInfo(
            name=name,
            kind="array",
            width=first.shape[1],
            height=first.shape[0],
            is_color=first.ndim == 3,
            frame_count=self._count,
            fps=None if fps is None else self._rate,
            duration=self._count / self._rate,
            levels=self._stretch.pair,
        )

    @property
    def info(self) -> VideoInfo:
        """Exact: nothing is estimated."""
        return self._info

    def __iter__(self) -> Iterator[Frame]:
        """Yield a copy of each image in turn."""
        reading = self._stretch.begin()
        for index in range(self._count):
            stored = self._stored(index)
            image = reading.grey(stored, f"frame {index}")
            owned = np.array(image, order="C") if np.shares_memory(image, stored) else image
            yield Frame(index, index + 1, index / self._rate, owned)

    def _stored(self, index: int) -> NDArray[Any]:
        return channels_of(frame_at(self._frames, index))

    def _sample(self) -> Iterator[NDArray[Any]]:
        return (self._stored(index) for index in spread(self._count))


def _checked_stack(frames: Any) -> Any:
    frames = indexable(frames)
    check_stack(tuple(frames.shape))
    return frames


def _check_sequence(frames: list[Any], first: NDArray[Any]) -> None:
    if first.ndim == 2:
        # Rows of one picture in colour are not told from gray pictures by one of them.
        check_stack((len(frames), *first.shape))
    for index, frame in enumerate(frames):
        # What tells its shape and dtype need not be read, perhaps from disk, to know them.
        dtype = getattr(frame, "dtype", None)
        told = isinstance(dtype, np.dtype) and dtype.isnative
        picture = frame if told else as_picture(frame, index)
        check_picture(tuple(picture.shape), index)
        check_alike(picture, first, index)


def how_to_convert(dtype: np.dtype[np.generic], name: str) -> str:
    """Return a hint on how to convert an array *name* of another dtype to uint8."""
    if dtype == np.bool_:
        return f"convert with {name}.astype(np.uint8) * 255"
    if dtype == np.uint16:
        return f"convert with ({name} >> 8).astype(np.uint8)"
    if dtype.kind == "f":
        return f"if the values are 0–1, convert with ({name} * 255).round().clip(0, 255).astype(np.uint8)"
    return f"convert with {name}.clip(0, 255).astype(np.uint8)"
