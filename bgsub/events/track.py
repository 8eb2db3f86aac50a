"""One thing on its way: where it is expected next, and whether it has gone anywhere."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bgsub.events.objects import Box, Object
from bgsub.events.way import Way

MEMORY = 0.1
"""Seconds in which the filter of constant velocity forgets all but 1/e (critically damped: with θ of the past left from
one frame to the next, gains of 1 − θ² and (1 − θ)²)."""
LOOK_MEMORY = 0.9
"""Of size and colour, what is left from one frame to the next: what changes at once is another thing."""


@dataclass(slots=True, eq=False)
class Track:
    """The state of a track. Boxes are ``(left, top, right, bottom)``, float64 pixels.

    Attributes
    ----------
    index
        Counted from 0 as tracks begin.
    box, velocity
        Filtered, each side by itself; pixels, and pixels a second.
    size
        ``(width, height)`` that it usually has, pixels.
    time
        Seconds: what *box* belongs to.
    last
        Seconds: when it was last seen by itself.
    seen
        Seconds that the frames in which it was seen stand for.
    sightings
        How many these are.
    colour
        Mean red, green and blue that it usually has, grey levels.
    number
        Counted from 1 in the order in which tracks are found to count; 0 for one that does not, or not yet.
    is_over
        True when it will not be seen again.
    way
        Tells whether it goes somewhere.
    """

    index: int
    box: NDArray[np.float64]
    velocity: NDArray[np.float64]
    size: NDArray[np.float64]
    colour: NDArray[np.float64]
    time: float
    last: float
    seen: float
    sightings: int = 1
    number: int = 0
    is_over: bool = False
    way: Way = field(default_factory=Way)

    @classmethod
    def of(cls, index: int, found: Object, time: float, lasts: float) -> Track:
        """Begin a track with an object seen at *time*, in a frame that stands for *lasts* seconds."""
        box = sides(found.box)
        return cls(index, box, np.zeros(4), box[2:] - box[:2], np.array(found.colour), time, time, lasts)

    @property
    def diagonal(self) -> float:
        """Of its usual box, pixels."""
        return math.hypot(*self.size)

    @property
    def goes_somewhere(self) -> bool:
        """Whether its way leads somewhere."""
        return self.way.leads_somewhere

    def expected(self, time: float) -> NDArray[np.float64]:
        """Return the box of its usual size where it is expected at *time*."""
        centre = middle(self.box) + (time - self.time) * middle(self.velocity)
        return np.concatenate([centre - self.size / 2, centre + self.size / 2])

    def see(self, found: Object, time: float, lasts: float) -> None:
        """Take in that it is *found* at *time*."""
        ahead, there = time - self.time, sides(found.box)
        step = ahead * self.velocity
        off = there - self.box - step
        # What has been seen once has no velocity: the place is the only word on it.
        old = min(math.exp(-ahead / MEMORY), 1 - 1 / self.sightings)
        self.way.see(there, time, self.box, step)
        self.box = there - old**2 * off
        self.velocity = self.velocity + (1 - old) ** 2 / ahead * off
        kept = min(LOOK_MEMORY, 1 - 1 / (1 + self.sightings))
        self.size = kept * self.size + (1 - kept) * (there[2:] - there[:2])
        self.colour = kept * self.colour + (1 - kept) * np.array(found.colour)
        self.time = self.last = time
        self.seen += lasts
        self.sightings += 1

    def coast(self, time: float, within: Box) -> None:
        """Move on as expected, its middle in the box of a group that hides it."""
        expected = self.expected(time)
        (x, y), (left, top, width, height) = middle(expected), within
        kept = np.array([min(max(x, left), left + width) - x, min(max(y, top), top + height) - y])
        self.box, self.time = expected + np.concatenate([kept, kept]), time


def sides(box: Box) -> NDArray[np.float64]:
    """Return ``(left, top, right, bottom)`` of ``(x, y, width, height)``."""
    return np.array([box[0], box[1], box[0] + box[2], box[1] + box[3]], np.float64)


def middle(box: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``(x, y)`` of the middle of ``(left, top, right, bottom)``."""
    return (box[:2] + box[2:]) / 2


def whole(box: NDArray[np.float64]) -> Box:
    """Return ``(x, y, width, height)`` of whole pixels, one at least."""
    left, top, right, bottom = (round(float(side)) for side in box)
    return left, top, max(right - left, 1), max(bottom - top, 1)
