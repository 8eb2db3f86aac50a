"""Objects of a few pixels, which any clean-up takes for noise: they are told from it by staying where they are."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

REACH = 3
"""Pixels that a speck may move from one frame to the next."""
APART = 2
"""Pixels between a speck and an object: what is nearer is the object's own ragged edge."""


def find_specks(
    difference: NDArray[np.uint8], sure: NDArray[np.uint8], mask: NDArray[np.uint8]
) -> NDArray[np.uint8] | None:
    """Return blocks of 2 × 2 pixels and more that are foreground for sure but no part of the mask; None for none.

    Parameters
    ----------
    difference
        ``(height, width)`` uint8, grey levels.
    sure
        Of the same shape: what no single pixel's noise exceeds; 255 where specks are not looked for.
    mask
        The cleaned mask, 0 or 255.
    """
    above = np.asarray(cv2.compare(difference, sure, cv2.CMP_GT), np.uint8)
    if not cv2.countNonZero(above):
        return None
    blocks = cv2.morphologyEx(above, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    near = cv2.dilate(mask, _square(APART))
    found = np.asarray(cv2.bitwise_and(blocks, cv2.bitwise_not(near)), np.uint8)
    return found if cv2.countNonZero(found) else None


class Persistence:
    """Lets specks into the mask that were there in the frame before, REACH pixels around at most.

    Frames must come in order. Noise of a sensor or a codec does not come twice to one place; a bird far away, a
    person at the end of the road does. The first frame of a speck is lost.
    """

    def __init__(self) -> None:
        self._before: NDArray[np.uint8] | None = None

    def __call__(self, mask: NDArray[np.uint8], specks: NDArray[np.uint8] | None) -> NDArray[np.uint8]:
        """Return *mask* with those of the frame's *specks* that persist; *mask* itself where there are none."""
        before, self._before = self._before, specks
        if specks is None or before is None:
            return mask
        again = cv2.bitwise_and(specks, cv2.dilate(before, _square(REACH)))
        return np.asarray(
            cv2.bitwise_or(mask, cv2.bitwise_and(specks, cv2.dilate(again, _square(REACH)))), np.uint8
        )


def _square(reach: int) -> NDArray[np.uint8]:
    return np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
