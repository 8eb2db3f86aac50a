"""How much a pixel changes from one frame to the next when nothing passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.masks.dynamic_background import window_mean

Quartile = Callable[[NDArray[np.uint8]], NDArray[np.floating]]
"""``(n, columns)`` to ``(columns,)``."""

STEADY = 1.8
"""Times the lower quartile: of a steady flicker somewhat more than the median, 1.3 times that of white noise."""

FEWEST_PAIRS = 10
"""With fewer pairs of frames whatever moves is in half of them; the picture as a whole is then looked at."""
BLUR = 7
"""Pixels: flicker is averaged over a window of this side, since a swaying branch covers its neighbours too."""


def flicker(
    differences: NDArray[np.uint8],
    shape: tuple[int, int],
    quartile: Quartile | None = None,
    inside: NDArray[np.bool_] | None = None,
) -> NDArray[np.float32]:
    """Measure how much each pixel changes from one frame to the next when nothing passes.

    STEADY times the lower quartile over pairs of consecutive frames of the channel maximum of |m_t − m_{t+1}|, averaged
    over a window: about the median of what changes all the time. A person who stands does not change from one frame to
    the next and is not in it, nor is a crowd that lets the ground be seen from time to time; a swaying tree is.

    Parameters
    ----------
    differences
        ``(pairs, pixels)`` uint8, grey levels.
    shape
        ``(height, width)``.
    quartile
        Lower one of every column of such an array, the entry of rank ⌊(n − 1)/4⌋; NumPy's by default.
    inside
        ``(height, width)`` bool: the pixels that are looked at; only these are averaged. None for all.

    Returns
    -------
    ``(height, width)`` float32, grey levels, 0 far from what is looked at; 0 everywhere when there is no pair, the same
    everywhere (from the quartile over all pixels) when there are fewer than FEWEST_PAIRS.
    """
    if not len(differences):
        return np.zeros(shape, np.float32)
    if len(differences) < FEWEST_PAIRS:
        counted = differences if inside is None else differences[:, inside.ravel()]
        return np.full(shape, STEADY * np.quantile(counted, 0.25, method="lower"), np.float32)
    lower: Any = (
        np.quantile(differences, 0.25, axis=0, method="lower") if quartile is None else quartile(differences)
    )
    return window_mean(STEADY * lower.astype(np.float32).reshape(shape), BLUR, inside)
