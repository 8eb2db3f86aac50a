"""Mask sink: FFV1 in Matroska, lossless."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np

from bgsub.base.publish import Publication
from bgsub.errors import OptionError, OutputError
from bgsub.frames.source import Image
from bgsub.render.layer import SHADOW
from bgsub.render.sinks.clock import LONGEST, WEEK, StreamClock
from bgsub.render.sinks.encoder import Encoder, Format
from bgsub.render.sinks.sink import FileSink, describe
from bgsub.render.sinks.video import check_fps

FULL_RANGE = 2
SMALLEST_SLICED = 16
ONE_SLICE = (352, 288)
"""Width and height beyond which FFmpeg's FFV1 encoder makes at least two slices."""
MILLISECOND = Fraction(1, 1000)
"""Seconds per tick: the only time base of FFmpeg's Matroska muxer."""


class MaskSink(FileSink):
    """FFV1 version 3, gray, in Matroska: lossless, any size, every frame a keyframe with a checksum.

    Images that are one pixel wide and too high for one slice are stored as version 1, which has no checksum.

    Times are stored in milliseconds, as in every Matroska file by FFmpeg: exact for 10, 20, 25, 40, 50 …
    frames per second, at most half a millisecond off otherwise.

    Parameters
    ----------
    path
        The file.
    files
        Publishes it: see :class:`.FileSink`.
    fps
        Nominal frame rate, if known; not used for time stamps.
    threads
        Encoder threads; 0 lets the encoder choose.

    Raises
    ------
    OutputError
        If the path cannot be used.
    OptionError
        If the rate or the number of threads is invalid.
    """

    def __init__(
        self,
        path: str | Path,
        files: Publication | None = None,
        *,
        fps: Fraction | None = None,
        threads: int = 0,
    ) -> None:
        super().__init__(path, files)
        if threads < 0:
            raise OptionError(f"threads must be at least 0, not {threads}")
        self._fps = check_fps(fps)
        self._threads = threads
        self._clock = StreamClock(MILLISECOND, self.name, WEEK)
        self._encoder: Encoder | None = None

    def _put(self, image: Image, time: Fraction, number: int, name: str) -> None:
        check_mask(image, self.name)
        if self._encoder is None:
            height, width = image.shape
            layout = mask_format(width, height, self._threads)
            self._encoder = Encoder(self._at, self.path, layout, (width, height), MILLISECOND, self._fps)
        tick = self._clock.ticks(time)
        self._encoder.encode(image, tick, min(self._clock.interval or 1, LONGEST))

    def _finish(self) -> None:
        if self._encoder is not None:
            self._encoder.finish()

    def _discard(self) -> None:
        if self._encoder is not None:
            self._encoder.abandon()
        super()._discard()


def check_mask(image: Image, name: str) -> None:
    """Raise :class:`OutputError` unless *image* is ``(height, width)`` and holds only 0, 255 and SHADOW."""
    if image.ndim != 2:
        raise OutputError(f"cannot write {name}: a mask is (height, width), not {describe(image)}")
    extreme = cv2.countNonZero(image)
    if extreme != np.count_nonzero(image == 255) + np.count_nonzero(image == SHADOW):
        raise OutputError(f"cannot write {name}: a mask holds 0 and 255 only; threshold it first")


def mask_format(width: int, height: int, threads: int) -> Format:
    """Return the format of mask files."""
    return Format(
        container="matroska",
        codec="ffv1",
        pixel_format="gray",
        codec_options={"g": "1", **_version(width, height)},
        threads=threads,
        color=(FULL_RANGE, 2, 2, 2),
    )


def _version(width: int, height: int) -> dict[str, str]:
    """Return the FFV1 version with its options: 1, which has no slices, if FFmpeg can make none of version 3."""
    if width == 1 and height > ONE_SLICE[1]:
        return {"level": "1"}
    return {"level": "3", "slicecrc": "1", "slices": slices(width, height)}


def slices(width: int, height: int) -> str:
    """Return the number of slices to request for FFV1 version 3; 0 leaves it to the encoder.

    FFmpeg makes four if both sides have at least SMALLEST_SLICED pixels. For thinner images it makes one, but
    refuses to beyond ONE_SLICE; there its own choice works, except for images one pixel wide and more than
    288 high: FFmpeg cuts anything higher into at least two from top to bottom, and never into fewer side by side.
    """
    if min(width, height) >= SMALLEST_SLICED:
        return "4"
    return "1" if width <= ONE_SLICE[0] and height <= ONE_SLICE[1] else "0"
