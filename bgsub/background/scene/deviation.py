"""How far a place of dynamic background strays from the background: what leaves and water do, and what is no object."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.predict import predict
from bgsub.frames.grid import Grid
from bgsub.masks.dynamic_background import window_mean
from bgsub.masks.smoothed import SmoothedDifference

COLUMNS = 50
"""Frames looked at: a quartile of so many is right to a tenth."""
QUARTILE = 0.75
"""Share of the frames in which what passes there must not be."""
BLUR = 7
"""Pixels: what one branch does its neighbours do."""


def observed_deviation(
    frames: NDArray[np.uint8],
    grid: Grid,
    background: tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]],
    dynamic: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """Return the upper quartile over time of the difference between smoothed frames and smoothed background.

    Parameters
    ----------
    frames
        ``(n, rows)`` uint8.
    grid
        Whose rows these are.
    background
        Offset ``(rows,)``, components ``(rank, rows)`` and each frame's coefficients ``(n, rank)``, float32.
    dynamic
        ``(height, width)``: the pixels that count.

    Returns
    -------
    ``(height, width)`` float32, grey levels, averaged over a window; 0 where it is not dynamic.

    Notes
    -----
    Cost: nothing where nothing is dynamic; else COLUMNS frames are smoothed, and memory for COLUMNS values of each
    pixel that counts.
    """
    out = np.zeros(grid.shape, np.float32)
    if not dynamic.any():
        return out
    wide = cv2.dilate(dynamic.astype(np.uint8), np.ones((BLUR, BLUR), np.uint8)) > 0
    chosen = np.unique(np.linspace(0, len(frames) - 1, COLUMNS).astype(np.int64))
    places = SmoothedDifference.of(wide)
    values = np.stack([_difference(frames, grid, background, index, places)[wide] for index in chosen])
    place = int(QUARTILE * (len(values) - 1))
    out[wide] = np.partition(values, place, axis=0)[place]
    mean = window_mean(out, BLUR, wide if grid.inside is None else wide & grid.inside)
    return np.where(dynamic, mean, 0).astype(np.float32)


def _difference(
    frames: NDArray[np.uint8],
    grid: Grid,
    background: tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]],
    index: int,
    places: SmoothedDifference,
) -> NDArray[np.uint8]:
    offset, components, coefficients = background
    picture = np.empty(grid.rows, np.uint8)
    predict(offset, components, coefficients[index], picture)
    shape = (*grid.shape, 3) if grid.channels == 3 else grid.shape
    difference = np.zeros(grid.shape, np.uint8)
    places.put(frames[index].reshape(shape), picture.reshape(shape), difference)
    return difference
