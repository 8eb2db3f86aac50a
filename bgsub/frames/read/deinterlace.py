"""Whole pictures from frames of which every other line was taken a moment later."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TypeAlias

from bgsub.base.pyav import FFmpegError, FrameFilter, VideoFrame
from bgsub.base.warn import report

Timed: TypeAlias = "tuple[VideoFrame, Fraction | None]"

FILTER = "bwdif"
SMALLEST = 8
"""Rows and columns that the filter needs, with colour at half of them."""


def deinterlaced(frames: Iterable[Timed], mode: str, name: str) -> Iterator[Timed]:
    """Yield as many frames, with the times they had, each without the lines of the other moment.

    FFmpeg's filter bwdif interpolates the second field of each frame from both fields around it.

    Parameters
    ----------
    frames
        Frames in display order, with their times.
    mode
        ``"auto"``: those that the decoder calls interlaced; ``"on"``: all; ``"off"``: none.
    name
        The footage, for a warning where only later frames are interlaced.
    """
    weaver: _Weaver | None = None
    is_told = False
    for number, (frame, time) in enumerate(frames, 1):
        if weaver is not None and not weaver.takes(frame):
            yield from weaver.rest()
            weaver = None
        if weaver is None and wants(frame, mode):
            weaver = _weaver(frame, mode)
            if number > 1 and not is_told:
                report(f"{name}: frames from {number} on are interlaced; each is deinterlaced")
            is_told = True
        if weaver is None:
            yield frame, time
        else:
            yield from weaver.add(frame, time)
    if weaver is not None:
        yield from weaver.rest()


def wants(frame: VideoFrame, mode: str) -> bool:
    """Return whether a frame needs the filter, and is large enough for it."""
    asked = mode == "on" or (mode == "auto" and frame.interlaced_frame)
    return asked and min(frame.width, frame.height) >= SMALLEST


def _weaver(frame: VideoFrame, mode: str) -> _Weaver | None:
    """Return the filter; None where it does not take frames of this size or format."""
    try:
        return _Weaver(frame, mode)
    except (FFmpegError, ValueError):
        return None


class _Weaver:
    """The filter, for frames of one size and format, and the times of the frames that are in it."""

    def __init__(self, first: VideoFrame, mode: str) -> None:
        which = "interlaced" if mode == "auto" else "all"
        self._filter = FrameFilter(first, FILTER, f"mode=send_frame:deint={which}")
        self._waiting: deque[Timed] = deque()

    def takes(self, frame: VideoFrame) -> bool:
        return self._filter.takes(frame)

    def add(self, frame: VideoFrame, time: Fraction | None) -> Iterator[Timed]:
        self._waiting.append((frame, time))
        yield from self._out(frame)

    def rest(self) -> Iterator[Timed]:
        yield from self._out(None)
        yield from self._waiting
        self._waiting.clear()

    def _out(self, frame: VideoFrame | None) -> Iterator[Timed]:
        try:
            ready = self._filter.push(frame)
        except FFmpegError:
            # What the filter cannot take is shown as it is.
            yield from self._waiting
            self._waiting.clear()
            return
        for done in ready:
            if self._waiting:
                yield done, self._waiting.popleft()[1]
