"""Parts of the picture that somebody wants to know about: who enters, who leaves, for how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgsub.events.objects import Box
from bgsub.events.row import Moment, Row
from bgsub.events.tracker import HIDDEN


@dataclass(slots=True)
class Visit:
    """A track in a zone: the first and the last frame of its stay."""

    track: int
    first: Moment
    last: Moment


class Zone:
    """A named part of the picture.

    A thing is where it stands: at the middle of its box's lower edge. It has left once it has been outside for HIDDEN
    seconds, so that a step on the line is no visit of its own.

    Parameters
    ----------
    name
        Of it.
    inside
        ``(height, width)`` bool, of the pictures as they are written.

    Attributes
    ----------
    name
        As given.
    visits
        In the order of entry.
    """

    def __init__(self, name: str, inside: NDArray[np.bool_]) -> None:
        self.name, self._inside = name, inside
        self.visits: list[Visit] = []
        self._staying: dict[int, Visit] = {}

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Take in the next frame."""
        for row in rows:
            if not self._holds(row.found.box):
                continue
            visit = self._staying.get(row.track)
            if visit is not None and moment.time - visit.last.time <= HIDDEN:
                visit.last = moment
            else:
                visit = self._staying[row.track] = Visit(row.track, moment, moment)
                self.visits.append(visit)

    def _holds(self, box: Box) -> bool:
        height, width = self._inside.shape
        x, y = box[0] + box[2] // 2, box[1] + box[3] - 1
        return bool(self._inside[min(max(y, 0), height - 1), min(max(x, 0), width - 1)])
