"""Decode a video stream to the end, whatever is broken on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bgsub.base.plural import count_of
from bgsub.base.pyav import (
    FFmpegError,
    InputContainer,
    NotYet,
    Packet,
    VideoFrame,
    VideoStream,
    decode,
    drain,
    is_encrypted,
    read_only,
)
from bgsub.frames.read.container import reason_of

# A demuxer that fails this many times in a row without a packet in between makes no progress.
_DEMUXER_FAILURES = 8

# One that asks to be called again has found nothing wrong, but must not do so for ever.
_DEMUXER_DELAYS = 1000


@dataclass(slots=True)
class Damage:
    """What was broken in the stream.

    Attributes
    ----------
    packets
        Packets that failed to decode or were truncated.
    frames
        Frames that were decoded with errors; the decoder has concealed these with earlier content.
    encrypted
        Packets that were not decoded because they are encrypted.
    first
        FFmpeg's message on the first broken packet.
    """

    packets: int = 0
    frames: int = 0
    encrypted: int = 0
    first: str = ""

    def note(self, reason: str) -> None:
        """Count one broken packet."""
        self.first = self.first or reason
        self.packets += 1

    def __bool__(self) -> bool:
        """Return whether anything was broken."""
        return self.packets > 0 or self.frames > 0 or self.encrypted > 0

    def __str__(self) -> str:
        packets = f"{count_of(self.packets, 'damaged packet')} ({self.first})" if self.packets else ""
        frames = f"{count_of(self.frames, 'frame')} patched up" if self.frames else ""
        encrypted = f"{count_of(self.encrypted, 'packet')} skipped, encrypted" if self.encrypted else ""
        return ", ".join(filter(None, (packets, frames, encrypted)))


def decoded(
    container: InputContainer,
    stream: VideoStream,
    damage: Damage,
    on_packet: Callable[[Packet[VideoStream]], None] | None = None,
) -> Iterator[VideoFrame]:
    """Yield every frame that decodes, in display order.

    A packet that does not decode is recorded and skipped. This always terminates: each decoder failure
    consumes a packet, and a demuxer that keeps failing is given up.

    Parameters
    ----------
    container, stream
        An open file and the stream to read.
    damage
        Where failures are recorded.
    on_packet
        Called with each packet before it is decoded.
    """
    # Not "AUTO": with frame threading FFmpeg drops the error of a packet that fails near the end, and an
    # intact frame with it, so that a truncated file looks complete.
    stream.thread_type = "SLICE"
    read_only(container, stream)
    for packet in _packets(container, stream, damage):
        if packet is not None and on_packet is not None:
            on_packet(packet)
        if packet is not None and is_encrypted(packet):
            damage.encrypted += 1
            continue
        for frame in _frames_of(packet, stream, damage):
            damage.frames += frame.is_corrupt
            yield frame


def _frames_of(
    packet: Packet[VideoStream] | None, stream: VideoStream, damage: Damage
) -> Iterator[VideoFrame]:
    """Yield what the decoder has ready after a packet, and record the packet where it is broken."""
    try:
        frames = decode(stream, packet)
    except NotYet:
        # It takes nothing more until it has given what it holds.
        yield from drain(stream)
        frames = _second_attempt(packet, stream, damage)
    except FFmpegError as error:
        damage.note(reason_of(error))
        return
    if packet is not None and packet.is_corrupt:
        damage.note("cut short")
    yield from frames


def _second_attempt(
    packet: Packet[VideoStream] | None, stream: VideoStream, damage: Damage
) -> list[VideoFrame]:
    try:
        return decode(stream, packet)
    except FFmpegError as error:
        damage.note(reason_of(error))
        return []


def _packets(
    container: InputContainer, stream: VideoStream, damage: Damage
) -> Iterator[Packet[VideoStream] | None]:
    """Yield the packets of *stream*, then None to flush the decoder."""
    failures = delays = 0
    while failures < _DEMUXER_FAILURES and delays < _DEMUXER_DELAYS:
        try:
            for packet in container.demux(stream):
                failures = delays = 0
                yield packet
        except NotYet:
            delays += 1
        except FFmpegError as error:
            damage.note(reason_of(error))
            failures += 1
        else:
            return
    yield None
