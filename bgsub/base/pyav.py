"""The only module that imports PyAV: it hides version differences and makes every time and rate an exact fraction.

It takes paths and returns containers, and what the readers need of their streams, packets and frames. PyAV
before 19 represents rationals as fractions, with None for unknown; later versions have a type of their own,
with 0 or x/0 for unknown.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
from av.codec.codec import codecs_available
from av.container import InputContainer, OutputContainer
from av.error import ArgumentError as NotAllowed
from av.error import BlockingIOError as NotYet
from av.error import ExitError as TimedOut
from av.error import FFmpegError, InvalidDataError
from av.error import HTTPClientError as BadAddress
from av.filter import Graph
from av.format import formats_available
from av.packet import Packet
from av.stream import Discard, Disposition
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter
from av.video.stream import VideoStream

__all__ = [
    "BadAddress",
    "FFmpegError",
    "InputContainer",
    "InvalidDataError",
    "NotAllowed",
    "NotYet",
    "OutputContainer",
    "Packet",
    "TimedOut",
    "VideoFrame",
    "VideoReformatter",
    "VideoStream",
]

# Camera metadata is not always valid UTF-8, which must not make the video unreadable. PyAV 19 and later
# handle this themselves.
_LENIENT: dict[str, Any] = {} if int(av.__version__.split(".")[0]) >= 19 else {"metadata_errors": "replace"}

# Formats that name other files or addresses, which FFmpeg would open in turn, whatever the suffix of the file.
_LISTS = {
    "concat",
    "dash",
    "hls",
    "imf",
    "lavfi",
    "rtp",
    "rtsp",
    "sap",
    "sdp",
    "vobsub",
    "webm_dash_manifest",
}

_OPTIONS = {
    # Left alone, PyAV has FFmpeg make up missing presentation times, wrongly wherever the decoder reorders frames.
    "fflags": "-genpts",
    # A file that somebody sent must not have other files or addresses read.
    "protocol_whitelist": "file",
    "format_whitelist": ",".join(sorted(formats_available - _LISTS)),
    # A picture's name is no pattern.
    "pattern_type": "none",
}

_PADDING = 2**20
"""Pixels that a decoder adds to a picture, at most."""

EPOCH = 1970
_INVALID_DATA = int.from_bytes(b"INDA", "little")  # FFmpeg's AVERROR_INVALIDDATA
_UNNAMED = re.compile("([0-9]+) is not a valid Type")


def open_input(path: Path, max_pixels: int) -> InputContainer:
    """Open a file for reading, whatever its name; FFmpegError if FFmpeg does not recognise its content.

    The caller closes it. No other file and no address is read on its account, and pictures of more than *max_pixels*
    are not decoded to look into it.
    """
    # "file:" keeps FFmpeg from taking "rtsp:x.mp4" for a URL and "-x.mp4" for an option.
    options = {**_OPTIONS, "max_pixels": str(max_pixels + _PADDING)}
    container: InputContainer = av.open("file:" + os.fspath(path), options=options, **_LENIENT)
    return container


def open_address(address: str, patience: float) -> InputContainer:
    """Open a stream at an address; the caller closes it.

    It can have other addresses read (a playlist does), but no file.

    Raises
    ------
    BadAddress
        The server says that there is no such thing, or that it is not for everybody.
    TimedOut
        From reading, too: nothing came for *patience* seconds.
    FFmpegError
        It cannot be opened for another reason.
    """
    options = {
        "fflags": "-genpts",
        "protocol_whitelist": "http,https,httpproxy,rtsp,rtsps,rtmp,rtmps,rtp,srtp,udp,tcp,tls,crypto,data",
        "rtsp_transport": "tcp",
    }
    container: InputContainer = av.open(address, options=options, timeout=patience, **_LENIENT)
    return container


def open_camera(device: Path, patience: float) -> InputContainer:
    """Open a camera of Linux (``/dev/video0``); the caller closes it. Errors are those of :func:`open_address`."""
    container: InputContainer = av.open(str(device), format="v4l2", timeout=patience, **_LENIENT)
    return container


def open_bytes(file: Any) -> InputContainer:
    """Open a video that is read from an object with a method ``read``; the caller closes it."""
    options = {**_OPTIONS, "protocol_whitelist": "none"}
    container: InputContainer = av.open(file, options=options, **_LENIENT)
    return container


def limit_pixels(stream: VideoStream, most: int) -> None:
    """Have the decoder refuse pictures of far more than *most* pixels; call it before decoding.

    Its error is EINVAL. Not those of a few more: decoders also count what they pad a picture with.
    """
    most += most // 2 + _PADDING
    stream.codec_context.options = {**stream.codec_context.options, "max_pixels": str(most)}


def open_output(path: Path, container: str, options: Mapping[str, str]) -> OutputContainer:
    """Open a file for writing with the muxer *container*; the caller closes it.

    Raises
    ------
    FFmpegError, OSError
        The file cannot be written.
    """
    # SVT-AV1 prints what it does on the terminal, unless its environment says otherwise.
    os.environ.setdefault("SVT_LOG", "1")
    # An absolute path: FFmpeg takes "name:rest" for a protocol.
    return av.open(str(path.absolute()), "w", format=container, options=dict(options))


def decode(stream: VideoStream, packet: Packet[VideoStream] | None) -> list[VideoFrame]:
    """Decode a packet, or flush the decoder if it is None; FFmpegError on failure.

    If a decoder could not be opened for one packet, PyAV 19 and later drop it and raise ValueError for all later ones.
    """
    try:
        return stream.decode(packet)
    except FFmpegError:
        raise
    except ValueError as error:
        raise InvalidDataError(_INVALID_DATA, str(error)) from None


def drain(stream: VideoStream) -> list[VideoFrame]:
    """Return what a decoder still holds and make it ready for more; it starts afresh, at the next key frame."""
    try:
        return decode(stream, None)
    except FFmpegError:
        return []
    finally:
        stream.codec_context.flush_buffers()


def read_only(container: InputContainer, stream: VideoStream) -> None:
    """Have every other stream skipped: one that is damaged must not end the reading."""
    for other in container.streams:
        if other.index != stream.index:
            other.discard = Discard.all


def is_encrypted(packet: Packet[VideoStream]) -> bool:
    """Return whether a packet is encrypted (ISO/IEC 23001-7) and was not decrypted by FFmpeg."""
    return packet.has_sidedata("encryption_info")


def has_codec(name: str) -> bool:
    """Return whether this FFmpeg has an encoder or decoder of that name."""
    return name in codecs_available


def fraction(rational: Any) -> Fraction | None:
    """Return a PyAV rational as an exact fraction; None if it is None, 0 or x/0, which mean unknown."""
    return Fraction(int(rational.numerator), int(rational.denominator)) if rational else None


def seconds(pts: int | None, time_base: Any) -> Fraction | None:
    """Convert a time stamp in ticks to exact seconds; None if either argument is unknown."""
    tick = fraction(time_base)
    return None if pts is None or tick is None else pts * tick


def time_of(item: VideoFrame | Packet[VideoStream], stream: VideoStream) -> Fraction | None:
    """Return the presentation time of a frame or packet in exact seconds; None if it has no time stamp.

    Where there is none, a frame is shown at the decoding time of the packet that releases it from the decoder.
    AVI has decoding times only: what FFmpeg derives from the kinds of frames is wrong for some codecs.
    """
    stamp = item.dts if is_avi(stream) or item.pts is None else item.pts
    return seconds(stamp, item.time_base or stream.time_base)


def is_avi(stream: VideoStream) -> bool:
    """Return whether a stream is part of an AVI file."""
    return stream.container.format.name == "avi"


def is_matroska(stream: VideoStream) -> bool:
    """Return whether a stream is part of a Matroska or WebM file."""
    return "matroska" in stream.container.format.name


def indexed(stream: VideoStream) -> tuple[int, Fraction] | None:
    """Return how many frames an MP4 or QuickTime file lists to be shown, and the seconds that they span.

    None for other formats, and where the list is made while reading (fragments). Call it before reading.
    """
    entries = stream.index_entries
    if "mp4" not in stream.container.format.name or not 0 < len(entries) <= stream.frames:
        return None
    shown = [entry.timestamp for entry in entries if not entry.is_discard]
    span = seconds(max(shown) - min(shown), stream.time_base) if shown else None
    return None if span is None else (len(shown), span)


def durations(container: InputContainer, stream: VideoStream) -> tuple[Fraction | None, Fraction | None]:
    """Return the durations that a stream and its container declare, in seconds."""
    return seconds(stream.duration, stream.time_base), seconds(container.duration, Fraction(1, av.time_base))


def rates(stream: VideoStream) -> tuple[Fraction | None, ...]:
    """Return the frame rates that a stream declares, the most trusted first."""
    return tuple(map(fraction, (stream.average_rate, stream.guessed_rate, stream.base_rate)))


def recorded_at(container: InputContainer, stream: VideoStream) -> datetime | None:
    """Return when a recording began, with its time zone, mostly UTC; None if the file says nothing that can be true."""
    for tags in (container.metadata, stream.metadata):
        for name, text in tags.items():
            if name.lower() == "creation_time" and (found := _moment(text)) is not None:
                return found
    return None


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    # A clock that was never set: the beginnings of time of MP4 and of Unix.
    return found if found.year > EPOCH else None


def is_cover(stream: VideoStream) -> bool:
    """Return whether a stream is an attached picture (cover art)."""
    return bool(stream.disposition & Disposition.attached_pic)


def display_matrix(frame: VideoFrame) -> bytes | None:
    """Return the display matrix of a frame (ISO/IEC 14496-12, ``tkhd``), or None."""
    matrix: Any = _side_data(frame).get("DISPLAYMATRIX")
    return None if matrix is None else bytes(matrix)


def _side_data(frame: VideoFrame) -> Mapping[Any, Any]:
    """Return the side data of a frame by type.

    PyAV before 19 refuses all of it if a single type is unknown to it (Exif in MJPEG, the views of MV-HEVC);
    such types are stripped by FFmpeg, one after the other.
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
    """Return the frame without side data of one type, given by FFmpeg's number."""
    graph = _graph(frame, "sidedata", f"mode=delete:type={kind}")
    graph.push(frame)
    left = graph.pull()
    assert isinstance(left, VideoFrame)
    return left


