"""From a frame and its background to a mask: difference, threshold, clean-up."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.difference import channel_difference
from bgsub.frames.source import Image
from bgsub.masks.clean import clean
from bgsub.masks.decisions import DECIDED
from bgsub.masks.significance import local_difference
from bgsub.masks.small_objects import find_small_objects
from bgsub.masks.thresholds import Thresholds


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

    def __call__(self, image: Image, background: Image) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the difference and the mask of a frame.

        Parameters
        ----------
        image, background
            ``(height, width, 3)`` or ``(height, width)`` uint8, grey levels.

        Returns
        -------
        Channel maximum of |image − background|, ``(height, width)`` uint8, and the mask, 0 or 255: where the difference
        of :func:`.local_difference` exceeds the threshold (the pixel's own, where the threshold is a fixed one).
        """
        difference = channel_difference(image, background)
        if self.thresholds.sums is None:
            above = _above(difference, self.thresholds.pixels)
        else:
            sums = local_difference(image, background, difference)
            above = _above(sums, np.asarray(cv2.max(self.thresholds.sums, _edge(sums)), np.uint16))
        return difference, clean(above, self.min_area)

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
        if self.thresholds.sums is None:
            return None
        return find_small_objects(difference, self.thresholds.pixels, mask, shadow, least)


def _above(values: NDArray[np.unsignedinteger], level: NDArray[np.unsignedinteger]) -> NDArray[np.uint8]:
    return np.asarray(cv2.compare(values, level, cv2.CMP_GT), np.uint8)


def _edge(sums: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Return the level at which a blurred edge lies: DECIDED.edge of the largest difference nearby."""
    peak = cv2.dilate(sums, np.ones((DECIDED.blur, DECIDED.blur), np.uint8))
    return np.asarray(cv2.addWeighted(peak, DECIDED.edge, peak, 0, 0), np.uint16)
