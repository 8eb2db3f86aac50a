"""A part of a source: from a start to an end, every N-th frame."""

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

    Seconds count from the first frame's time stamp, as a player's clock does, whatever stamp that frame carries.
    InputError where a picture is not of the type, size or channels that the source's info says.
    """

    source: FrameSource
    start: Position | None = None
    end: Position | None = None
    every: int = 1

    def __post_init__(self) -> None:
        if self.every < 1:
            raise OptionError(f"every must be at least 1, got {self.every}")

    def __iter__(self) -> Iterator[Frame]:
        """Read anew; the frames before *start* are decoded and dropped (no seek: it is not exact on damaged files)."""
        frames, info = iter(self.source), self.source.info
        origin: Fraction | None = None
        chosen = 0
        try:
            for frame in frames:
                check_kept(frame, info)
                origin = frame.time if origin is None else origin
                if _reached(self.end, frame, origin):
                    return
                if self.start is None or _reached(self.start, frame, origin):
                    if chosen % self.every == 0:
                        yield frame
                    chosen += 1
        finally:
            if isinstance(frames, Generator):
                frames.close()

    @property
    def expected(self) -> int | None:
        """Frames to come, as far as the container's claims go: an estimate for planning and progress bars."""
        info = self.source.info
        if info.frame_count is None:
            return None
        first = self._frame_of(self.start, 0)
        last = self._frame_of(self.end, info.frame_count)
        return max(0, -(-(min(last, info.frame_count) - first) // self.every))

    @property
    def rate(self) -> Fraction | None:
        """Frames per second to come, as far as the container's claims go."""
        fps = self.source.info.fps
        return None if fps is None else fps / self.every

    def _frame_of(self, position: Position | None, default: int) -> int:
        if position is None:
            return default
        if position.frame is not None:
            return position.frame
        return math.ceil((position.seconds or 0) * (self.source.info.fps or DEFAULT_RATE))


def _reached(position: Position | None, frame: Frame, origin: Fraction) -> bool:
    if position is None:
        return False
    if position.frame is not None:
        return frame.index >= position.frame
    return frame.time - origin >= (position.seconds or 0)
