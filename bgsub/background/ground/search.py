"""The ground, where the temporal median is something else: what stands on it, or a crowd that covers it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.ground.crowd import crowded, ground_of_crowd
from bgsub.background.ground.queue import filled
from bgsub.background.ground.standing import standing
from bgsub.background.ground.views import Views
from bgsub.background.light.one_light import in_one_light
from bgsub.base.plural import count_of
from bgsub.frames.grid import Grid

COLUMNS = 36
"""Frames looked at; shares are then right to some per cent."""
FEWEST = 24
"""With fewer columns the shares say nothing."""
FIRST_LOOK = 40_000
"""Pixels, evenly spread, that are looked at before any others."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The centre as the ground, and what has been changed.

    Attributes
    ----------
    centre
        ``(rows,)`` float32, grey levels.
    crowded
        ``(height, width)`` bool: where a crowd covers the ground for most of the time.
    standing
        Number of places where something stood.
    replaced
        ``(height, width)`` bool: where the centre is not the median.
    """

    centre: NDArray[np.float32]
    crowded: NDArray[np.bool_]
    replaced: NDArray[np.bool_]
    standing: int = 0

    @classmethod
    def nothing(cls, median: NDArray[np.float32], shape: tuple[int, int]) -> Ground:
        """Return the median as it is, of a picture of *shape*."""
        return cls(median, np.zeros(shape, bool), np.zeros(shape, bool))

    @property
    def changed(self) -> float:
        """Share of the picture in which the centre is not the median."""
        return float(self.replaced.mean())

    @property
    def reasons(self) -> tuple[str, ...]:
        """What has been changed, in words; nothing for nothing."""
        found = []
        if self.standing:
            places = count_of(self.standing, "place")
            found.append(f"{places} where something stands most of the time")
        if self.crowded.any():
            found.append(f"{self.crowded.mean():.1%} of the picture, which a crowd covers most of the time")
        if not found:
            return ()
        where = " and in ".join(found)
        return (f"centre: the median, except for the ground in {where} ({self.changed:.1%} changed)",)


def find_ground(
    frames: NDArray[np.uint8],
    median: NDArray[np.float32],
    grid: Grid,
    dynamic: NDArray[np.bool_],
    threads: int = 1,
) -> Ground:
    """Return the median with the ground put in where something else covers it for most of the time.

    Parameters
    ----------
    frames
        ``(n, rows)`` uint8 columns of a segment.
    median
        ``(rows,)`` float32: their temporal median.
    grid
        Whose rows these are.
    dynamic
        ``(height, width)``: where leaves and water show many things; nothing stands there that could be told from them.
    threads
        To compute with; the result does not depend on it.

    Notes
    -----
    Limits: the ground must be seen in 12 % of the columns, and differ by more than 20 grey levels; a thing without an
    outline (moving shade, a picture that changes as a whole) is left as the median has it. Cost: COLUMNS² looks at each
    pixel that shows two things, of FIRST_LOOK pixels at most; of others only near what these have shown.
    """
    nothing = Ground.nothing(median, grid.shape)
    if len(frames) < FEWEST:
        return nothing
    shape = (*grid.shape, grid.channels)
    few = frames.reshape(len(frames), *shape)[
        np.unique(np.linspace(0, len(frames) - 1, COLUMNS).astype(np.int64))
    ]
    picture, every = median.reshape(shape), _every(grid)
    few = in_one_light(few, picture, every)
    coarse = np.s_[::every, ::every]
    first = np.ascontiguousarray(few[:, *coarse])
    views = Views.of(first, picture[coarse], np.ones(dynamic[coarse].shape, bool), threads)
    covered = crowded(views, picture[coarse])
    _, changed, _ = _changed(views, picture[coarse], dynamic[coarse], covered)
    if not changed.any():
        return nothing
    near, covered = _enlarged(changed | covered, grid, 7), _enlarged(covered, grid, 1)
    views = Views.of(few, picture, near, threads)
    found, changed, places = _changed(views, picture, dynamic, covered)
    centre = np.where(changed[..., None], found, picture).astype(np.float32)
    return Ground(centre.reshape(-1), covered, changed, places)


def _changed(
    views: Views, median: NDArray[np.float32], dynamic: NDArray[np.bool_], covered: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.bool_], int]:
    """Return the ground, where it is not the median, and the number of places where something stood."""
    seldom = ground_of_crowd(views, median, covered)
    current = np.where(seldom[..., None], views.other(0, median)[0], median).astype(np.float32)
    allowed = ~dynamic & ~covered
    single, changed, places = standing(views, current, allowed)
    found, more, queues = filled(views, single, ~dynamic | covered)
    return found, changed | more | seldom, places + queues


def _every(grid: Grid) -> int:
    """Return the stride in both directions of the pixels that are looked at first."""
    return math.ceil(math.sqrt(grid.shape[0] * grid.shape[1] / FIRST_LOOK))


def _enlarged(coarse: NDArray[np.bool_], grid: Grid, margin: int) -> NDArray[np.bool_]:
    wide = cv2.dilate(coarse.astype(np.uint8), np.ones((margin, margin), np.uint8))
    every = _every(grid)
    full = np.repeat(np.repeat(wide, every, axis=0), every, axis=1)[: grid.shape[0], : grid.shape[1]]
    return np.asarray(full > 0)
