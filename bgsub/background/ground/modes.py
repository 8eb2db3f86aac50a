"""The values that a pixel shows most: one of them is the ground, others may be somebody who stands on it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import compiled, inlined


def find_modes(
    values: NDArray[np.uint8], radius: int, apart: int, threads: int = 1, count: int = 2
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the densest values of each pixel, and how dense they are.

    The first mode is the value with most others within *radius* (in every channel), the mean of these; the next is
    found in the same way among what lies farther than *apart* from those before. A mean-shift step of the densest
    sample (Comaniciu and Meer 2002, doi:10.1109/34.1000236), exhaustive over the samples.

    Parameters
    ----------
    values
        ``(pixels, channels, n)`` uint8, C-ordered.
    radius, apart
        Grey levels.
    threads
        To compute with; the result does not depend on it.
    count
        Modes that are looked for.

    Returns
    -------
    ``(count, pixels, channels)`` float32 values and ``(count, pixels)`` float32 shares of the samples, 0 where there
    is none.

    Notes
    -----
    Cost: up to count · n² comparisons a pixel and channel.
    """
    pixels, channels, _ = values.shape
    modes, shares = np.zeros((pixels, count, channels), np.float32), np.zeros((pixels, count), np.float32)
    edges = np.linspace(0, pixels, threads + 1).astype(np.int64)
    parts = [slice(*bounds) for bounds in pairwise(edges)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda p: _find(values[p], radius, apart, modes[p], shares[p]), parts))
    return np.ascontiguousarray(modes.transpose(1, 0, 2)), np.ascontiguousarray(shares.T)


@compiled
def _find(few: Any, radius: int, apart: int, modes: Any, shares: Any) -> None:
    pixels, channels, n = few.shape
    free, best, near = np.empty(n, np.uint8), np.empty(n, np.uint8), np.empty(n, np.uint8)
    centre = np.empty(channels, np.uint8)
    for pixel in range(pixels):
        values = few[pixel]
        for j in range(n):
            free[j] = 1
        for which in range(shares.shape[1]):
            most = _densest(values, radius, free, best, near, centre)
            if most == 0:
                break
            for c in range(channels):
                total = 0.0
                for j in range(n):
                    total += best[j] * values[c, j]
                modes[pixel, which, c] = total / most
                centre[c] = np.uint8(modes[pixel, which, c])
            shares[pixel, which] = most / n
            _within(values, centre, apart, free, near)
            for j in range(n):
                free[j] = 1 - near[j] if free[j] else 0


@inlined
def _densest(values: Any, radius: int, free: Any, best: Any, near: Any, centre: Any) -> int:
    """Set *best* to 1 for what lies within *radius* of the value with most around it, and count that."""
    channels, n = values.shape
    most = 0
    for i in range(n):
        if free[i]:
            for c in range(channels):
                centre[c] = values[c, i]
            count = _within(values, centre, radius, free, near)
            if count > most:
                most = count
                for j in range(n):
                    best[j] = near[j]
    return most


@inlined
def _within(values: Any, centre: Any, radius: int, free: Any, near: Any) -> int:
    """Set *near* to 1 for the *free* values within *radius* of *centre* in every channel, and count them."""
    channels, n = values.shape
    # Loops, not array expressions: these take seconds to compile.
    for j in range(n):
        near[j] = free[j]
    for c in range(channels):
        middle = np.int16(centre[c])
        for j in range(n):
            near[j] &= np.uint8(abs(np.int16(values[c, j]) - middle) <= radius)
    count = 0
    for j in range(n):
        count += near[j]
    return count
