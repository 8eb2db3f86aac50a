"""The interface that every frame source implements.

A source is opened once and may be iterated any number of times; each iteration reads the footage anew from
its first frame. It never repeats or reorders frames, and yields whatever decodes: damage is reported by
:func:`bgsub.base.warn.report` (a ``BgsubWarning``), and is an exception only if no frame decodes at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""``(height, width)`` gray or ``(height, width, 3)`` RGB, grey levels 0–255."""


@dataclass(frozen=True, slots=True)
class VideoInfo:
    """What is known about a source before it is read (decoding one frame if there is no other way).

    Attributes
    ----------
    name
        The path, pattern or description, as the user gave it.
    kind
        ``"video"``, ``"images"`` or ``"array"``.
    width, height
        Size in pixels of the frames that are yielded (after rotation).
    is_color
        False if the stored format has only one channel (a gray pixel format, gray images, 2-D arrays).
    frame_count
        Number of frames that the container claims, or None. An **estimate**, for progress bars only; exact
        for images and arrays.
    fps
        Nominal frame rate, or None if it is unknown or implausible (not within 0.01 … 1000).
    duration
        Seconds, or None: an estimate too.
    codec, pixel_format
        Short names, e.g. ``"h264"``, ``"yuv420p"``; empty for arrays.
    rotation
        Clockwise rotation (0, 90, 180 or 270 degrees) that was applied to the stored picture.
    recorded
        When the recording began, if the file says so: the time of a frame at 0 seconds.
    levels
        The stored values that became 0 and 255, or None if the stored values are grey levels.
    notes
        What else is done to the stored pictures, or left out, in a line each.
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
    recorded: datetime | None = None
    levels: tuple[float, float] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame.

    Attributes
    ----------
    index
        Position in the source, from 0, in display order.
    number
        The frame's own number: the last number in an image's file name; ``index + 1`` elsewhere.
    time
        Presentation time in seconds, exact; strictly increasing within a source.
    image
        ``(height, width, 3)`` RGB or ``(height, width)`` gray, uint8, C-contiguous, owned by the receiver.
        Gray if and only if ``info.is_color`` is false.
    name
        Name of the image's own file without its ending, where each frame has a file and these differ; else empty.
    """

    index: int
    number: int
    time: Fraction
    image: Image
    name: str = ""


@runtime_checkable
class FrameSource(Protocol):
    """Any footage: each iteration reads its frames from the beginning."""

    @property
    def info(self) -> VideoInfo:
        """Metadata known before reading."""
        ...

    def __iter__(self) -> Iterator[Frame]:
        """Read from the first frame. Closing the iterator (``.close()`` of a generator) frees what it holds."""
        ...
