"""Cast shadows: foreground that is the background, only darker."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.source import Image
from bgsub.masks.clean import drop_small_objects, fill_small_holes, median

DARKEST = 0.45
"""Share of the light that a shadow leaves at least."""
BRIGHTEST = 0.95
COLOUR = 9.0
"""Grey levels by which the mean colour of a window may differ from the darkened background's."""
TEXTURE = 8.0
"""The same for single pixels of it, root mean square: a shadow keeps the texture of the ground."""
WINDOW = 5
"""Pixels: side of these windows."""
CLOSED = 7
"""Pixels across which two parts of an object are one: what is dark between them is no shadow."""
SLIVER = 4
"""Least areas of an object: what a dropped shadow leaves behind is smaller."""


def cast_shadow(image: Image, background: Image, mask: NDArray[np.uint8], min_area: int) -> NDArray[np.uint8]:
    """Return the part of *mask* that is cast shadow.

    A window of a shadow is the background's times one factor α, the same for all channels: α = ⟨I, B⟩/⟨B, B⟩ over the
    window, DARKEST ≤ α ≤ BRIGHTEST; what is left, I − αB, is small in the mean (COLOUR: brightness and colour
    distortion as of Horprasert, Harwood and Davis 1999, in grey levels, so that dark pixels do not count by angles of
    noise) and at each pixel (TEXTURE: as by Prati, Mikić, Trivedi and Cucchiara 2003, doi:10.1109/TPAMI.2003.1206520,
    region-level tests are what tells a shadow from dark clothes). What is left of an object is joined again.

    Parameters
    ----------
    image, background
        ``(height, width, 3)`` or ``(height, width)`` uint8, of one shape. In gray the texture alone decides.
    mask
        ``(height, width)`` uint8, 0 or 255, cleaned.
    min_area
        Pixels of the smallest object.

    Returns
    -------
    ``(height, width)`` uint8, 255 where there is shadow, 0 elsewhere. Cost: only the box around the mask is looked at.
    """
    shadow = np.zeros_like(mask)
    x, y, width, height = cv2.boundingRect(mask)
    if not width:
        return shadow
    box = np.s_[y : y + height, x : x + width]
    part = np.ascontiguousarray(mask[box])
    found = median(np.asarray(cv2.bitwise_and(_darkened(image[box], background[box]), part), np.uint8))
    left = np.asarray(cv2.bitwise_and(part, cv2.bitwise_not(found)), np.uint8)
    rest = np.asarray(cv2.bitwise_and(median(left), part), np.uint8)
    fill_small_holes(rest, SLIVER * min_area)
    drop_small_objects(rest, SLIVER * min_area)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (CLOSED, CLOSED))
    whole = cv2.bitwise_and(cv2.morphologyEx(rest, cv2.MORPH_CLOSE, kernel), part)
    # An object of which nothing is left was shadow, or was too small to tell: then it stays what it was.
    shadow[box] = cv2.bitwise_and(cv2.bitwise_and(part, cv2.bitwise_not(whole)), _explained(found, part))
    return shadow


def _darkened(image: Image, background: Image) -> NDArray[np.uint8]:
    """Return where windows of the picture are those of the background, only darker: 255 there."""
    shape = (*image.shape[:2], -1)
    i, b = image.reshape(shape).astype(np.float32), background.reshape(shape).astype(np.float32)
    alpha = _mean((i * b).sum(axis=2)) / np.maximum(_mean((b * b).sum(axis=2)), 1)
    left = i - alpha[..., None] * b
    colour = np.max([np.abs(_mean(channel)) for channel in np.moveaxis(left, 2, 0)], axis=0)
    texture = np.max([_mean(channel) for channel in np.moveaxis(left * left, 2, 0)], axis=0)
    dark = (alpha >= DARKEST) & (alpha <= BRIGHTEST)
    return np.where(dark & (colour <= COLOUR) & (texture <= TEXTURE**2), 255, 0).astype(np.uint8)


def _mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(cv2.blur(values, (WINDOW, WINDOW), borderType=cv2.BORDER_REPLICATE), np.float32)


def _explained(found: NDArray[np.uint8], part: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the objects of *part* of which some is *found* to be shadow."""
    _, labels = cv2.connectedComponents(part, connectivity=8)
    touched = np.zeros(int(np.max(labels)) + 1, bool)
    touched[np.unique(np.asarray(labels)[found > 0])] = True
    touched[0] = False
    return np.where(touched[np.asarray(labels)], 255, 0).astype(np.uint8)
