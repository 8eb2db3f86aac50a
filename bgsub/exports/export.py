"""The interface of all exports, and what they know of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bgsub.base.publish import Publication
from bgsub.events.log import Log
from bgsub.events.row import Moment, Row
from bgsub.frames.source import Frame, Image
from bgsub.render.sinks.video import Encoding


@dataclass(slots=True)
class SegmentFactors:
    """The background of a segment.

    Attributes
    ----------
    centre
        ``(height, width[, 3])`` float32 of the region, grey levels.
    components
        ``(rank, height, width[, 3])`` float32, orthonormal.
    numbers
        Of the frames.
    coefficients
        ``(rank,)`` float32 of each.
    """

    centre: NDArray[np.float32]
    components: NDArray[np.float32]
    numbers: list[int] = field(default_factory=list)
    coefficients: list[NDArray[np.float32]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scene:
    """What exports know of a run.

    Attributes
    ----------
    name
        Of the footage.
    file_names
        Of the input's own pictures, by the names of frames; empty for other footage.
    shape
        ``(height, width)`` of the pictures that are written.
    rate
        Frames a second, nominal.
    recorded
        When the footage begins, if the file says so.
    pad
        Seconds that a clip shows before and after an event.
    plate
        Returns the picture of the empty scene, ``(height, width[, 3])`` uint8.
    frames
        Reads the frames once more, as they were judged: of that size, gray or RGB.
    overlay
        The finished overlay, if one is written; else None.
    encoding
        How clips are encoded.
    factors
        The backgrounds of the segments, if they are asked for.
    folder, files
        Where the results go, and what publishes them.
    """

    name: str
    file_names: Mapping[str, str]
    shape: tuple[int, int]
    rate: Fraction
    recorded: datetime | None
    pad: Fraction
    plate: Callable[[], Image]
    frames: Callable[[], Iterator[Frame]]
    overlay: Path | None
    encoding: Encoding
    factors: Sequence[SegmentFactors]
    folder: Path
    files: Publication


class Export(Protocol):
    """One form of the result; made for a file or folder of its own, which is published if :meth:`finish` returns."""

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Take in the next frame, with or without rows."""

    def finish(self, log: Log) -> None:
        """Write what is left; all frames have been taken in, and *log* sums them up."""
