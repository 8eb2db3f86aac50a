"""Spans in which something is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from bgsub.events.objects import Box, union
from bgsub.events.row import Moment, Row


@dataclass(slots=True)
class Event:
    """A span in which something is there.

    Attributes
    ----------
    first, last
        Its first frame, and the last one in which something is there.
    peak
        The frame in which most pixels move.
    area
        How many these are.
    box
        ``(x, y, width, height)`` around them, pixels.
    region
        The same of all that moves during the event.
    tracks
        Numbers of the tracks, in the order in which they are seen.
    """

    first: Moment
    last: Moment
    peak: Moment
    area: int
    box: Box
    region: Box
    tracks: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, moment: Moment, rows: Sequence[Row]) -> Event:
        """Begin an event with the rows of a frame."""
        area, box = _sum(rows)
        return cls(moment, moment, moment, area, box, box, [row.track for row in rows])

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Take in a later frame."""
        area, box = _sum(rows)
        self.last = moment
        self.region = union(self.region, box)
        self.tracks += [row.track for row in rows if row.track not in self.tracks]
        if area > self.area:
            self.peak, self.area, self.box = moment, area, box


class Events:
    """Takes in the rows of a clip in order, and joins them into events.

    Parameters
    ----------
    gap
        Seconds: two spans that are no farther apart are one event.

    Attributes
    ----------
    found
        So far, in order.
    """

    def __init__(self, gap: Fraction) -> None:
        self._gap = gap
        self.found: list[Event] = []

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Take in the next frame."""
        if not rows:
            return
        if self.found and moment.time - self.found[-1].last.time <= self._gap:
            self.found[-1].add(moment, rows)
        else:
            self.found.append(Event.of(moment, rows))


def _sum(rows: Sequence[Row]) -> tuple[int, Box]:
    box = rows[0].found.box
    for row in rows[1:]:
        box = union(box, row.found.box)
    return sum(row.found.area for row in rows), box
