"""What is read of the footage, and the first of its two readers: every frame once, told of, its time noted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from bgsub.frames.grid import Grid
from bgsub.frames.prefetch import prefetch
from bgsub.frames.select import Selection
from bgsub.frames.source import Frame, FrameSource, VideoInfo
from bgsub.options import Options
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


def grid_for(info: VideoInfo, options: Options) -> Grid:
    """Return the pixels that *options* look at; OptionError when a region does not fit the picture."""
    color = info.is_color and not options.gray
    return Grid(info.width, info.height, color, options.scale, options.roi, options.exclude)


def select_frames(source: FrameSource, options: Options) -> Selection:
    """Return the part of *source* that *options* ask for."""
    return Selection(source, options.start, options.end, options.every)
