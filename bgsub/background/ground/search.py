"""The picture of the empty scene: what places show while nothing moves around them, and no object's outline."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.ground.ghosts import ghosts
from bgsub.background.ground.stillness import at_rest
from bgsub.background.light.one_light import light_onto
from bgsub.background.light.relight import in_light
from bgsub.background.scene.centre import temporal_median
from bgsub.frames.difference import channel_difference
from bgsub.frames.grid import Grid
from bgsub.frames.source import Image
from bgsub.masks.decisions import DECIDED


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The picture of the ground, and which frames show it.

    Attributes
    ----------
    centre
        ``(rows,)`` float32, grey levels.
    used
        ``(m,)`` indices of the frames that were looked at.
    shown
        ``(m, pixels)`` uint8, 0 or 1: where each of them shows the ground.
    replaced
        ``(height, width)`` bool: where most frames at rest show an object, and others the ground.
    given
        Whether the centre is a picture that the user has given.
    """

    centre: NDArray[np.float32]
    used: NDArray[np.int64]
    shown: NDArray[np.uint8]
    replaced: NDArray[np.bool_]
    given: bool = False

    @property
    def reasons(self) -> tuple[str, ...]:
        """What was done, in words."""
        at_rest = f"ground: each place as {self.shown.mean():.0%} of the frames show it, while little moves around it"
        if self.given:
            return (
                f"ground: as given; in {self.replaced.mean():.1%} of the picture the frames show something else",
            )
        if not self.replaced.any():
            return (at_rest,)
        return (
            f"{at_rest}; in {self.replaced.mean():.1%} of the picture what shows no outline of an object",
        )


def find_ground(
    frames: NDArray[np.uint8],
    followers: NDArray[np.uint8],
    pairs: NDArray[np.int64],
    grid: Grid,
    threads: int = 1,
) -> Ground:
    """Return the ground of a segment.

    Parameters
    ----------
    frames
        ``(n, rows)`` uint8 columns of the segment.
    followers
        ``(k, rows)`` uint8: frames directly after some of them.
    pairs
        ``(m, 2)`` indices of a frame and its follower.
    grid
        Whose rows these are.
    threads
        To compute with; the result does not depend on it.

    Notes
    -----
    Cost: pictures of DECIDED.working_pixels for each pair, and a median of the pairs' frames. Memory: one byte a pixel
    and pair. Limits: the ground must be seen in DECIDED.seen of the frames looked at.
    """
    if len(pairs) < DECIDED.calmest:
        nothing = np.zeros(grid.shape, bool)
        used = np.arange(len(frames))
        shown = np.ones((len(used), grid.shape[0] * grid.shape[1]), np.uint8)
        return Ground(temporal_median(frames, threads), used, shown, nothing)
    used = np.ascontiguousarray(pairs[:, 0])
    small = [_reduced(each, grid) for each in _pictures(frames, used, grid)]
    after = (_reduced(each, grid) for each in _pictures(followers, pairs[:, 1], grid))
    changes = np.stack([channel_difference(*each) for each in zip(small, after, strict=True)])
    still = at_rest(changes, threads)
    shown = _full(still, grid)
    centre = temporal_median(frames, threads, shown, used)
    background = _reduced(picture_of(np.rint(centre).astype(np.uint8), grid), grid)
    inside = None if grid.inside is None else _reduced_inside(grid)
    lights = [light_onto(each, background) for each in small]
    lit = [
        each if light is None else in_light(each, light) for each, light in zip(small, lights, strict=True)
    ]
    places = ghosts(lit, background, still.reshape(len(still), -1).astype(np.uint8), inside, threads)
    replaced = _full(places.any(axis=0)[None], grid)[0].astype(bool)
    if replaced.any():
        shown[:, replaced] = _full(places, grid)[:, replaced]
        rows = np.repeat(replaced, grid.channels)
        values = np.stack(
            [_lit(frames[index, rows], light, grid) for index, light in zip(used, lights, strict=True)]
        )
        centre[rows] = temporal_median(values, threads, shown[:, replaced])
    return Ground(centre, used, shown, replaced.reshape(grid.shape))


def _lit(rows: NDArray[np.uint8], light: NDArray[np.float32] | None, grid: Grid) -> NDArray[np.uint8]:
    """Return rows of a frame in the light of the others."""
    return rows if light is None else in_light(rows.reshape(1, -1, grid.channels), light).reshape(-1)


def _pictures(frames: NDArray[np.uint8], indices: NDArray[np.int64], grid: Grid) -> Iterator[Image]:
    return (picture_of(frames[index], grid) for index in indices)


def picture_of(rows: NDArray[np.uint8], grid: Grid) -> Image:
    """Return ``(rows,)`` as the picture of the region that they are."""
    return rows.reshape(*grid.shape, 3) if grid.channels == 3 else rows.reshape(grid.shape)


def _working_shape(grid: Grid) -> tuple[int, int]:
    """Return the size of the reduced picture."""
    factor = max(1.0, math.sqrt(grid.shape[0] * grid.shape[1] / DECIDED.working_pixels))
    return max(1, round(grid.shape[0] / factor)), max(1, round(grid.shape[1] / factor))


def _reduced(picture: Image, grid: Grid) -> Image:
    height, width = _working_shape(grid)
    if (height, width) == picture.shape[:2]:
        return picture
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _reduced_inside(grid: Grid) -> NDArray[np.bool_]:
    assert grid.inside is not None
    return _reduced(np.where(grid.inside, 255, 0).astype(np.uint8), grid) > 127


def _full(places: NDArray[np.bool_], grid: Grid) -> NDArray[np.uint8]:
    """Return pictures of the working size at full size, ``(m, pixels)`` uint8, 0 or 1."""
    size = (grid.shape[1], grid.shape[0])
    full = [cv2.resize(each.view(np.uint8), size, interpolation=cv2.INTER_NEAREST) for each in places]
    return np.stack(full).reshape(len(places), -1)
