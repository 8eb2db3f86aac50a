"""The picture of the background for given coefficients, tile by tile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import compiled, inlined

TILE = 4096
"""Rows worked on at a time: their sums (16 KiB) stay in the first-level cache."""


def predict(
    offset: NDArray[np.float32],
    components: NDArray[np.float32],
    coefficients: NDArray[np.float32],
    picture: NDArray[np.uint8],
) -> None:
    """Fill *picture* with offset + Σ_k coefficients_k · components_k, rounded (half up) and limited to 0–255.

    Parameters
    ----------
    offset
        ``(rows,)`` float32, grey levels.
    components
        ``(rank, rows)`` float32.
    coefficients
        ``(rank,)`` float32.
    picture
        ``(rows,)`` uint8, written. Cost: memory traffic, 4·(rank + 1) + 1 bytes a row.
    """
    rank = len(coefficients)
    if rank == 0:
        _round(offset, picture)
        return
    _predict(offset, components[:rank], coefficients, picture, np.empty(TILE, np.float32))


@compiled
def _predict(
    offset: NDArray[np.float32],
    components: NDArray[np.float32],
    coefficients: NDArray[np.float32],
    picture: NDArray[np.uint8],
    sums: NDArray[np.float32],
) -> None:
    last = len(coefficients) - 1
    for low in range(0, len(offset), TILE):
        size = min(TILE, len(offset) - low)
        below = offset[low : low + size]
        if last > 0:
            # One component after the other: a loop over them inside one over the rows adds one number at a time.
            _copy(below, sums)
            below = sums[:size]
        for k in range(last):
            _add(coefficients[k], components[k, low : low + size], below)
        # The last one is added on the way to the picture.
        _finish(coefficients[last], components[last, low : low + size], below, picture[low : low + size])


@inlined
def _copy(offset: NDArray[np.float32], sums: NDArray[np.float32]) -> None:
    for i in range(len(offset)):
        sums[i] = offset[i]


@inlined
def _add(factor: np.float32, component: NDArray[np.float32], sums: NDArray[np.float32]) -> None:
    for i in range(len(component)):
        sums[i] += factor * component[i]


@inlined
def _finish(
    factor: np.float32, component: NDArray[np.float32], sums: NDArray[np.float32], picture: NDArray[np.uint8]
) -> None:
    for i in range(len(component)):
        picture[i] = _level(sums[i] + factor * component[i])


@compiled
def _round(values: NDArray[np.float32], picture: NDArray[np.uint8]) -> None:
    for i in range(len(values)):
        picture[i] = _level(values[i])


@inlined
def _level(value: np.float32) -> np.uint8:
    # Whole numbers are limited in fewer steps than others. A float beyond them becomes the lowest, whatever its sign.
    whole = np.int32(min(value, np.float32(1e9)) + np.float32(0.5))
    return np.uint8(min(max(whole, np.int32(0)), np.int32(255)))
