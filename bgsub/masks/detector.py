"""From a frame and its background to a mask: difference, two thresholds, clean-up."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.difference import channel_difference
from bgsub.frames.source import Image
from bgsub.masks.clean import clean
from bgsub.masks.small_objects import find_small_objects
from bgsub.masks.smoothed import SmoothedDifference
from bgsub.masks.thresholds import Thresholds

SEEDS = 4
"""Least areas of an object: so many of its pixels are certain, or half of them."""


class Detector:
    """Tells what is foreground. Nothing of it changes, so several threads may call it.

    Parameters
    ----------
    thresholds
        Those of each pixel.
    min_area
        Pixels of the smallest object, and of the smallest hole.
    """

    def __init__(self, thresholds: Thresholds, min_area: int) -> None:
        self.thresholds, self.min_area = thresholds, min_area
        self._smoothed = SmoothedDifference.of(thresholds.dynamic) if thresholds.dynamic.any() else None

    def __call__(self, image: Image, background: Image) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the difference and the mask of a frame.

        Parameters
        ----------
        image, background
            ``(height, width, 3)`` or ``(height, width)`` uint8, grey levels.

        Returns
        -------
        Channel maximum of |image − background|, ``(height, width)`` uint8, and the mask, 0 or 255.

        Notes
        -----
        A pixel is foreground when its difference exceeds the low threshold, and enough of the object it belongs to
        exceed the high one.
        In dynamic background it is the mean difference over a window (:mod:`bgsub.masks.smoothed`): the mean of what
        ripples is the background's, the mean over an object is not (the pixel itself must deviate, too, or objects
        would be widened).
        """
        difference = channel_difference(image, background)
        compared = difference
        if self._smoothed is None:
            low = _above(difference, self.thresholds.low)
        else:
            compared = difference.copy()
            self._smoothed.put(image, background, compared)
            low = _both(_above(compared, self.thresholds.low), _above(difference, self.thresholds.unsmoothed))
        # With one threshold for both every pixel exceeds the high one, and filled holes must not count against it.
        one = self.thresholds.high is self.thresholds.low
        high = None if one else _above(compared, self.thresholds.high)
        return difference, clean(low, self.min_area, high, SEEDS * self.min_area)

    def small_objects(
        self,
        difference: NDArray[np.uint8],
        mask: NDArray[np.uint8],
        shadow: NDArray[np.uint8] | None = None,
        least: int = 0,
    ) -> NDArray[np.uint8] | None:
        """Return what is too small for the mask of a frame but may be something; None for nothing.

        *difference*, *mask* and *shadow* are those of the frame; see :func:`.find_small_objects`.
        """
        return find_small_objects(difference, self.thresholds.small, mask, shadow, least)


def _above(values: NDArray[np.uint8], level: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.compare(values, level, cv2.CMP_GT), np.uint8)


def _both(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.bitwise_and(first, second), np.uint8)
