"""How different two pictures are, pixel by pixel, as one number of grey levels."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.source import Image

WINDOW = 9
"""Pixels: over a window of this side ripples, leaves and sensor noise cancel, while an object stays what it is."""


def channel_difference(first: Image, second: Image) -> NDArray[np.uint8]:
    """Return the channel maximum of |first − second|.

    Parameters
    ----------
    first, second
        ``(height, width, 3)``, ``(height, width, 1)`` or ``(height, width)`` uint8, of one shape, grey levels.

    Returns
    -------
    ``(height, width)`` uint8, grey levels. A colour that differs in one channel only is as different as one that
    differs in all: that is what colour adds over gray.
    """
    difference = np.asarray(cv2.absdiff(first, second), np.uint8)
    if difference.ndim == 2:
        return difference
    if difference.shape[2] == 1:
        return difference[..., 0]
    red, green, blue = cv2.split(difference)
    return np.asarray(cv2.max(cv2.max(red, green), blue), np.uint8)


def smooth(image: Image) -> NDArray[np.uint8]:
    """Return the mean over windows of WINDOW × WINDOW pixels, the border being repeated outwards; uint8, same shape."""
    return np.asarray(cv2.blur(image, (WINDOW, WINDOW), borderType=cv2.BORDER_REPLICATE), np.uint8)
