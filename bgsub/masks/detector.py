"""From a frame and its background to a mask: difference, two thresholds, clean-up."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.difference import channel_difference
from bgsub.frames.source import Image
from bgsub.masks.clean import clean
from bgsub.masks.small_objects import find_specks
from bgsub.masks.smoothed import Ripples
from bgsub.masks.thresholds import Levels

SEEDS = 4
"""Least areas of an object: so many of its pixels are certain, or half of them."""


@dataclass(frozen=True, eq=False)
class Judge:
    """Tells what is foreground. Holds nothing that changes, so several threads may ask it.

    Attributes
    ----------
    levels
        Thresholds of each pixel.
    min_area
        Pixels of the smallest object, and of the smallest hole.
    """

    levels: Levels
    min_area: int
    _ripples: Ripples | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        restless = self.levels.restless
        object.__setattr__(self, "_ripples", Ripples.of(restless) if restless.any() else None)

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
        A pixel is foreground when its difference exceeds the low level, and the object it belongs to has certain ones.
        In restless places it is the mean difference over a window (:mod:`bgsub.masks.smoothed`): the mean of what
        ripples is the background's, the mean over an object is not (the pixel itself must deviate, too, or objects
        would be widened).
        """
        difference = channel_difference(image, background)
        judged = difference
        if self._ripples is None:
            low = _above(difference, self.levels.low)
        else:
            judged = difference.copy()
            self._ripples.put(image, background, judged)
            low = _both(_above(judged, self.levels.low), _above(difference, self.levels.own))
        # With one level for both all is certain, and what has been filled must not count against it.
        one = self.levels.certain is self.levels.low
        certain = None if one else _above(judged, self.levels.certain)
        return difference, clean(low, self.min_area, certain, SEEDS * self.min_area)

    def specks(
        self,
        difference: NDArray[np.uint8],
        mask: NDArray[np.uint8],
        shadow: NDArray[np.uint8] | None = None,
        least: int = 0,
    ) -> NDArray[np.uint8] | None:
        """Return what is too small for the mask of a frame but may be something; None for nothing.

        *difference*, *mask* and *shadow* are those of the frame; see :func:`bgsub.masks.small_objects.find_specks`.
        """
        return find_specks(difference, self.levels.sure, mask, shadow, least)


def _above(values: NDArray[np.uint8], level: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.compare(values, level, cv2.CMP_GT), np.uint8)


def _both(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.bitwise_and(first, second), np.uint8)
