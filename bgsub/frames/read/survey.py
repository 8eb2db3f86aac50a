"""Inspect the beginning of a video stream: its first frame, and which metadata can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bgsub.base.pyav import (
    FFmpegError,
    InputContainer,
    Packet,
    VideoFrame,
    VideoStream,
    durations,
    indexed,
    is_matroska,
    rates,
    time_of,
)
from bgsub.errors import CannotDecode
from bgsub.frames.read.decoding import Damage, decoded
from bgsub.frames.read.timing import nominal_rate

# Enough to see the usual frame interval despite the reordering of B-frames; a few milliseconds of demuxing.
_STAMPS = 48


@dataclass(frozen=True, slots=True)
class Survey:
    """What the beginning of a stream shows.

    Attributes
    ----------
    first
        The first frame that decodes.
    fps, frame_count, duration
        As in :class:`bgsub.frames.source.VideoInfo`: None if the claim is implausible or contradicted by the
        packets.
    indexed
        Number of frames that the index lists to be shown, and the seconds that they span, or None.
    """

    first: VideoFrame
    fps: Fraction | None
    frame_count: int | None
    duration: Fraction | None
    indexed: tuple[int, Fraction] | None


def survey(container: InputContainer, stream: VideoStream, name: str) -> Survey:
    """Read a freshly opened stream until its first frame and up to 48 time stamps are known.

    Raises
    ------
    CannotDecode
        No frame decodes, after trying the whole file.
    """
    listed = indexed(stream)
    damage = Damage()
    beginning = _Beginning(stream)
    first = next(decoded(container, stream, damage, beginning.add), None)
    if first is None and damage.encrypted:
        raise CannotDecode(f"{name} is encrypted; give a decrypted copy, as whoever has the key can make it")
    if first is None:
        raise CannotDecode(f"no frame of {name} can be decoded: {damage or 'it holds none'}")
    beginning.read_on(container)
    fps = nominal_rate(rates(stream), beginning.stamps)
    duration = _duration(container, stream, beginning.stamps)
    claims = (listed[0] if listed else stream.frames, round(duration * fps) if duration and fps else 0)
    count = next((claim for claim in claims if claim > 0 and claim >= beginning.packets), None)
    return Survey(first, fps, count, duration, listed)


class _Beginning:
    """The number of packets seen and their time stamps; not the packets, which may be raw video frames."""

    def __init__(self, stream: VideoStream) -> None:
        self._stream = stream
        self.packets = 0
        self.stamps: list[Fraction] = []

    def add(self, packet: Packet[VideoStream]) -> None:
        if packet.size and not packet.is_discard:
            self.packets += 1
            stamp = time_of(packet, self._stream)
            self.stamps += [stamp] if stamp is not None else []

    def read_on(self, container: InputContainer) -> None:
        """Add packets without decoding them, until there are enough time stamps or an error occurs."""
        try:
            for packet in container.demux(self._stream):
                if self.packets >= _STAMPS:
                    return
                self.add(packet)
        except FFmpegError:
            return  # it will recur when the frames are read, and be reported then


def _duration(container: InputContainer, stream: VideoStream, stamps: list[Fraction]) -> Fraction | None:
    """Return the first plausible claim of how many seconds lie between the first and the last frame."""
    first, last = (min(stamps), max(stamps)) if stamps else (Fraction(0), Fraction(0))
    # Matroska's duration counts from zero.
    before = max(first, Fraction(0)) if is_matroska(stream) else Fraction(0)
    lengths = (claim - before for claim in durations(container, stream) if claim is not None)
    return next((length for length in lengths if length > 0 and length >= last - first), None)
