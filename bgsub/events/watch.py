"""From masks to rows: finds objects, follows them, and tells which tracks count."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from bgsub.events.ledger import Ledger
from bgsub.events.objects import find_objects
from bgsub.events.row import Moment, Row
from bgsub.events.tracker import HIDDEN, Sighting, Tracker

ROUNDING = 1e-9
"""Seconds by which a sum of frame lengths may be off."""


class Watch:
    """Takes in the masks of a clip in order; tells what counts at once, and the rows once all has been seen.

    A track counts once it has been seen for *shortest* seconds and has gone somewhere (:attr:`.Track.goes_somewhere`);
    it is numbered then, and its rows are those since it was first seen. What never leaves its place is leaves, a clock,
    a patch of light.

    Parameters
    ----------
    shape
        ``(height, width)`` of the masks.
    shortest
        Seconds; what is seen for less is nothing.
    """

    def __init__(self, shape: tuple[int, int], shortest: Fraction) -> None:
        self._tracker, self._ledger = Tracker(shape), Ledger()
        self._shortest = float(shortest) - ROUNDING
        self._numbers: dict[int, int] = {}
        self._before: Fraction | None = None

    def __call__(
        self,
        moment: Moment,
        pictures: tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]],
        usual: Fraction,
    ) -> list[Sighting]:
        """Take in a frame; return what is seen in it of tracks that count by now.

        Parameters
        ----------
        moment
            The frame, later than the one before.
        pictures
            Mask, difference from the background, and the frame itself, as for :func:`.find_objects`.
        usual
            Seconds from one frame to the next, for the first one.

        Raises
        ------
        OutputError
            If the disk of the temporary folder is full.
        """
        lasts = usual if self._before is None else moment.time - self._before
        self._before = moment.time
        sightings = self._tracker(find_objects(*pictures), float(moment.time), min(float(lasts), HIDDEN))
        for track in (each.track for each in sightings):
            if not track.number and track.seen >= self._shortest and track.goes_somewhere:
                track.number = self._numbers[track.index] = len(self._numbers) + 1
        self._ledger.add(moment, sightings)
        return [each for each in sightings if each.track.number]

    def rows(self) -> Iterator[tuple[Moment, list[Row]]]:
        """Yield every frame with its rows; call it when all frames have been taken in."""
        return self._ledger.rows(self._numbers)

    def close(self) -> None:
        """Delete what is kept on disk."""
        self._ledger.close()
