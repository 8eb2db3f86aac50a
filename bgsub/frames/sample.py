"""Columns for the fit: a bounded number of frames spread evenly over a segment of possibly unknown length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import ceil

import numpy as np
from numpy.typing import NDArray

from bgsub.frames.changes.watch import Marked, Watched
from bgsub.frames.grid import Grid
from bgsub.frames.matrix import FrameMatrix
from bgsub.frames.read.timing import DEFAULT_RATE
from bgsub.frames.source import Frame
from bgsub.options.position import Position

FOLLOWERS = 50
"""Most pairs of frames; the quartile of that many changes is accurate to a tenth."""
FEWEST = 3
"""Fewest frames in a segment, however short a duration is requested: a fit needs that many."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The frames that a segment's background is fitted to.

    Attributes
    ----------
    matrix
        ``(columns, rows)`` uint8: the sampled frames, including pixels of the box outside the region.
    followers
        ``(pairs, rows)`` uint8: the frames directly after sampled ones, which reveal what moves all the time.
    every
        The j-th follower comes after the sampled frame ``j * every``.
    frames
        Number of frames in the segment.
    first
        Index of the segment's first frame in its source.
    after_change
        Whether the segment starts at a change point: earlier frames then say nothing about its background.
    """

    matrix: FrameMatrix
    followers: FrameMatrix
    every: int
    frames: int
    first: int
    after_change: bool = False

    @property
    def is_poor(self) -> bool:
        """True if a claimed length was far too large, so that the stride skipped most of the segment."""
        return len(self.matrix) < min(self.frames, max(FEWEST, self.matrix.capacity // 2))


class Sampler:
    """Keeps at most *columns* of the frames it is offered, evenly spread, however many there turn out to be.

    The initial stride follows from the expected length. Whenever the matrix is full, every other frame is
    dropped and the stride doubled, so between half of *columns* and all of them are kept, and memory never grows.
    """

    def __init__(self, grid: Grid, columns: int, expected: int | None) -> None:
        self.grid = grid
        self.matrix = FrameMatrix(columns, grid.rows)
        self.every = -(-columns // FOLLOWERS)
        self.followers = FrameMatrix(-(-columns // self.every), grid.rows)
        self.stride = _stride(expected or 0, columns)
        self.offered = 0
        self._due = 0.0
        self._follows = False

    def offer(self, frame: Frame) -> None:
        """Process the next frame of the segment."""
        wanted = self.offered >= self._due
        if wanted or self._follows:
            rows = self.grid.gather(frame.image, blank=False)
            if self._follows:
                self.followers.append(rows)
            self._follows = False
            if wanted:
                self._keep(rows)
        self.offered += 1

    def _keep(self, rows: NDArray[np.uint8]) -> None:
        if len(self.matrix) == self.matrix.capacity:
            self.matrix.discard_every_other()
            # Every other follower, too, belongs to a frame that stays.
            self.followers.discard_every_other()
            self.stride *= 2
            self._due = len(self.matrix) * self.stride
            if self.offered < self._due:
                return
        self._follows = len(self.matrix) % self.every == 0
        self.matrix.append(rows)
        self._due = len(self.matrix) * self.stride


def sample_segments(
    selection: Iterable[Frame],
    grid: Grid,
    columns: int,
    expected: int | None,
    segment: Position,
    rate: Fraction | None = None,
) -> Iterator[Sample]:
    """Read *selection* once and yield one :class:`Sample` per segment.

    A segment ends at the requested length, or before a change point if *selection* is watched for these.

    Parameters
    ----------
    selection
        Frames in order, or these watched. Read again only if a claimed length proves far too large, or the
        first change point comes early.
    grid
        Pixels ↔ rows.
    columns
        Most frames to keep per segment; memory is ``columns × rows`` bytes.
    expected
        Estimated total number of frames, or None.
    segment
        Length of a segment in frames or seconds; 0 for the whole footage.
    rate
        Estimated frame rate of *selection*, to predict the length of segments given in seconds.
    """
    done, changed = 0, False
    feed = _Feed(selection.watched() if isinstance(selection, Watched) else _unmarked(selection))
    while (head := feed.peek()) is not None:
        changed = changed or head[1]
        # After one change there may be another: a stride that grows only as needed never requires a second reading.
        known = None if changed or expected is None else expected - done
        length = None if changed else _expected_length(segment, known, rate)
        sample = _sample(feed, Sampler(grid, columns, length), segment)
        if sample.is_poor:
            length = sample.frames
            # Never hold two samples at a time.
            del sample
            again = _Feed(_unmarked(islice(selection, done, done + length)))
            sample = _sample(again, Sampler(grid, columns, length), Position(frame=0), head[1])
        done += sample.frames
        # A suspended generator keeps its variables alive, and a sample is a quarter of the memory of a fit.
        given = [sample]
        del sample, head
        yield given.pop()


class _Feed:
    """Marked frames with a look-ahead of one."""

    def __init__(self, frames: Iterator[Marked]) -> None:
        self._frames = frames
        self._next: Marked | None = None

    def peek(self) -> Marked | None:
        """Return the next frame without consuming it; None at the end."""
        if self._next is None:
            self._next = next(self._frames, None)
        return self._next

    def take(self) -> Marked | None:
        """Return the next frame and advance; None at the end."""
        found, self._next = self.peek(), None
        return found


def _unmarked(frames: Iterable[Frame]) -> Iterator[Marked]:
    return ((frame, False) for frame in frames)


def _sample(feed: _Feed, sampler: Sampler, segment: Position, after_change: bool = False) -> Sample:
    first: Frame | None = None
    while (given := feed.take()) is not None:
        frame, mark = given
        if first is None:
            first, after_change = frame, after_change or mark
        sampler.offer(frame)
        if (following := feed.peek()) is not None and (
            following[1] or _is_over(segment, sampler.offered, first, following[0])
        ):
            break
    index = first.index if first else 0
    return Sample(sampler.matrix, sampler.followers, sampler.every, sampler.offered, index, after_change)


def _is_over(segment: Position, offered: int, first: Frame, following: Frame) -> bool:
    if segment.frame is not None:
        return segment.frame > 0 and offered >= segment.frame
    long_enough = following.time - first.time >= (segment.seconds or 0)
    return bool(segment.seconds) and long_enough and offered >= FEWEST


def _stride(expected: int, columns: int) -> float:
    """Return the stride for a segment of about *expected* frames.

    A single frame more than expected would halve the columns, and claims are often one short: hence the margin of 2 %.
    """
    return 1.0 if expected <= columns else (1.02 * expected + 1) / columns


def segment_length(segment: Position, rate: Fraction | None) -> int | None:
    """Return the number of frames per segment, estimated if given in seconds; None for the whole footage."""
    if segment.seconds:
        return max(FEWEST, ceil(segment.seconds * (rate or DEFAULT_RATE)))
    return segment.frame or None


def _expected_length(segment: Position, remaining: int | None, rate: Fraction | None) -> int | None:
    length = segment_length(segment, rate)
    if length is None:
        return remaining
    return length if remaining is None else max(1, min(length, remaining))
