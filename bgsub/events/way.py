"""Whether a thing goes somewhere, or only flickers in its place."""

from __future__ import annotations

import math
from collections import deque

import numpy as np
from numpy.typing import NDArray

GOING = 10.0
"""A thing goes somewhere if what is foreseen of its way is so many times as long as its box is unsteady."""
STEADY = 0.5
"""Pixels by which the steadiest box is off: its sides are whole pixels."""
FEWEST = 3
"""Predictions that it takes to tell how unsteady a box is."""
RECENT = 500
"""Predictions that are remembered."""
SIGMA = 1.48
"""Standard deviations to the median of what is off, for a normal distribution."""

Sides = NDArray[np.float64]
"""``(left, top, right, bottom)``, pixels."""


class Way:
    """The way of a box, from frame to frame.

    Of two predictions the better one counts: that of the track's filter, which bears noise, and the last step once
    more, which bears turns. A step is foreseen if it brings the box nearer than it was. Leaves, and the digits of a
    clock, leap, and what follows is not foreseen.
    """

    def __init__(self) -> None:
        self._seen: deque[tuple[float, Sides]] = deque(maxlen=2)
        self._off: deque[float] = deque(maxlen=RECENT)
        self._went = np.zeros(4)
        self._reached = 0.0

    @property
    def leads_somewhere(self) -> bool:
        """Whether it has come GOING times as far as the box is unsteady.

        Unsteady is σ of how far it lies off its prediction, 1.48 times the median, so that groups that form and part do
        not count.
        """
        if len(self._off) < FEWEST:
            return False
        return self._reached >= GOING * max(SIGMA * float(np.median(self._off)), STEADY)

    def see(self, there: Sides, time: float, filtered: Sides, step: Sides) -> None:
        """Take in that the box is *there* at *time*; its filter had it at *filtered*, and foresaw *step*."""
        off, foreseen = min(
            (apart(there - filtered - step), step), self._once_more(there, time), key=lambda each: each[0]
        )
        if len(self._seen) == self._seen.maxlen:
            self._off.append(off)
        if off < apart(there - filtered):
            self._went = self._went + foreseen
            self._reached = max(self._reached, apart(self._went))
        self._seen.append((time, there))

    def _once_more(self, there: Sides, time: float) -> tuple[float, Sides]:
        """Return how far the last step, taken once more, is off, and that step."""
        if len(self._seen) < 2:
            return math.inf, np.zeros(4)
        (first, one), (second, other) = self._seen
        step = (time - second) / (second - first) * (other - one)
        return apart(there - other - step), step


def apart(off: Sides) -> float:
    """Return the root mean square by which the two corners of a box are off."""
    return math.sqrt(float(off @ off) / 2)
