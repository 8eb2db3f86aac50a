"""One encoded stream in one container, written with PyAV."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bgsub.base.pyav import FFmpegError, VideoFrame, VideoReformatter, VideoStream, has_codec, open_output
from bgsub.base.write_errors import output_error
from bgsub.errors import OutputError

NOMINAL_FPS = Fraction(25)
"""Frame rate that a file claims if the rate is unknown; time stamps do not depend on it."""


LARGEST_SIDES = {"libx264": 16_384}
"""Largest width and height in pixels that an encoder accepts."""
LARGEST = 2**31 - 1
"""Limit for FFmpeg's estimate of an image's bytes, 8 per pixel including a margin, in every encoder."""


@dataclass(frozen=True, slots=True)
class Format:
    """The properties of a file that do not depend on the footage.

    Attributes
    ----------
    container, codec, pixel_format
        FFmpeg's names.
    given
        FFmpeg's name of the layout of the arrays; empty if it is the pixel format itself.
    codec_options, container_options
        FFmpeg's options.
    threads
        Encoder threads; 0 lets the encoder choose.
    color
        (range, matrix, primaries, transfer) as numbered in ISO/IEC 23091-2, FFmpeg's ``color_range`` first.
    tag
        Four letters by which players know the codec; empty for the container's own choice.
    """

    container: str
    codec: str
    pixel_format: str
    given: str = ""
    codec_options: dict[str, str] = field(default_factory=dict)
    container_options: dict[str, str] = field(default_factory=dict)
    threads: int = 0
    color: tuple[int, int, int, int] = (0, 2, 2, 2)
    tag: str = ""


def refuse_too_large(path: Path, codec: str, size: tuple[int, int]) -> None:
    """Raise :class:`OutputError` if an encoder cannot take images of this (width, height)."""
    width, height = size
    side = LARGEST_SIDES.get(codec, LARGEST)
    if max(size) <= side and (8 * width + 1024) * (height + 128) < LARGEST:
        return
    most = f"{side} pixels a side" if max(size) > side else f"{LARGEST // 8_000_000} million pixels"
    raise OutputError(
        f"cannot write {path}: pictures of {width} × {height} pixels are too large for a video file, which ends at "
        f"{most}; make them smaller (--scale), or write a folder of PNG files instead ({path.stem}-png)"
    )


def refuse_without_encoder(path: Path, codec: str) -> None:
    """Raise :class:`OutputError` if this FFmpeg lacks an encoder."""
    if not has_codec(codec):
        raise OutputError(
            f"cannot write {path}: this FFmpeg has no encoder '{codec}'; install the 'av' wheel from PyPI, or choose "
            "another --codec"
        )


class Encoder:
    """Encode arrays into a file.

    Parameters
    ----------
    path
        The file; overwritten. Its suffix need not match the format.
    shown
        The path to name in messages.
    layout
        Container, codec and their options.
    size
        (width, height) in pixels.
    time_base
        Seconds per tick.
    fps
        Nominal frame rate; only a claim in the header, and the duration of a single frame.

    Raises
    ------
    OutputError
        If this FFmpeg lacks the encoder or it refuses to start, the image is too large for it, or the file
        cannot be written.
    """

    def __init__(
        self,
        path: Path,
        shown: Path,
        layout: Format,
        size: tuple[int, int],
        time_base: Fraction,
        fps: Fraction | None,
    ) -> None:
        self._shown = shown
        self._layout = layout
        self._time_base, self._converter = time_base, VideoReformatter()
        self._interval = max(1, round(1 / (fps or NOMINAL_FPS) / time_base))
        refuse_without_encoder(shown, layout.codec)
        refuse_too_large(shown, layout.codec, size)
        with self._reporting():
            self._container = open_output(path, layout.container, layout.container_options)
            try:
                self._stream = self._add_stream(size, fps or NOMINAL_FPS)
            except BaseException:
                self.abandon()
                raise

    def encode(self, planes: NDArray[np.uint8], tick: int, interval: int | None) -> None:
        """Append one image.

        Parameters
        ----------
        planes
            Its pixels in the layout of the pixel format.
        tick
            Its presentation time stamp, larger than the previous one.
        interval
            Ticks since the previous image, used as the duration; None for the first.
        """
        if interval is not None:
            self._interval = interval
        with self._reporting():
            frame = VideoFrame.from_ndarray(planes, format=self._layout.given or self._layout.pixel_format)
            if self._layout.given:
                frame = self._converter.reformat(frame, format=self._layout.pixel_format)
            frame.pts = tick
            frame.time_base = self._time_base
            self._mux(frame)

    def finish(self) -> None:
        """Flush the encoder, write the end of the file, and close it."""
        with self._reporting():
            self._mux(None)
            self._container.close()

    def abandon(self) -> None:
        """Close the file, whatever its state. Raises nothing."""
        with suppress(Exception):
            self._container.close()

    def _add_stream(self, size: tuple[int, int], fps: Fraction) -> VideoStream:
        layout = self._layout
        stream = self._container.add_stream(layout.codec, rate=fps, options=dict(layout.codec_options))
        assert isinstance(stream, VideoStream)
        stream.width, stream.height = size
        stream.pix_fmt = layout.pixel_format
        context = stream.codec_context
        context.time_base = self._time_base
        if layout.tag:
            context.codec_tag = layout.tag
        context.thread_count = layout.threads
        context.color_range, context.colorspace, context.color_primaries, context.color_trc = layout.color
        self._container.start_encoding()
        return stream

    def _mux(self, frame: VideoFrame | None) -> None:
        for packet in self._stream.encode(frame):
            packet.duration = self._interval
            self._container.mux(packet)

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except (FFmpegError, OSError) as error:
            raise output_error(self._shown, error) from error
