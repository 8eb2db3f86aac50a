"""A recording of packets as they come, not encoded anew."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from bgsub.base.pyav import (
    FFmpegError,
    OutputContainer,
    Packet,
    VideoStream,
    fraction,
    open_output,
    rates,
    seconds,
)
from bgsub.base.write_errors import output_error
from bgsub.frames.read.timing import DEFAULT_RATE

FORMATS = ("nut", "matroska")
"""What is written: the first takes nearly every codec, the other some more."""
_JUMP = Fraction(1)
"""Seconds by which time stamps may lag; more is a new beginning."""


class Remuxer:
    """Writes the packets of one video stream, of one connection after the other, to a file.

    Time stamps go on where a new connection starts anew or a stream jumps back.

    Raises
    ------
    OutputError
        From :meth:`add`: it cannot be written.
    ValueError
        From :meth:`add`: packets of this kind cannot be written.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._container: OutputContainer | None = None
        self._stream: Any = None
        self._shift: Fraction | None = None
        self._first = self._last = Fraction(0)
        self.count = 0

    @property
    def elapsed(self) -> Fraction:
        """Seconds that the recorded packets span."""
        return self._last - self._first

    def rejoin(self) -> None:
        """Take the next packet for the first one of a new connection."""
        self._shift = None

    def add(self, packet: Packet[VideoStream], stream: VideoStream) -> None:
        """Write a packet."""
        if self._container is None:
            self._container, self._stream = _opened(self._place, stream)
        step = 1 / (rates(stream)[0] or DEFAULT_RATE)
        tick = fraction(packet.time_base or stream.time_base) or Fraction(1, 90_000)
        shown, decoded = (seconds(stamp, tick) for stamp in (packet.pts, packet.dts))
        decoded = decoded if decoded is not None else shown
        decoded = self._placed(decoded, step)
        shown = decoded if shown is None else max(shown + (self._shift or 0), decoded)
        packet.time_base = tick
        packet.dts, packet.pts = round(decoded / tick), round(shown / tick)
        packet.stream = self._stream
        try:
            self._container.mux_one(packet)
        except FFmpegError as error:
            raise output_error(self._place, error) from None
        self._first = decoded if self.count == 0 else self._first
        self._last, self.count = decoded, self.count + 1

    def close(self) -> None:
        """Finish the file."""
        if self._container is not None:
            self._container.close()

    def _placed(self, stamp: Fraction | None, step: Fraction) -> Fraction:
        """Return the time of decoding of the next packet, later than that of the one before."""
        following = self._last + step
        if stamp is None:
            return following
        if self._shift is None:
            self._shift = following - stamp if self.count else Fraction(0)
        time = stamp + self._shift
        if self.count and time <= self._last - _JUMP:
            self._shift = following - stamp
            return following
        return time if self.count == 0 or time > self._last else self._last + step / 8


def _opened(place: Path, stream: VideoStream) -> tuple[OutputContainer, Any]:
    for form in FORMATS:
        container = open_output(place, form, {})
        try:
            return container, container.add_stream_from_template(stream)
        except ValueError:
            container.close()
    raise ValueError("it has a format that cannot be recorded")
