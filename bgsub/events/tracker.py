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
"""Share of the distance allowed that a box e times as large or as small counts for."""
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
        costs = self._costs(tracks, objects, time)
        groups = _groups(tracks, objects, costs, time)
        seen, left = _assigned(tracks, objects, costs, groups)
        new = [found for found in left if not _taken_in(seen, found, time)]
        for track, found in seen.items():
            track.see(found, time, lasts)
        sightings = [Sighting(track, found) for track, found in seen.items()]
        for o, members in groups.items():
            sightings += _in_group(members, objects[o], time, lasts)
        sightings += [Sighting(self._begin(found, time, lasts), found) for found in new]
        return sightings

    def _begin(self, found: Object, time: float, lasts: float) -> Track:
        track = Track.of(self._begun, found, time, lasts)
        self._begun += 1
        self._tracks.append(track)
        return track

    def _costs(self, tracks: list[Track], objects: list[Object], time: float) -> NDArray[np.float64]:
        """Return distances, tracks × objects, as shares of how far apart they may be; FAR for more."""
        if not tracks:
            return np.empty((0, len(objects)))
        boxes = np.array([sides(each.box) for each in objects])
        centres, sizes = (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]
        expected = np.array([middle(track.expected(time)) for track in tracks])
        apart = np.hypot(*(expected[:, None] - centres[None]).transpose(2, 0, 1))
        reach = np.array([self._reach(track, time) for track in tracks])[:, None] + np.hypot(*sizes.T) / 2
        usual = np.array([math.prod(track.size) for track in tracks])
        costs = apart / reach + UNLIKE * np.abs(np.log(sizes.prod(axis=1)[None] / usual[:, None]))
        return np.where(costs <= 1, costs, FAR)

    def _reach(self, track: Track, time: float) -> float:
        unsure = FASTEST * self._diagonal if track.sightings == 1 else track.diagonal
        return track.diagonal / 2 + unsure * (time - track.time)


def _groups(
    tracks: list[Track], objects: list[Object], costs: NDArray[np.float64], time: float
) -> dict[int, list[Track]]:
    """Return the tracks that one object hides, by its index: their middles lie in it, and nothing is nearer."""
    members: dict[int, list[Track]] = {}
    for track, row in zip(tracks, costs, strict=True):
        nearest = int(row.argmin())
        # What has not gone anywhere yet is a fragment, perhaps.
        if track.number and _holds(objects[nearest].box, track, time):
            members.setdefault(nearest, []).append(track)
    return {index: group for index, group in members.items() if len(group) > 1}


def _assigned(
    tracks: list[Track], objects: list[Object], costs: NDArray[np.float64], groups: dict[int, list[Track]]
) -> tuple[dict[Track, Object], list[Object]]:
    """Return which object each track is seen by, and the objects that are left, groups apart."""
    grouped = {track for members in groups.values() for track in members}
    costs = costs.copy()
    costs[[track in grouped for track in tracks]] = FAR
    costs[:, list(groups)] = FAR
    pairs = [(t, o) for t, o in zip(*linear_sum_assignment(costs), strict=True) if costs[t, o] < FAR]
    taken = {int(o) for _, o in pairs} | set(groups)
    seen = {tracks[t]: objects[o] for t, o in pairs}
    return seen, [found for o, found in enumerate(objects) if o not in taken]


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
    (x, y), (left, top, width, height) = middle(track.expected(time)), box
    return bool(left <= x <= left + width and top <= y <= top + height)
