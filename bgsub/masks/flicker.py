"""How much a pixel changes from one frame to the next when nothing passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.masks.unrest import window_mean

Median = Callable[[NDArray[np.uint8]], NDArray[np.floating]]
"""``(n, columns)`` to ``(columns,)``."""

FEWEST_PAIRS = 10
"""With fewer pairs of frames whatever moves is in half of them; the picture as a whole is then looked at."""
BLUR = 7
"""Pixels: flicker is averaged over a window of this side, since a swaying branch covers its neighbours too."""


def flicker(
    differences: NDArray[np.uint8],
    shape: tuple[int, int],
    median: Median | None = None,
    inside: NDArray[np.bool_] | None = None,
) -> NDArray[np.float32]:
    """Measure how much each pixel changes from one frame to the next when nothing passes.

    The median over pairs of consecutive frames of the channel maximum of |m_t − m_{t+1}|, averaged over a window. A
    person who stands does not change from frame to frame and is not in it; a swaying tree is.

    Parameters
    ----------
    differences
        ``(pairs, pixels)`` uint8, grey levels.
    shape
        ``(height, width)``.
    median
        Of every column of such an array; NumPy's by default.
    inside
        ``(height, width)`` bool: the pixels that are looked at; only these are averaged. None for all.

    Returns
    -------
    ``(height, width)`` float32, grey levels, 0 far from what is looked at; 0 everywhere when there is no pair, the same
    everywhere (the median over all pixels) when there are fewer than FEWEST_PAIRS.
    """
    if not len(differences):
        return np.zeros(shape, np.float32)
    if len(differences) < FEWEST_PAIRS:
        counted = differences if inside is None else differences[:, inside.ravel()]
        return np.full(shape, np.median(counted), np.float32)
    middles: Any = np.median(differences, axis=0) if median is None else median(differences)
    middle = middles.astype(np.float32).reshape(shape)
    return window_mean(middle, BLUR, inside)
