"""The centre of the low-rank ball: what a pixel shows most of the time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import compiled, inlined

TILE = 512
"""Columns worked on at a time: some hundred frames of them stay in the first- and second-level cache."""


def temporal_median(
    frames: NDArray[np.uint8],
    threads: int = 1,
    shown: NDArray[np.uint8] | None = None,
    used: NDArray[np.int64] | None = None,
) -> NDArray[np.float32]:
    """Return the median over time of every row: half way between the two middle values when their number is even.

    Found bit by bit, the highest first, by counting how many values lie below a candidate: eight passes over a tile in
    the cache, each a comparison and an addition for 32 bytes at once.

    Parameters
    ----------
    frames
        ``(n, rows)`` uint8, n ≥ 1; copied where not C-ordered.
    threads
        Rows are shared out; the result does not depend on it.
    shown
        ``(m, pixels)`` uint8, 0 or 1: the values that count, where rows is a multiple of pixels; None for all.
        A pixel of which none counts has the value 255.
    used
        ``(m,)`` indices of the frames that *shown* tells of; None for all.

    Returns
    -------
    ``(rows,)`` float32, grey levels. Cost: about ten operations on 32 entries each; no copy of *frames*.
    """
    used = np.arange(len(frames)) if used is None else used
    shown = np.ones((len(used), 1), np.uint8) if shown is None else np.ascontiguousarray(shown)
    # A copy only of what is no block of memory: a few small pictures. The pass is compiled for blocks.
    frames = np.ascontiguousarray(frames)
    rows = frames.shape[1]
    found = np.empty(rows, np.float32)
    counter = np.zeros(0, np.uint8 if len(used) < 256 else np.uint32)
    edges = np.linspace(0, rows, threads + 1).astype(np.int64)
    with ThreadPoolExecutor(threads) as pool:
        list(
            pool.map(
                lambda a, b: _median_pass(frames, used, shown, rows // shown.shape[1], found, counter, a, b),
                edges[:-1],
                edges[1:],
            )
        )
    return found


@compiled
def _median_pass(
    frames: NDArray[np.uint8],
    used: NDArray[np.int64],
    shown: NDArray[np.uint8],
    channels: int,
    values: NDArray[np.float32],
    counter: NDArray[np.unsignedinteger],
    low: int,
    high: int,
) -> None:
    """Fill columns ``[low, high)``; *counter* only tells the type that counts to the number of frames."""
    found, trial = np.empty(TILE, np.uint8), np.empty(TILE, np.uint8)
    above, count = np.empty(TILE, np.uint8), np.empty(TILE, counter.dtype)
    total, counts = np.empty(TILE, counter.dtype), np.empty((len(used), TILE), np.uint8)
    one, zero, two = count.dtype.type(1), count.dtype.type(0), count.dtype.type(2)
    for first in range(low, high, TILE):
        w = min(TILE, high - first)
        total[:] = zero
        for i in range(len(used)):
            for j in range(w):
                counts[i, j] = shown[i, (first + j) // channels]
            for j in range(w):
                total[j] += one if counts[i, j] else zero
        found[:] = 0
        for bit in range(7, -1, -1):
            for j in range(w):
                trial[j] = found[j] | np.uint8(1 << bit)
            _count_below(frames, used, counts, trial[:w], count[:w], first)
            for j in range(w):
                # As many lie below the lower of the two middle values, at most.
                if two * count[j] < total[j] or total[j] == zero:
                    found[j] = trial[j]
        _next_value(frames, used, counts, found[:w], above[:w], count[:w], first)
        for j in range(w):
            # count: how many are at most the lower value.
            upper = found[j] if count[j] > total[j] // two else above[j]
            values[first + j] = np.float32(0.5) * (np.float32(found[j]) + np.float32(upper))


@inlined
def _count_below(
    frames: NDArray[np.uint8],
    used: NDArray[np.int64],
    counts: NDArray[np.uint8],
    trial: NDArray[np.uint8],
    count: NDArray[np.unsignedinteger],
    first: int,
) -> None:
    count[:] = 0
    one, zero = count.dtype.type(1), count.dtype.type(0)
    for i in range(len(used)):
        row = frames[used[i], first : first + trial.size]
        counted = counts[i, : trial.size]
        for j in range(trial.size):
            count[j] += one if (row[j] < trial[j]) & (counted[j] > 0) else zero


@inlined
def _next_value(
    frames: NDArray[np.uint8],
    used: NDArray[np.int64],
    counts: NDArray[np.uint8],
    found: NDArray[np.uint8],
    above: NDArray[np.uint8],
    count: NDArray[np.unsignedinteger],
    first: int,
) -> None:
    """Count the values up to the one found, and find the next larger one."""
    count[:] = 0
    above[:] = 255
    one, zero = count.dtype.type(1), count.dtype.type(0)
    for i in range(len(used)):
        row = frames[used[i], first : first + found.size]
        counted = counts[i, : found.size]
        for j in range(found.size):
            count[j] += one if (row[j] <= found[j]) & (counted[j] > 0) else zero
            above[j] = min(above[j], row[j] if (row[j] > found[j]) & (counted[j] > 0) else np.uint8(255))
