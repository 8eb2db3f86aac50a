"""How far from the background is foreground: a threshold for each pixel, in grey levels, from how it flickers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Median = Callable[[NDArray[np.uint8]], NDArray[np.floating]]
"""``(n, columns)`` to ``(columns,)``."""

FLOOR = 25.0
"""Grey levels that no quiet pixel reaches through shadow, reflection or compression."""
QUIET = 3.0
"""Grey levels of flicker that an ordinary sensor shows; the floor already covers it."""
SLOPE = 3.0
"""Grey levels of threshold for each grey level of flicker beyond QUIET."""
FEWEST_PAIRS = 10
"""With fewer pairs of frames whatever moves is in half of them; the picture as a whole is then looked at."""
BLUR = 7
"""Pixels: flicker is averaged over a window of this side, since a swaying branch covers its neighbours too."""


def flicker(
    differences: NDArray[np.uint8], shape: tuple[int, int], median: Median | None = None
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

    Returns
    -------
    ``(height, width)`` float32, grey levels; 0 when there is no pair, the same everywhere (the median over all pixels)
    when there are fewer than FEWEST_PAIRS.
    """
    if not len(differences):
        return np.zeros(shape, np.float32)
    if len(differences) < FEWEST_PAIRS:
        return np.full(shape, np.median(differences), np.float32)
    middles: Any = np.median(differences, axis=0) if median is None else median(differences)
    middle = middles.astype(np.float32).reshape(shape)
    blurred: NDArray[np.float32] = cv2.blur(middle, (BLUR, BLUR), borderType=cv2.BORDER_REPLICATE)
    return blurred.reshape(shape)


def threshold_map(
    flickering: NDArray[np.float32], fixed: float | None, sensitivity: float = 1.0
) -> tuple[NDArray[np.uint8], str]:
    """Return the largest score that is still background, for each pixel, and the reason in words.

    Parameters
    ----------
    flickering
        ``(height, width)`` float32 from :func:`flicker`.
    fixed
        The same threshold for all pixels, in grey levels, or None for FLOOR + SLOPE · max(flicker − QUIET, 0).
    sensitivity
        What the threshold that is not fixed is divided by.

    Returns
    -------
    ``(height, width)`` uint8 and one line of text. A pixel is foreground when its score is **greater**.
    """
    if fixed is not None:
        return np.full(
            flickering.shape, int(fixed), np.uint8
        ), f"threshold {fixed:g} grey levels: as asked for"
    levels = np.minimum((FLOOR + SLOPE * np.maximum(flickering - QUIET, 0)) / sensitivity, 255)
    share = float(np.mean(flickering > QUIET))
    reason = (
        f"threshold {FLOOR / sensitivity:g} grey levels, raised to a median of {np.median(levels):.0f} and at most "
        f"{levels.max():.0f} because {share:.0%} of the pixels flicker by more than {QUIET:g} from frame to frame"
        if share > 0
        else f"threshold {FLOOR / sensitivity:g} grey levels everywhere: no pixel flickers by more than {QUIET:g}"
    )
    # Scores are whole numbers: one exceeds a level exactly when it exceeds the level's whole part.
    return levels.astype(np.uint8), reason
