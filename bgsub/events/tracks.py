"""What became of each track, without a word on what it is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from bgsub.events.objects import Box, union
from bgsub.events.row import Moment, Row


@dataclass(slots=True)
class TrackSummary:
    """What is known of a track.

    Attributes
    ----------
    number
        From 1, in the order in which it was known that they count.
    first, last
        The frames in which it is seen first and last.
    frames
        Frames in which it is seen.
    region
        ``(x, y, width, height)`` around all of its boxes, pixels.
    largest
        Its largest area, pixels.
    path
        Length of its centroid's way, pixels.
    begun, ended
        Its centroid in the first and last frame, pixels.
    """

    number: int
    first: Moment
    last: Moment
    region: Box
    begun: tuple[float, float]
    ended: tuple[float, float]
    frames: int = 0
    _areas: int = field(default=0, repr=False)
    _contrasts: float = field(default=0.0, repr=False)
    _colours: tuple[float, float, float] = field(default=(0.0, 0.0, 0.0), repr=False)
    largest: int = 0
    path: float = 0.0

    @classmethod
    def of(cls, moment: Moment, row: Row) -> TrackSummary:
        """Begin the summary of a track that is seen first in *row*; :meth:`add` that row, too."""
        found = row.found
        return cls(row.track, moment, moment, found.box, found.centre, found.centre)

    @property
    def area(self) -> float:
        """Mean area, pixels."""
        return self._areas / self.frames

    @property
    def contrast(self) -> float:
        """Mean difference from the background, grey levels."""
        return self._contrasts / self.frames

    @property
    def colour(self) -> tuple[float, float, float]:
        """Mean red, green and blue, grey levels."""
        red, green, blue = self._colours
        return red / self.frames, green / self.frames, blue / self.frames

    def add(self, moment: Moment, row: Row) -> None:
        """Take in a row, the first one as well."""
        found = row.found
        self.path += math.dist(self.ended, found.centre)
        self.last, self.ended = moment, found.centre
        self.region = union(self.region, found.box)
        self.frames += 1
        self._areas += found.area
        self.largest = max(self.largest, found.area)
        self._contrasts += found.contrast
        (a, b, c), (red, green, blue) = self._colours, found.colour
        self._colours = a + red, b + green, c + blue