def _graph(frame: VideoFrame, name: str, arguments: str) -> Graph:
    """Return a filter for frames of the size and format of *frame*."""
    graph = Graph()
    # The time base does not affect the image, but the graph requires one.
    source = graph.add_buffer(
        width=frame.width, height=frame.height, format=frame.format, time_base=Fraction(1)
    )
    graph.link_nodes(source, graph.add(name, arguments), graph.add("buffersink"))
    graph.configure()
    return graph


class FrameFilter:
    """One of FFmpeg's filters, for frames of the size and format of the first.

    Raises
    ------
    FFmpegError
        From every method, if FFmpeg fails.
    """

    def __init__(self, first: VideoFrame, name: str, arguments: str) -> None:
        self._graph = _graph(first, name, arguments)
        self._shape = _shape(first)
        self._pushed = 0

    def takes(self, frame: VideoFrame) -> bool:
        """Return whether a frame has the size and format of the first."""
        return _shape(frame) == self._shape

    def push(self, frame: VideoFrame | None) -> list[VideoFrame]:
        """Put a frame in, or None after the last, and return what comes out; the time stamps are replaced."""
        if frame is not None:
            frame.pts, frame.time_base = self._pushed, Fraction(1)
            self._pushed += 1
        self._graph.vpush(frame)
        ready = []
        while True:
            try:
                ready.append(self._graph.vpull())
            except (NotYet, EOFError):
                return ready


def _shape(frame: VideoFrame) -> tuple[int, int, str]:
    return frame.width, frame.height, frame.format.name
