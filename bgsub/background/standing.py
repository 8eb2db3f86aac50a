"""The ground where something stands on it for most of the time: the temporal median shows what stands.

A pixel whose ground is covered for more than half of the time has it as its second value, or, where the covers differ
from each other, as its densest one. Which of two values is the ground no single pixel can tell: an object that has come
to stand and one that has been taken away look the same. Their outline can: what stands has an edge against its
surroundings where the ground runs on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.modes import two_modes
from bgsub.frames.difference import channel_difference
from bgsub.frames.grid import Grid

APART = 20
"""Grey levels between two values that are not the same thing."""
RADIUS = 12
"""Grey levels within which a value is the same thing."""
SELDOM = 0.06
"""Share of the frames in which the ground is seen at least."""
COLUMNS = 36
"""Frames looked at; shares are then right to some per cent."""
FEWEST = 24
"""With fewer columns the shares say nothing."""
LEAST_AREA = 4e-4
"""Share of the picture below which a place has no outline to speak of."""
CLEARER = 0.6
"""An outline is clearly weaker when its contrast is at most this share of the other's."""
MARGIN = 12
"""Pixels around a place that tell what it is surrounded by."""
VISIBLE = 8.0
"""Grey levels of contrast that an outline has at least, for anything to stand there."""


Box = tuple[slice, slice]


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The centre without what stands, and what has been changed.

    Attributes
    ----------
    centre
        ``(rows,)`` float32, grey levels.
    share
        Share of the picture in which it is not the median.
    places
        Number of places where something stood.
    """

    centre: NDArray[np.float32]
    share: float
    places: int

    @property
    def reasons(self) -> tuple[str, ...]:
        """What has been changed, in words; nothing for nothing."""
        if not self.share:
            return ()
        places = f"{self.places} place{'s' * (self.places != 1)}"
        reason = (
            f"centre: the median, but in {places} ({self.share:.1%} of the picture) the ground in place of what stands "
            "on it for most of the time"
        )
        return (reason,)


def without_what_stands(
    frames: NDArray[np.uint8],
    median: NDArray[np.float32],
    grid: Grid,
    restless: NDArray[np.bool_],
    threads: int = 1,
) -> Ground:
    """Return the median with the ground put in where something stands for most of the time.

    Parameters
    ----------
    frames
        ``(n, rows)`` uint8 columns of a segment.
    median
        ``(rows,)`` float32: their temporal median.
    grid
        Whose rows these are.
    restless
        ``(height, width)``: where leaves and water show many things; left as the median has it.
    threads
        To compute with; the result does not depend on it.

    Notes
    -----
    Limits: the ground must be seen in SELDOM of the columns, and differ by more than APART grey levels; a thing without
    an outline (moving shade, a picture that changes as a whole) is left as the median has it. Cost: a pass over COLUMNS
    of the frames; COLUMNS² comparisons for each pixel that shows two things.
    """
    if len(frames) < FEWEST:
        return Ground(median, 0.0, 0)
    shape = (*grid.shape, 3) if grid.channels == 3 else grid.shape
    picture = np.rint(median).astype(np.uint8).reshape(shape)
    few = frames[np.unique(np.linspace(0, len(frames) - 1, COLUMNS).astype(np.int64))]
    candidates = _two_things(few, picture) & ~restless
    candidates &= _large(candidates)
    if not candidates.any():
        return Ground(median, 0.0, 0)
    values = few.reshape(len(few), -1, grid.channels)[:, np.flatnonzero(candidates)]
    modes, shares = two_modes(np.ascontiguousarray(values.transpose(1, 2, 0)), RADIUS, APART, threads)
    return _decided(median, picture, candidates, modes, shares)


def _two_things(frames: NDArray[np.uint8], picture: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the pixels that are far from the median often enough for the ground to be among it."""
    count = np.zeros(picture.shape[:2], np.uint16)
    for frame in frames:
        count += channel_difference(frame.reshape(picture.shape), picture) > APART
    return count >= max(SELDOM * len(frames), 3)


