"""Part of a source: from start to end, every N-th frame."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from fractions import Fraction

from bgsub.errors import OptionError
from bgsub.frames.read.contract import check_kept
from bgsub.frames.read.timing import DEFAULT_RATE
from bgsub.frames.source import Frame, FrameSource
from bgsub.options.position import Position


@dataclass(frozen=True, slots=True)
class Selection:
    """The frames of *source* in [start, end), every *every*-th of them; frames keep their index, number and time.

    Seconds count from the first frame's time stamp, as in a video player, whatever that stamp is; *duration*, in
    place of an end, counts from the first frame that is chosen. Iteration raises InputError for an image whose
    dtype, size or channels differ from the source's info.
    """

    source: FrameSource
    start: Position | None = None
    end: Position | None = None
    every: int = 1
    duration: Position | None = None

    def __post_init__(self) -> None:
        if self.every < 1:
            raise OptionError(f"every must be at least 1, got {self.every}")

    def __iter__(self) -> Iterator[Frame]:
        """Read from the beginning; decode and drop frames before *start* (seeking is inexact on damaged files)."""
        frames, info = iter(self.source), self.source.info
        origin: Fraction | None = None
        first: Frame | None = None
        chosen = 0
        try:
            for frame in frames:
                check_kept(frame, info)
                origin = frame.time if origin is None else origin
                if _reached(self.end, frame, origin):
                    return
                if self.start is None or _reached(self.start, frame, origin):
                    first = first or frame
                    if _reached(self.duration, frame, first.time, first.index):
                        return
                    if chosen % self.every == 0:
                        yield frame
                    chosen += 1
        finally:
            if isinstance(frames, Generator):
                frames.close()

    @property
    def expected(self) -> int | None:
        """Estimated number of frames, from the container's claims, for planning and progress bars; None if unknown."""
        info = self.source.info
        if info.frame_count is None:
            return None
        first = self._frame_of(self.start, 0)
        last = self._frame_of(self.end, info.frame_count)
        if self.duration is not None:
            last = min(last, first + self._frame_of(self.duration, 0))
        return max(0, -(-(min(last, info.frame_count) - first) // self.every))

    @property
    def rate(self) -> Fraction | None:
        """Frame rate of the selection, from the container's claims; None if unknown."""
        fps = self.source.info.fps
        return None if fps is None else fps / self.every

    def _frame_of(self, position: Position | None, default: int) -> int:
        if position is None:
            return default
        if position.frame is not None:
            return position.frame
        return math.ceil((position.seconds or 0) * (self.source.info.fps or DEFAULT_RATE))


def _reached(position: Position | None, frame: Frame, origin: Fraction, index: int = 0) -> bool:
    """Return whether *frame* lies at *position* or behind, counted from a frame of that time and index."""
    if position is None:
        return False
    if position.frame is not None:
        return frame.index - index >= position.frame
    return frame.time - origin >= (position.seconds or 0)
