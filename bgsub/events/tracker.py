"""Which object is which thing: tracks over time.

In every frame each object goes to the track that expects it nearest (Hungarian method on distances from a prediction of
constant velocity). Of two things that touch nothing is seen but their group: both move on as expected until they part.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from bgsub.events.objects import Box, Object, part, union
from bgsub.events.track import Track, middle, sides, whole

HIDDEN = 1.0
"""Seconds for which a track waits for what is hidden; a group that lasts longer is one thing from then on."""
FASTEST = 0.5
"""Diagonals of the picture that a thing crosses in a second at most, as long as its velocity is not known."""
UNLIKE = 0.2
"""Share of the distance allowed that a box e times as large or as small counts for, or a colour OTHER levels off."""
OTHER = 60.0
"""Grey levels."""
GROWN = 2.0
"""How much larger than usual a box may become by taking in a fragment (an arm, feet below a table)."""
FAR = 1e6
"""A cost that forbids a pair."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A track in a frame: the object by which it is seen, or what is expected of it within a group."""

    track: Track
    found: Object


class Tracker:
    """Follows the objects of a clip from frame to frame.

    Parameters
    ----------
    shape
        ``(height, width)`` of the pictures.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self._diagonal = math.hypot(*shape)
        self._tracks: list[Track] = []
        self._begun = 0

    def __call__(self, objects: list[Object], time: float, lasts: float) -> list[Sighting]:
        """Take in the objects of the frame at *time*, which stands for *lasts* seconds; return its tracks.

        Cost: tracks × objects, and O(n³) of the smaller number for the assignment.
        """
        self._tracks = tracks = [t for t in self._tracks if not t.is_over and time - t.time <= HIDDEN]
        if not objects:
            return []
        seen, left = _assigned(tracks, objects, self._costs(tracks, objects, time))
        groups = _groups([track for track in tracks if track not in seen], seen, time)
        new = [found for found in left if not _taken_in(seen, found, time)]
        sightings = []
        for track, found in seen.items():
            if track in groups:
                sightings += _in_group([track, *groups[track]], found, time, lasts)
            else:
                track.see(found, time, lasts)
                sightings.append(Sighting(track, found))
        return sightings + [Sighting(self._begin(found, time, lasts), found) for found in new]

    def _begin(self, found: Object, time: float, lasts: float) -> Track:
        track = Track.of(self._begun, found, time, lasts)
        self._begun += 1
        self._tracks.append(track)
        return track

    def _costs(self, tracks: list[Track], objects: list[Object], time: float) -> NDArray[np.float64]:
        """Return distances, tracks × objects, as shares of how far apart they may be; FAR for more."""
        if not tracks:
            return np.empty((0, len(objects)))
        found = np.array([each.box for each in objects], np.float64)
        centres, sizes = found[:, :2] + found[:, 2:] / 2, found[:, 2:]
        # All at once: a call for each of them would take most of the time.
        boxes, velocities = (np.array([getattr(t, name) for t in tracks]) for name in ("box", "velocity"))
        ahead = time - np.array([track.time for track in tracks])
        expected = (
            boxes[:, :2] + boxes[:, 2:] + ahead[:, None] * (velocities[:, :2] + velocities[:, 2:])
        ) / 2
        apart = np.hypot(*(expected[:, None] - centres[None]).transpose(2, 0, 1))
        usual = np.array([track.size for track in tracks])
        larger = np.abs(np.log(sizes.prod(axis=1)[None] / usual.prod(axis=1)[:, None]))
        colours = np.array([track.colour for track in tracks])[:, None] - [each.colour for each in objects]
        reach = self._reach(tracks, np.hypot(*usual.T), time)[:, None] + np.hypot(*sizes.T) / 2
        costs = apart / reach + UNLIKE * (larger + np.abs(colours).max(axis=2) / OTHER)
        return np.where(costs <= 1, costs, FAR)

    def _reach(self, tracks: list[Track], diagonals: NDArray[np.float64], time: float) -> NDArray[np.float64]:
        since = time - np.array([track.last for track in tracks])
        unknown = np.array([track.sightings == 1 for track in tracks])
        return diagonals / 2 + np.where(unknown, FASTEST * self._diagonal, diagonals) * since


def _assigned(
    tracks: list[Track], objects: list[Object], costs: NDArray[np.float64]
) -> tuple[dict[Track, Object], list[Object]]:
    """Return which object each track is seen by, and the objects that are left."""
    pairs = [(t, o) for t, o in zip(*linear_sum_assignment(costs), strict=True) if costs[t, o] < FAR]
    taken = {int(o) for _, o in pairs}
    seen = {tracks[t]: objects[o] for t, o in pairs}
    return seen, [found for o, found in enumerate(objects) if o not in taken]


def _groups(lost: list[Track], seen: dict[Track, Object], time: float) -> dict[Track, list[Track]]:
    """Return which tracks are hidden in the object by which another one is seen: they are expected there."""
    members: dict[Track, list[Track]] = {}
    for track in lost:
        # What has not gone anywhere yet is a fragment, perhaps.
        holders = [other for other, found in seen.items() if other.number and _holds(found.box, track, time)]
        if track.number and holders:
            place = middle(track.expected(time))
            nearest = min(holders, key=lambda other: math.dist(place, middle(sides(seen[other].box))))
            members.setdefault(nearest, []).append(track)
    return members


def _taken_in(seen: dict[Track, Object], fragment: Object, time: float) -> bool:
    """Join a fragment to the track in whose box its middle lies, unless that would outgrow its size."""
    x, y = middle(sides(fragment.box))
    for track, found in seen.items():
        left, top, width, height = union(whole(track.expected(time)), found.box)
        grown = union(found.box, fragment.box)
        if left <= x <= left + width and top <= y <= top + height:
            if grown[2] * grown[3] > GROWN * max(math.prod(track.size), 1.0):
                continue
            seen[track] = found.joined(fragment)
            return True
    return False


def _in_group(members: list[Track], group: Object, time: float, lasts: float) -> list[Sighting]:
    """Move the members of a group on; after HIDDEN seconds it is the one of them that was seen longest."""
    oldest, *others = sorted(members, key=lambda track: -track.seen)
    if all(time - track.last > HIDDEN for track in members):
        for track in others:
            track.is_over = True
        oldest.see(group, time, lasts)
        return [Sighting(oldest, group)]
    sightings = []
    for track in members:
        track.coast(time, group.box)
        if (seen := part(group, whole(track.box))) is not None:
            sightings.append(Sighting(track, seen))
    return sightings


def _holds(box: Box, track: Track, time: float) -> bool:
    """Tell whether three quarters of the box that is expected of a track, across and down, fit into another one."""
    (x, y), (left, top, width, height), (across, down) = middle(track.expected(time)), box, track.size / 4
    return bool(left - across <= x <= left + width + across and top - down <= y <= top + height + down)
