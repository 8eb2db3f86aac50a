"""Objects of a few pixels, which any clean-up takes for noise: they are told from it by staying where they are."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.masks.clean import drop_small_objects

REACH = 3
"""Pixels that a small object may move from one frame to the next."""
APART = 10
"""Pixels between a small object and an object: what is nearer is its ragged edge, its shadow or its reflection."""
NARROW = 5
"""Pixels: an object that holds no square of this side has lost its edges to the median filter, half of it or more."""
FRAMES = 3
"""Frames in a row in which a small object is seen; noise comes two times to a place, and in leaves three times."""
MOST = 0.002
"""Share of the picture that small objects take at most; more of them are a texture that moves."""
FEW = 100
"""Pixels that small objects may take in the smallest picture."""
NEIGHBOURS = 70
"""Mean of a 3 × 3 window, of 255, from which on three of its pixels are foreground."""


def find_small_objects(
    difference: NDArray[np.uint8],
    threshold: NDArray[np.uint8],
    mask: NDArray[np.uint8],
    shadow: NDArray[np.uint8] | None = None,
    least: int = 0,
) -> NDArray[np.uint8] | None:
    """Return pixels that are foreground, with two neighbours at least, but no part of an object; None for none.

    Parameters
    ----------
    difference
        ``(height, width)`` uint8, grey levels.
    threshold
        Of the same shape: what a pixel of static background does not exceed; 255 where none is looked for.
    mask
        The cleaned mask, 0 or 255. Its narrow objects do not count: they are small objects, too.
    shadow
        Of the same shape, what has been taken out of the mask as shadow, 255, or None: its rim is none, either.
    least
        Pixels that a small object has at least, with those of the mask that it touches.
    """
    above = np.asarray(cv2.compare(difference, threshold, cv2.CMP_GT), np.uint8)
    if not cv2.countNonZero(above):
        return None
    several = cv2.threshold(cv2.blur(above, (3, 3)), NEIGHBOURS, 255, cv2.THRESH_BINARY)[1]
    elsewhere = cv2.bitwise_not(_around(mask, shadow))
    found = np.asarray(cv2.bitwise_and(cv2.bitwise_and(above, several), elsewhere), np.uint8)
    if least > 1:
        whole = np.asarray(cv2.bitwise_or(found, mask), np.uint8)
        drop_small_objects(whole, least)
        found = np.asarray(cv2.bitwise_and(found, whole), np.uint8)
    return found if 0 < cv2.countNonZero(found) <= max(MOST * found.size, FEW) else None


def _around(mask: NDArray[np.uint8], shadow: NDArray[np.uint8] | None) -> NDArray[np.uint8]:
    """Return the places of shadows and of objects that are not narrow, and what is within APART pixels of them."""
    broad = cv2.erode(mask, _square(NARROW // 2))
    near = np.asarray(cv2.dilate(broad, _square(NARROW // 2 + APART)), np.uint8)
    if shadow is not None:
        near = np.asarray(cv2.bitwise_or(near, cv2.dilate(shadow, _square(APART))), np.uint8)
    return near


class Persistence:
    """Lets small objects into the mask that were there in the frames before, moving by REACH pixels a frame at most.

    Frames must come in order. Noise of a sensor or a codec does not come three times to one place; a bird far away, a
    person at the end of the road does. The first two frames of a small object are lost.
    """

    def __init__(self) -> None:
        self._before: tuple[NDArray[np.uint8] | None, ...] = (None,) * (FRAMES - 1)

    def __call__(self, mask: NDArray[np.uint8], small_objects: NDArray[np.uint8] | None) -> NDArray[np.uint8]:
        """Return *mask* with those of the frame's *small_objects* that persist; *mask* itself where there are none."""
        before = (*self._before, small_objects)
        self._before = before[1:]
        chain = before[0]
        for each in before[1:]:
            if chain is None or each is None:
                return mask
            chain = _followed(chain, each)
        return mask if chain is None else np.asarray(cv2.bitwise_or(mask, chain), np.uint8)


def _followed(before: NDArray[np.uint8], now: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return those of the small objects *now* that were there *before*, with all their pixels."""
    touched = cv2.bitwise_and(now, cv2.dilate(before, _square(REACH)))
    return np.asarray(cv2.bitwise_and(now, cv2.dilate(touched, _square(REACH))), np.uint8)


def _square(reach: int) -> NDArray[np.uint8]:
    return np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
