"""What a source of frames is: the contract that every reader keeps.

A source is opened once and may be iterated any number of times; each iteration reads the footage anew from its first
frame. Iterating never yields a frame twice, never reorders, and yields what decodes: damage is told by
:func:`bgsub.base.warn.report` (a ``BgsubWarning``), and is an exception only when not one frame comes out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""``(height, width)`` gray or ``(height, width, 3)`` RGB, grey levels 0–255."""


@dataclass(frozen=True, slots=True)
class VideoInfo:
    """What is known about a source before any frame is read (one frame is decoded where that is the only way).

    Attributes
    ----------
    name
        The path, pattern or description, as the user gave it.
    kind
        ``"video"``, ``"images"`` or ``"array"``.
    width, height
        Pixels of the frames as they are yielded (after rotation).
    is_color
        False when the stored format has one channel only (a gray codec, gray pictures, 2-D arrays).
    frame_count
        Number of frames the container claims, or None. An **estimate**, for progress bars only; exact for images
        and arrays.
    fps
        Nominal frames per second, or None when it is not known or not sensible (must lie in 0.01 … 1000).
    duration
        Seconds, or None: an estimate too.
    codec, pixel_format
        Short names, e.g. ``"h264"``, ``"yuv420p"``; empty for arrays.
    rotation
        Degrees (0, 90, 180, 270, clockwise) that the reader applied to the stored picture.
    """

    name: str
    kind: str
    width: int
    height: int
    is_color: bool
    frame_count: int | None
    fps: Fraction | None
    duration: Fraction | None
    codec: str = ""
    pixel_format: str = ""
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame.

    Attributes
    ----------
    index
        Position among the frames of the source, from 0, in order of display.
    number
        The frame's number in its own world: the digits at the end of a picture's file name; ``index + 1`` elsewhere.
    time
        Seconds, exact; strictly increasing within a source.
    image
        ``(height, width, 3)`` RGB or ``(height, width)`` gray, uint8, C-contiguous, owned by the receiver. Gray exactly
        when ``info.is_color`` is false.
    """

    index: int
    number: int
    time: Fraction
    image: Image


@runtime_checkable
class FrameSource(Protocol):
    """Any footage: iterate it to get its frames; iterate it again to read it again."""

    @property
    def info(self) -> VideoInfo:
        """What is known before reading."""
        ...

    def __iter__(self) -> Iterator[Frame]:
        """Read from the first frame. Closing the iterator (``.close()`` of a generator) frees what it holds."""
        ...
