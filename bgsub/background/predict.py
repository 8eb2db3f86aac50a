"""The picture of the background for given coefficients, in one pass over the rows."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(nogil=True, cache=True, fastmath=True)
def predict(
    offset: NDArray[np.float32],
    components: NDArray[np.float32],
    coefficients: NDArray[np.float32],
    picture: NDArray[np.uint8],
) -> None:
    """Fill *picture* with offset + Σ_k coefficients_k · components_k, rounded and limited to 0–255.

    Parameters
    ----------
    offset
        ``(rows,)`` float32, grey levels.
    components
        ``(rank, rows)`` float32.
    coefficients
        ``(rank,)`` float32.
    picture
        ``(rows,)`` uint8, written. Fused because its cost is memory traffic: 4·(rank + 1) + 1 bytes a row.
    """
    rank, rows = components.shape
    for i in range(rows):
        x = offset[i]
        for k in range(rank):
            x += coefficients[k] * components[k, i]
        picture[i] = np.uint8(min(max(x, np.float32(0)), np.float32(255)) + np.float32(0.5))