def _decided(
    median: NDArray[np.float32],
    picture: NDArray[np.uint8],
    candidates: NDArray[np.bool_],
    modes: NDArray[np.float32],
    shares: NDArray[np.float32],
) -> Ground:
    height, width = candidates.shape
    current = picture.reshape(height, width, -1).astype(np.float32)
    centre = median.reshape(current.shape).copy()
    changed, places = np.zeros((height, width), bool), 0
    # The densest value where the median is none of the two, then the second one.
    for mode, share in zip(modes, shares, strict=True):
        other = current.copy()
        other[candidates] = mode
        far = np.abs(other - current).max(axis=2) > APART
        seen = np.zeros((height, width), bool)
        seen[candidates] = share >= SELDOM
        for box, place in _places(far & seen):
            if _stands(current[box], other[box], place):
                for picture_of, source in ((current, other), (centre, other)):
                    picture_of[box][place] = source[box][place]
                changed[box] |= place
                places += 1
    return Ground(centre.reshape(-1), float(changed.mean()), places)


def _large(where: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return what is part of a connected place that is large enough, or next to one."""
    labels, kept, _ = _labelled(where)
    large = np.isin(np.arange(labels.max() + 1), kept)[labels]
    return np.asarray(cv2.dilate(large.astype(np.uint8), np.ones((5, 5), np.uint8))) > 0


def _places(where: NDArray[np.bool_]) -> list[tuple[Box, NDArray[np.bool_]]]:
    """Return the connected places that are large enough: a box with a margin, and the place in it as bool."""
    labels, kept, stats = _labelled(where)
    height, width = where.shape
    places = []
    for index in kept:
        x, y, w, h = stats[index, :4]
        rows, columns = (
            slice(max(y - MARGIN, 0), min(y + h + MARGIN, height)),
            slice(max(x - MARGIN, 0), min(x + w + MARGIN, width)),
        )
        box = rows, columns
        places.append((box, (labels[box] == index) & where[box]))
    return places


def _labelled(where: NDArray[np.bool_]) -> tuple[NDArray[np.int32], list[int], NDArray[np.int32]]:
    closed = cv2.morphologyEx(where.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=8)
    least = max(LEAST_AREA * where.size, 12)
    kept = [index for index in range(1, count) if stats[index, cv2.CC_STAT_AREA] >= least]
    return np.asarray(labels, np.int32), kept, np.asarray(stats, np.int32)


def _stands(current: NDArray[np.float32], other: NDArray[np.float32], place: NDArray[np.bool_]) -> bool:
    """Tell whether the outline of *place* is an edge now, and would clearly be a weaker one with *other* in it."""
    around = cv2.morphologyEx(place.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    kernel = np.ones((3, 3), np.uint8)
    inside = (around - cv2.erode(around, kernel, borderValue=1)).astype(bool) & place
    outer = cv2.dilate(around, np.ones((7, 7), np.uint8)) - cv2.dilate(around, np.ones((5, 5), np.uint8))
    if not inside.any() or not outer.any():
        return False
    beyond = _spread_inwards(current, outer)
    before = _contrast(current, beyond, inside)
    after = _contrast(other, beyond, inside)
    return before >= VISIBLE and after <= CLEARER * before


def _spread_inwards(picture: NDArray[np.float32], known: NDArray[Any]) -> NDArray[np.float32]:
    """Return for each pixel the average of the *known* ones nearby: what lies just beyond the outline."""
    weight = cv2.blur(known.astype(np.float32), (11, 11))
    blurred = cv2.blur(picture * known[..., None].astype(np.float32), (11, 11)).reshape(picture.shape)
    return np.asarray(blurred / np.maximum(weight, 1e-6)[..., None], np.float32)


def _contrast(picture: NDArray[np.float32], beyond: NDArray[np.float32], inside: NDArray[np.bool_]) -> float:
    return float(np.median(np.abs(picture[inside] - beyond[inside]).max(axis=1)))
