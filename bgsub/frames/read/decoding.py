"""Decode a video stream to the end, whatever is broken on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bgsub.base.plural import count_of
from bgsub.base.pyav import FFmpegError, InputContainer, Packet, VideoFrame, VideoStream, decode
from bgsub.frames.read.container import reason_of

# A demuxer that fails this many times in a row without a packet in between makes no progress.
_DEMUXER_FAILURES = 8


@dataclass(slots=True)
class Damage:
    """What was broken in the stream.

    Attributes
    ----------
    packets
        Packets that failed to decode or were truncated.
    frames
        Frames that were decoded with errors; the decoder has concealed these with earlier content.
    first
        FFmpeg's message on the first broken packet.
    """

    packets: int = 0
    frames: int = 0
    first: str = ""

    def note(self, reason: str) -> None:
        """Count one broken packet."""
        self.first = self.first or reason
        self.packets += 1

    def __bool__(self) -> bool:
        """Return whether anything was broken."""
        return self.packets > 0 or self.frames > 0

    def __str__(self) -> str:
        packets = f"{count_of(self.packets, 'damaged packet')} ({self.first})" if self.packets else ""
        frames = f"{count_of(self.frames, 'frame')} patched up" if self.frames else ""
        return ", ".join(filter(None, (packets, frames)))


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
    for packet in _packets(container, stream, damage):
        if packet is not None and on_packet is not None:
            on_packet(packet)
        try:
            frames = decode(stream, packet)
        except FFmpegError as error:
            damage.note(reason_of(error))
            continue
        if packet is not None and packet.is_corrupt:
            damage.note("cut short")
        for frame in frames:
            damage.frames += frame.is_corrupt
            yield frame


def _packets(
    container: InputContainer, stream: VideoStream, damage: Damage
) -> Iterator[Packet[VideoStream] | None]:
    """Yield the packets of *stream*, then None to flush the decoder."""
    failures = 0
    while failures < _DEMUXER_FAILURES:
        try:
            for packet in container.demux(stream):
                failures = 0
                yield packet
        except FFmpegError as error:
            damage.note(reason_of(error))
            failures += 1
        else:
            return
    yield None
