"""The one door to PyAV: what differs between its versions stays here, and every time and rate is an exact fraction.

In come paths, out come containers, and of their streams, packets and frames what the readers ask for. PyAV below 19
gives rationals as fractions and None where there is none; from 19 on they are its own, and 0 or x/0 there.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
from av.codec.codec import codecs_available
from av.container import InputContainer, OutputContainer
from av.error import FFmpegError
from av.packet import Packet
from av.stream import Disposition
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter
from av.video.stream import VideoStream

__all__ = [
    "FFmpegError",
    "InputContainer",
    "OutputContainer",
    "Packet",
    "VideoFrame",
    "VideoReformatter",
    "VideoStream",
]

# The tags of a camera are not always valid UTF-8, which must not make its pictures unreadable. From 19 on PyAV sees to
# that itself.
_LENIENT: dict[str, Any] = {} if int(av.__version__.split(".")[0]) >= 19 else {"metadata_errors": "replace"}


def open_input(path: Path) -> InputContainer:
    """Open a file for reading, whatever its name looks like; FFmpegError where FFmpeg finds nothing it knows.

    The caller closes it.
    """
    # "file:" keeps FFmpeg from reading "rtsp:x.mp4" as an address and "-x.mp4" as an option.
    container: InputContainer = av.open("file:" + os.fspath(path), **_LENIENT)
    return container


def open_output(path: Path, container: str, options: Mapping[str, str]) -> OutputContainer:
    """Open a file for writing, in the format *container*; the caller closes it.

    Raises
    ------
    FFmpegError, OSError
        The file cannot be written.
    """
    # An absolute path: FFmpeg takes "name:rest" for a protocol.
    return av.open(str(path.absolute()), "w", format=container, options=dict(options))


def has_codec(name: str) -> bool:
    """Tell whether this FFmpeg has an encoder or decoder of that name."""
    return name in codecs_available


def fraction(rational: Any) -> Fraction | None:
    """Return a rational of PyAV exactly; None where it stands for nothing: None, 0 and x/0."""
    return Fraction(int(rational.numerator), int(rational.denominator)) if rational else None


def seconds(pts: int | None, time_base: Any) -> Fraction | None:
    """Return a number of ticks in exact seconds; None where either is missing."""
    tick = fraction(time_base)
    return None if pts is None or tick is None else pts * tick


def time_of(item: VideoFrame | Packet[VideoStream], stream: VideoStream) -> Fraction | None:
    """Return when a frame is shown, or that of a packet, in exact seconds; None where nothing says."""
    return seconds(item.pts, item.time_base or stream.time_base)


def start_of(stream: VideoStream) -> Fraction | None:
    """Return the time at which a stream claims to begin, in seconds."""
    return seconds(stream.start_time, stream.time_base)


def durations(container: InputContainer, stream: VideoStream) -> tuple[Fraction | None, Fraction | None]:
    """Return the seconds that a stream and its container claim to last."""
    return seconds(stream.duration, stream.time_base), seconds(container.duration, Fraction(1, av.time_base))


def rates(stream: VideoStream) -> tuple[Fraction | None, ...]:
    """Return the frames per second that a stream claims, the most trusted first."""
    return tuple(map(fraction, (stream.average_rate, stream.guessed_rate, stream.base_rate)))


def is_cover(stream: VideoStream) -> bool:
    """Tell whether a stream is a picture that stands for the file."""
    return bool(stream.disposition & Disposition.attached_pic)


def display_matrix(frame: VideoFrame) -> bytes | None:
    """Return the matrix (ISO/IEC 14496-12, ``tkhd``) by which a frame is to be turned; None where there is none.

    PyAV below 19 refuses all side data of a frame as soon as there is a kind that it has no name for (MV-HEVC); the
    angle, which it knows all the same, then stands for the matrix.
    """
    try:
        matrix: Any = frame.side_data.get("DISPLAYMATRIX")
    except ValueError:
        return _turned(frame.rotation)
    return None if matrix is None else bytes(matrix)


def _turned(degrees: int) -> bytes:
    """Return the display matrix of a rotation by whole right angles, counterclockwise."""
    import numpy as np

    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[round(degrees / 90) % 4]
    return np.array([cos, -sin, 0, sin, cos, 0, 0, 0, 1], np.int32).tobytes()
