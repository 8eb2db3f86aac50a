"""The centre of the low-rank ball: what a pixel shows most of the time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import compiled, inlined

TILE = 512
"""Columns worked on at a time: some hundred frames of them stay in the first- and second-level cache."""


def temporal_median(frames: NDArray[np.uint8], threads: int = 1) -> NDArray[np.float32]:
    """Return the median over time of every row: half way between the two middle values when their number is even.

    Found bit by bit, the highest first, by counting how many values lie below a candidate: eight passes over a tile in
    the cache, each a comparison and an addition for 32 bytes at once.

    Parameters
    ----------
    frames
        ``(n, rows)`` uint8, n ≥ 1; copied where not C-ordered.
    threads
        Rows are shared out; the result does not depend on it.

    Returns
    -------
    ``(rows,)`` float32, grey levels. Cost: about ten operations on 32 entries each; no copy of *frames*.
    """
    n = len(frames)
    return _ranked(frames, (n - 1) // 2, n // 2, threads)


def temporal_quartile(frames: NDArray[np.uint8], threads: int = 1) -> NDArray[np.float32]:
    """Return the lower quartile over time of every row, the entry of rank ⌊(n − 1)/4⌋; see :func:`temporal_median`."""
    rank = (len(frames) - 1) // 4
    return _ranked(frames, rank, rank, threads)


def _ranked(frames: NDArray[np.uint8], rank: int, last: int, threads: int) -> NDArray[np.float32]:
    """Return half way between the entries of *rank* and *last*, which is that rank or the next one, from 0 on."""
    n, rows = frames.shape
    # A copy only of what is no block of memory: a few small pictures. The pass is compiled for blocks.
    frames = np.ascontiguousarray(frames)
    found = np.empty(rows, np.float32)
    counter = np.zeros(0, np.uint8 if n < 256 else np.uint32)
    edges = np.linspace(0, rows, threads + 1).astype(np.int64)
    with ThreadPoolExecutor(threads) as pool:
        list(
            pool.map(
                lambda a, b: _ranked_pass(frames, (rank, last), found, counter, a, b), edges[:-1], edges[1:]
            )
        )
    return found


@compiled
def _ranked_pass(
    frames: NDArray[np.uint8],
    ranks: tuple[int, int],
    values: NDArray[np.float32],
    counter: NDArray[np.unsignedinteger],
    low: int,
    high: int,
) -> None:
    """Fill columns ``[low, high)``; *counter* only tells the type that counts to the number of frames."""
    rank, last = ranks
    found, trial = np.empty(TILE, np.uint8), np.empty(TILE, np.uint8)
    above, count = np.empty(TILE, np.uint8), np.empty(TILE, counter.dtype)
    for first in range(low, high, TILE):
        w = min(TILE, high - first)
        found[:] = 0
        for bit in range(7, -1, -1):
            for j in range(w):
                trial[j] = found[j] | np.uint8(1 << bit)
            _count_below(frames, trial[:w], count[:w], first)
            for j in range(w):
                if count[j] <= rank:
                    found[j] = trial[j]
        _next_value(frames, found[:w], above[:w], count[:w], first)
        for j in range(w):
            # count: how many are at most the lower value.
            upper = found[j] if count[j] > last else above[j]
            values[first + j] = np.float32(0.5) * (np.float32(found[j]) + np.float32(upper))


@inlined
def _count_below(
    frames: NDArray[np.uint8],
    trial: NDArray[np.uint8],
    count: NDArray[np.unsignedinteger],
    first: int,
) -> None:
    count[:] = 0
    one, zero = count.dtype.type(1), count.dtype.type(0)
    for i in range(frames.shape[0]):
        row = frames[i, first : first + trial.size]
        for j in range(trial.size):
            count[j] += one if row[j] < trial[j] else zero


@inlined
def _next_value(
    frames: NDArray[np.uint8],
    found: NDArray[np.uint8],
    above: NDArray[np.uint8],
    count: NDArray[np.unsignedinteger],
    first: int,
) -> None:
    """Count the values up to the one found, and find the next larger one."""
    count[:] = 0
    above[:] = 255
    one, zero = count.dtype.type(1), count.dtype.type(0)
    for i in range(frames.shape[0]):
        row = frames[i, first : first + found.size]
        for j in range(found.size):
            count[j] += one if row[j] <= found[j] else zero
            above[j] = min(above[j], row[j] if row[j] > found[j] else np.uint8(255))
