"""The centre of the low-rank ball: what a pixel shows most of the time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.jit import compiled


def temporal_median(frames: NDArray[np.uint8], threads: int = 1) -> NDArray[np.float32]:
    """Return the median over time of every row: half way between the two middle values when their number is even.

    Parameters
    ----------
    frames
        ``(n, rows)`` uint8, C-ordered, n ≥ 1.
    threads
        Rows are shared out; the result does not depend on it.

    Returns
    -------
    ``(rows,)`` float32, grey levels. Cost: two histogram updates an entry, no copy of *frames*.
    """
    rows = frames.shape[1]
    median = np.empty(rows, np.float32)
    edges = np.linspace(0, rows, threads + 1).astype(np.int64)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda a, b: _median_pass(frames, median, a, b), edges[:-1], edges[1:]))
    return median


@compiled
def _median_pass(frames: NDArray[np.uint8], median: NDArray[np.float32], low: int, high: int) -> None:
    n = frames.shape[0]
    fine = np.zeros(256, np.int32)
    coarse = np.zeros(16, np.int32)
    for j in range(low, high):
        for i in range(n):
            value = frames[i, j]
            fine[value] += 1
            coarse[value >> 4] += 1
        below = _ranked(fine, coarse, (n - 1) // 2)
        above = _ranked(fine, coarse, n // 2)
        median[j] = np.float32(0.5) * np.float32(below + above)
        for i in range(n):
            fine[frames[i, j]] = 0
            coarse[frames[i, j] >> 4] = 0


@compiled
def _ranked(fine: NDArray[np.int32], coarse: NDArray[np.int32], rank: int) -> int:
    block = 0
    while coarse[block] <= rank:
        rank -= coarse[block]
        block += 1
    value = block << 4
    while fine[value] <= rank:
        rank -= fine[value]
        value += 1
    return value
