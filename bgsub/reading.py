"""The first of the two readers: every frame once, told of, its time noted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from bgsub.frames.prefetch import prefetch
from bgsub.frames.select import Selection
from bgsub.frames.source import Frame
from bgsub.progress import Progress, counted

READ_AHEAD = 3
"""Frames decoded ahead: enough to keep the decoder busy, few enough to stay small at 4K."""

MOST_TIMES = 10_000
"""Time stamps kept: what the time base of the output is chosen by."""


@dataclass
class Reading:
    """A selection, read ahead on a thread, that tells of every frame and notes the first times it sees."""

    selection: Selection
    progress: Progress
    times: list[Fraction] = field(default_factory=list)

    def __iter__(self) -> Iterator[Frame]:
        for frame in counted(prefetch(self.selection, READ_AHEAD), self.progress):
            if len(self.times) < MOST_TIMES:
                self.times.append(frame.time)
            yield frame
