"""Decode a video stream to the end, whatever is broken in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bgsub.base.plural import count_of
from bgsub.base.pyav import FFmpegError, InputContainer, Packet, VideoFrame, VideoStream, decode
from bgsub.frames.read.container import reason_of

# A demuxer that fails this often in a row, without a packet in between, makes no progress.
_DEMUXER_FAILURES = 8


@dataclass(slots=True)
class Damage:
    """What was broken on the way.

    Attributes
    ----------
    packets
        Packets that did not decode, or came only in part.
    frames
        Frames that were decoded with errors; the decoder has patched them with what came before.
    first
        What FFmpeg said of the first packet.
    """

    packets: int = 0
    frames: int = 0
    first: str = ""

    def note(self, reason: str) -> None:
        """Count one broken packet."""
        self.first = self.first or reason
        self.packets += 1

    def __bool__(self) -> bool:
        """Whether anything was broken."""
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
    """Yield every frame that decodes, in order of display.

    A packet that does not decode is noted and skipped. The end comes surely: each failure of the decoder
    consumes a packet, and a demuxer that fails again and again is given up.

    Parameters
    ----------
    container, stream
        An open file and the stream to read.
    damage
        Where failures are noted.
    on_packet
        Called with each packet before it is decoded.
    """
    # Not "AUTO": with frame threads FFmpeg drops the error of a packet that fails among the last ones, and a
    # sound frame with it, so that a file that is cut short looks whole.
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
    """Yield the packets of *stream*, then what makes the decoder hand over the frames that it holds back."""
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
