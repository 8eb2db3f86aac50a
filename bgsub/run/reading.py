"""What to read of the footage, and the first of its two readers, which reports progress and records time stamps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice

from bgsub.background.segments import too_few
from bgsub.base.prefetch import prefetch
from bgsub.errors import OptionError, TooFewFrames
from bgsub.frames.grid import Grid
from bgsub.frames.read.open import Target, open_source
from bgsub.frames.read.timing import DEFAULT_RATE
from bgsub.frames.sample import FEWEST
from bgsub.frames.select import Selection
from bgsub.frames.source import Frame, FrameSource, VideoInfo
from bgsub.options.position import Position
from bgsub.options.table import Options
from bgsub.run.progress import Progress, counted

READ_AHEAD = 3
"""Frames decoded ahead: enough to keep the decoder busy, few enough to stay small at 4K."""

READER_BYTES = 30
"""Bytes per pixel of the footage that a decoder takes, including its own frames and those read ahead."""

MOST_TIMES = 10_000
"""Most time stamps recorded, from which the output's time base is chosen."""


@dataclass
class Reading:
    """A selection, read ahead on a thread, that reports every frame and records the first time stamps."""

    selection: Selection
    progress: Progress
    times: list[Fraction] = field(default_factory=list)

    def __iter__(self) -> Iterator[Frame]:
        for frame in counted(prefetch(self.selection, READ_AHEAD), self.progress):
            if len(self.times) < MOST_TIMES:
                self.times.append(frame.time)
            yield frame


def open_footage(target: Target, options: Options) -> FrameSource:
    """Open what *options* say more of: the rate and the range of pictures and arrays."""
    return open_source(target, options=options)


def known_names(source: FrameSource) -> frozenset[str]:
    """Return what the files of a folder of results may be called after the footage's own files."""
    names = getattr(source, "names", ())
    return frozenset(f"{name}.{ending}" for name in names if name for ending in ("png", "txt"))


def assumed_rate(info: VideoInfo) -> str:
    """Return what to say of footage without time stamps whose rate nobody has given; empty for any other."""
    if info.fps is not None or info.kind == "video" or info.frame_count is None:
        return ""
    if info.duration != info.frame_count / DEFAULT_RATE:
        return ""  # a TIFF has noted an interval that is no plausible rate: hours, in a time lapse
    return f"{DEFAULT_RATE} frames/s assumed: pictures have no time stamps; --fps gives their rate"


def grid_for(info: VideoInfo, options: Options) -> Grid:
    """Return the pixels that *options* select; OptionError if a region does not fit the image."""
    color = info.is_color and not options.gray
    return Grid(
        info.width, info.height, color, options.scale, options.roi, options.exclude, options.max_pixels
    )


def select_frames(source: FrameSource, options: Options) -> Selection:
    """Return the part of *source* that *options* select."""
    start = None if options.start is None else at(options.start, source.info, "--start")
    # Claimed lengths are estimates: to the end means to the last frame that there is.
    whole = options.end is None or options.end.share == 1
    end = None if whole or options.end is None else at(options.end, source.info, "--end")
    return Selection(source, start, end, options.every, options.duration)


def at(position: Position, info: VideoInfo, flag: str) -> Position:
    """Return a *position* that is a share as a frame, or of a video as a time; others as they are.

    Raises
    ------
    OptionError
        The length is not known; the message names the *flag*.
    """
    if position.share is None:
        return position
    if info.kind == "video" and info.duration is not None:
        return Position(seconds=position.share * info.duration)
    if info.frame_count is None:
        raise OptionError(
            f"{flag} {position}: {info.name} does not say how long it is; give frames (120) or a time (2m30s)"
        )
    return Position(frame=int(position.share * info.frame_count))


def check_enough(selection: Selection, options: Options) -> None:
    """Raise TooFewFrames if a run would find too few, by reading as many as it takes: containers claim wrong counts.

    A sufficient claim is trusted only if frames before a start would have to be decoded.
    """
    claimed = selection.expected
    if selection.start is not None and claimed is not None and claimed >= FEWEST:
        return
    have = sum(1 for _ in islice(selection, FEWEST))
    if have < FEWEST:
        with short_footage_blamed(selection.source):
            raise TooFewFrames(too_few(selection.source.info.name, have, options))


@contextmanager
def short_footage_blamed(source: FrameSource) -> Iterator[None]:
    """Where too few frames are found within, blame *source* instead of the options if it has no more itself."""
    try:
        yield
    except TooFewFrames:
        have = sum(1 for _ in islice(source, FEWEST))
        if have < FEWEST:
            raise TooFewFrames(too_few(source.info.name, have)) from None
        raise


def nbytes(grid: Grid, held: int = 0) -> int:
    """Return the bytes of one reader of the footage, with *held* frames waiting behind it."""
    return (READER_BYTES + held * (3 if grid.color else 1)) * grid.width * grid.height
