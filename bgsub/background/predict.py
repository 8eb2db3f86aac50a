"""The picture of the background for given coefficients, tile by tile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.jit import compiled

TILE = 1 << 17
"""Rows worked on at a time: their sums (0.5 MiB) stay in the second-level cache, and calls cost nothing beside them."""


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
    for low in range(0, len(offset), TILE):
        tile = slice(low, low + TILE)
        sums = offset[tile]
        if len(coefficients):
            sums = sums.copy()
            # One component after the other: a loop over them inside one over the rows adds one number at a time.
            for factor, component in zip(coefficients, components, strict=True):
                _add(factor, component[tile], sums)
        _round(sums, picture[tile])


@compiled
def _add(factor: np.float32, component: NDArray[np.float32], sums: NDArray[np.float32]) -> None:
    for i in range(len(sums)):
        sums[i] += factor * component[i]


@compiled
def _round(values: NDArray[np.float32], picture: NDArray[np.uint8]) -> None:
    for i in range(len(values)):
        limited = min(max(values[i], np.float32(0)), np.float32(255))
        picture[i] = np.uint8(np.int32(limited + np.float32(0.5)))
