"""Per-pixel difference between two images, as one number in grey levels."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import compiled, inlined
from bgsub.frames.source import Image

TILE = 2048
"""Pixels processed at a time: intermediate results stay in the L1 cache."""


def channel_difference(first: Image, second: Image) -> NDArray[np.uint8]:
    """Return the channel maximum of |first − second|.

    Parameters
    ----------
    first, second
        ``(height, width, 3)``, ``(height, width, 1)`` or ``(height, width)`` uint8, of the same shape, grey levels.

    Returns
    -------
    ``(height, width)`` uint8, grey levels. A difference in one channel counts as much as one in all three:
    that is what colour adds over gray.
    """
    if first.ndim == 2 or first.shape[2] == 1:
        return np.asarray(cv2.absdiff(first, second), np.uint8).reshape(first.shape[:2])
    difference = np.empty(first.shape[:2], np.uint8)
    values = (np.ascontiguousarray(each).reshape(-1) for each in (first, second))
    _largest(*values, difference.reshape(-1), np.empty(3 * TILE, np.uint8))
    return difference


@compiled
def _largest(
    first: NDArray[np.uint8],
    second: NDArray[np.uint8],
    difference: NDArray[np.uint8],
    scratch: NDArray[np.uint8],
) -> None:
    # Two loops over a cached tile: the first runs over single bytes, the second only combines the channels.
    for low in range(0, len(difference), TILE):
        size = min(TILE, len(difference) - low)
        _absolute(first[3 * low : 3 * (low + size)], second[3 * low : 3 * (low + size)], scratch)
        _maximum(scratch, difference[low : low + size])


@inlined
def _absolute(first: NDArray[np.uint8], second: NDArray[np.uint8], scratch: NDArray[np.uint8]) -> None:
    for i in range(len(first)):
        scratch[i] = max(first[i], second[i]) - min(first[i], second[i])


@inlined
def _maximum(scratch: NDArray[np.uint8], difference: NDArray[np.uint8]) -> None:
    for i in range(len(difference)):
        difference[i] = max(scratch[3 * i], scratch[3 * i + 1], scratch[3 * i + 2])
