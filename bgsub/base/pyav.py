"""The one door to PyAV: what differs between its versions stays here, and every time and rate is an exact fraction.

In come paths, out come containers, and of their streams, packets and frames what the readers ask for. PyAV below 19
gives rationals as fractions and None where there is none; from 19 on they are its own, and 0 or x/0 there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
from av.codec.codec import codecs_available
from av.container import InputContainer, OutputContainer
from av.error import FFmpegError, InvalidDataError
from av.filter import Graph
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

_INVALID_DATA = int.from_bytes(b"INDA", "little")  # FFmpeg's AVERROR_INVALIDDATA
_UNNAMED = re.compile("([0-9]+) is not a valid Type")


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


def decode(stream: VideoStream, packet: Packet[VideoStream] | None) -> list[VideoFrame]:
    """Decode a packet, or with None what the decoder holds back; FFmpegError where that fails.

    From 19 on PyAV forgets a decoder that could not be opened for one packet, and has a ValueError for all later ones.
    """
    try:
        return stream.decode(packet)
    except FFmpegError:
        raise
    except ValueError as error:
        raise InvalidDataError(_INVALID_DATA, str(error)) from None


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
    """Return the matrix (ISO/IEC 14496-12, ``tkhd``) by which a frame is to be turned; None where there is none."""
    matrix: Any = _side_data(frame).get("DISPLAYMATRIX")
    return None if matrix is None else bytes(matrix)


def _side_data(frame: VideoFrame) -> Mapping[Any, Any]:
    """Return the side data of a frame by its kinds.

    PyAV below 19 refuses all of it as soon as there is a kind that it has no name for (Exif in MJPEG, the views of
    MV-HEVC); FFmpeg takes such kinds away, one after the other.
    """
    while True:
        try:
            return frame.side_data
        except ValueError as error:
            unnamed = _UNNAMED.match(str(error))
            if unnamed is None:
                raise
            frame = _without(frame, int(unnamed[1]))


def _without(frame: VideoFrame, kind: int) -> VideoFrame:
    """Return the frame without its side data of one kind, given by FFmpeg's number."""
    graph = Graph()
    # Pictures do not depend on the time base, but the graph must have one.
    source = graph.add_buffer(
        width=frame.width, height=frame.height, format=frame.format, time_base=Fraction(1)
    )
    graph.link_nodes(source, graph.add("sidedata", f"mode=delete:type={kind}"), graph.add("buffersink"))
    graph.configure()
    graph.push(frame)
    left = graph.pull()
    assert isinstance(left, VideoFrame)
    return left
