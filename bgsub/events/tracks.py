"""What became of each track, without a word on what it is."""

from __future__ import annotations

import math
from dataclasses import dataclass

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
    area, contrast, colour
        Sums over its frames, pixels and grey levels; divide by *frames*.
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
    area: int = 0
    contrast: float = 0.0
    colour: tuple[float, float, float] = (0.0, 0.0, 0.0)
    largest: int = 0
    path: float = 0.0

    @classmethod
    def of(cls, moment: Moment, row: Row) -> TrackSummary:
        """Begin the summary of a track that is seen first in *row*; :meth:`add` that row, too."""
        found = row.found
        return cls(row.track, moment, moment, found.box, found.centre, found.centre)

    def add(self, moment: Moment, row: Row) -> None:
        """Take in a row, the first one as well."""
        found = row.found
        self.path += math.dist(self.ended, found.centre)
        self.last, self.ended = moment, found.centre
        self.region = union(self.region, found.box)
        self.frames += 1
        self.area += found.area
        self.largest = max(self.largest, found.area)
        self.contrast += found.contrast
        (a, b, c), (red, green, blue) = self.colour, found.colour
        self.colour = a + red, b + green, c + blue
