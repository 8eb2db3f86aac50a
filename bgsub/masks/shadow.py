"""Cast shadows: foreground that is the background, with less light."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.source import Image
from bgsub.masks.clean import drop_small_objects, fill_small_holes, median
from bgsub.masks.decisions import DECIDED
from bgsub.masks.shade import Cells, Shade, cell_side


def cast_shadow(
    image: Image, background: Image, mask: NDArray[np.uint8], shade: Shade | None, min_area: int
) -> NDArray[np.uint8]:
    """Return the part of *mask* that is cast shadow: connected places of the *shade* that the scene's shadows have.

    Parameters
    ----------
    image, background
        ``(height, width, 3)`` or ``(height, width)`` uint8, of one shape.
    mask
        ``(height, width)`` uint8, 0 or 255, cleaned.
    shade
        What :func:`.learn_shade` has found; None for a scene without shadows.
    min_area
        Pixels of the smallest object.

    Returns
    -------
    ``(height, width)`` uint8, 255 where there is shadow, 0 elsewhere. Cost: a pass over the foreground, and some over
    cells of some pixels.
    """
    if shade is None or not cv2.countNonZero(mask):
        return np.zeros_like(mask)
    side, shadow = cell_side(mask.shape), np.zeros_like(mask)
    x, y, width, height = cv2.boundingRect(mask)
    box = np.s_[y - y % side : y + height, x - x % side : x + width]
    part = np.ascontiguousarray(mask[box])
    places = shade.places(Cells.of(image[box], background[box], part, side))
    if places.any():
        pixels = places.repeat(side, axis=0).repeat(side, axis=1)[: part.shape[0], : part.shape[1]]
        shadow[box] = _without_object(np.where(pixels, part, np.uint8(0)), part, min_area)
    return shadow


def _without_object(found: NDArray[np.uint8], mask: NDArray[np.uint8], min_area: int) -> NDArray[np.uint8]:
    """Return what is shadow of a *mask*, some of which is *found* to be: all that leaves no object."""
    left = np.asarray(cv2.bitwise_and(mask, cv2.bitwise_not(found)), np.uint8)
    rest = np.asarray(cv2.bitwise_and(median(left), mask), np.uint8)
    drop_small_objects(rest, min_area)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (DECIDED.closed, DECIDED.closed))
    whole = np.asarray(cv2.morphologyEx(rest, cv2.MORPH_CLOSE, kernel), np.uint8)
    # What an object's outline closes is no shadow.
    fill_small_holes(whole, whole.size)
    return np.asarray(cv2.bitwise_and(mask, cv2.bitwise_not(whole)), np.uint8)
