"""Cast shadows: foreground that is the background, only darker."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.source import Image
from bgsub.masks.clean import drop_small_objects, fill_small_holes, median

WINDOW = 5
"""Pixels: side of the windows that are compared."""
DARKEST, BRIGHTEST = 0.4, 0.95
"""Share of the light that a shadow leaves. What leaves less on smooth ground looks like any dark thing."""
COLOUR = 9.0
"""Grey levels by which the mean colour of a window may differ from the darkened background's."""
TEXTURE = 16.0
"""The same for single pixels of it, root mean square."""
CERTAIN_DARKEST = 0.45
CERTAIN_TEXTURE = 12.0
"""The same two where a window is shadow for certain."""
RELIEF, AGREEMENT = 3.0, 0.4
"""Ground of more contrast than this (grey levels) is recognised in its shadow: least correlation with it."""
GRAY_RELIEF, GRAY_AGREEMENT = 4.0, 0.6
"""The same without colour. There smooth ground tells nothing, and what is dark on it stays."""
NOISE = 3.0
"""Grey levels of contrast that noise adds; beyond it a shadow has no more contrast than the ground."""
SHARE = 0.5
"""Share of a darkened place that is shadow for certain. A dark thing has single such windows, a shadow most."""
CLOSED = 7
"""Pixels across which two parts of an object are one: what is dark between them is no shadow."""
MOST = 24
"""Objects of a frame that are looked at."""
SLIVER = 4
"""Least areas of an object: what a dropped shadow leaves behind is smaller."""


def cast_shadow(image: Image, background: Image, mask: NDArray[np.uint8], min_area: int) -> NDArray[np.uint8]:
    """Return the part of *mask* that is cast shadow.

    A window of a shadow is the background's times one factor α, the same for all channels: α = ⟨I, B⟩/⟨B, B⟩ over the
    window. What is left, I − αB, is small in the mean (COLOUR: brightness and colour distortion as of Horprasert,
    Harwood and Davis 1999, in grey levels, so that dark pixels do not count by angles of noise) and at each pixel
    (TEXTURE). It is shadow for certain where the ground's texture is recognised, too, and no contrast has been added.
    A connected place of such windows is shadow when SHARE of it is certain: it is regions that tell shadows from dark
    clothes (Prati, Mikić, Trivedi and Cucchiara 2003, doi:10.1109/TPAMI.2003.1206520). What is left of an object is
    joined again.

    Parameters
    ----------
    image, background
        ``(height, width, 3)`` or ``(height, width)`` uint8, of one shape. Without colour the texture alone decides.
    mask
        ``(height, width)`` uint8, 0 or 255, cleaned.
    min_area
        Pixels of the smallest object.

    Returns
    -------
    ``(height, width)`` uint8, 255 where there is shadow, 0 elsewhere. Cost: the boxes around the objects.
    """
    shadow = np.zeros_like(mask)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    # The largest ones, so that a frame that light has broken into hundreds costs no more than another.
    for outline in sorted(outlines, key=cv2.contourArea, reverse=True)[:MOST]:
        x, y, width, height = cv2.boundingRect(outline)
        box = np.s_[y : y + height, x : x + width]
        part = np.zeros((height, width), np.uint8)
        cv2.fillPoly(part, [outline], 255, offset=(-x, -y))
        part = np.asarray(cv2.bitwise_and(part, mask[box]), np.uint8)
        found = _found(*_planes(image[box], background[box]), part)
        if cv2.countNonZero(found):
            shadow[box] |= _without_object(found, part, min_area)
    return shadow


def _without_object(found: NDArray[np.uint8], part: NDArray[np.uint8], min_area: int) -> NDArray[np.uint8]:
    """Return what is shadow of the object *part*, some of which is *found* to be: all that leaves no object."""
    left = np.asarray(cv2.bitwise_and(part, cv2.bitwise_not(found)), np.uint8)
    rest = np.asarray(cv2.bitwise_and(median(left), part), np.uint8)
    fill_small_holes(rest, SLIVER * min_area)
    drop_small_objects(rest, SLIVER * min_area)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (CLOSED, CLOSED))
    whole = cv2.bitwise_and(cv2.morphologyEx(rest, cv2.MORPH_CLOSE, kernel), part)
    return np.asarray(cv2.bitwise_and(part, cv2.bitwise_not(whole)), np.uint8)


def _planes(image: Image, background: Image) -> tuple[Image, Image]:
    """Return both pictures, as one plane each where all channels are the same: gray footage in colour's format."""
    if image.ndim == 2:
        return image, background
    if all(np.array_equal(each[..., 0], each[..., n]) for each in (image, background) for n in (1, 2)):
        return image[..., 0], background[..., 0]
    return image, background


def _found(image: Image, background: Image, part: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the darkened places of an object of which enough is shadow for certain, 255 there."""
    windows = _compare(np.ascontiguousarray(image), np.ascontiguousarray(background))
    darkened = windows.darkened() & (part > 0)
    # Most objects end here: the texture is asked only where something is left.
    if not np.count_nonzero(darkened):
        return np.zeros_like(part)
    certain = np.where(darkened & windows.certain(), np.uint8(255), np.uint8(0))
    if not cv2.countNonZero(certain):
        return certain
    loose = np.where(darkened, np.uint8(255), np.uint8(0))
    return _mostly(certain, np.asarray(cv2.bitwise_and(median(loose), part), np.uint8))


def _mostly(certain: NDArray[np.uint8], places: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the connected *places* of which SHARE is certain."""
    count, found = cv2.connectedComponents(places, connectivity=4)
    labels = np.asarray(found, np.int32)
    size, sure = (
        np.bincount(labels[np.asarray(where) > 0], minlength=count)
        for where in (places, cv2.bitwise_and(places, certain))
    )
    is_shade = sure >= SHARE * size
    is_shade[0] = False
    return np.where(is_shade[labels], 255, 0).astype(np.uint8)


class _Windows(NamedTuple):
    """What the windows around all pixels have in common.

    Attributes
    ----------
    image, background
        The pictures, uint8.
    alpha
        ``(height, width)`` float32: the factor between them.
    colour, texture
        The same of what it leaves: largest mean of a channel, grey levels, and largest mean square.
    """

    image: Image
    background: Image
    alpha: NDArray[np.float32]
    colour: NDArray[np.float32]
    texture: NDArray[np.float32]

    def darkened(self) -> NDArray[np.bool_]:
        """Tell where a window may be the background's, only darker."""
        inside = (self.alpha >= DARKEST) & (self.alpha <= BRIGHTEST)
        return np.asarray(inside & (self.colour <= COLOUR) & (self.texture <= TEXTURE**2))

    def certain(self) -> NDArray[np.bool_]:
        """Tell where it is, if it is darkened: by variances of gray, and their covariance."""
        pictures, flat_is_alike = (self.image, self.background), self.image.ndim == 3
        if flat_is_alike:
            pictures = _gray(self.image), _gray(self.background)
        i, b, ii, ib, bb = _moments(*pictures)
        relief, seen, common = bb - b * b, ii - i * i, ib - i * b
        least, agreement = (RELIEF, AGREEMENT) if flat_is_alike else (GRAY_RELIEF, GRAY_AGREEMENT)
        flat = relief < least**2
        agrees = (common > 0) & (common * common >= agreement**2 * relief * seen)
        alike = (agrees | flat) if flat_is_alike else (agrees & ~flat)
        calm = seen <= relief + NOISE**2
        return np.asarray(
            alike & calm & (self.alpha >= CERTAIN_DARKEST) & (self.texture <= CERTAIN_TEXTURE**2)
        )


def _compare(image: Image, background: Image) -> _Windows:
    """Compare windows. All sums are box filters of the pictures and of their products."""
    i, b, ii, ib, bb = _moments(image, background)
    alpha = np.asarray(_total(ib) / np.maximum(_total(bb), 1), np.float32)
    factor = alpha if image.ndim == 2 else alpha[..., None]
    colour, texture = np.abs(i - factor * b), ii - factor * (2 * ib - factor * bb)
    return _Windows(image, background, alpha, _largest(colour), _largest(texture))


def _gray(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), np.uint8)


def _moments(image: Image, background: Image) -> tuple[NDArray[np.float32], ...]:
    """Return the means of I, B, I², IB and B² over the windows."""
    size, edge = (WINDOW, WINDOW), cv2.BORDER_REPLICATE
    product = cv2.multiply(image, background, dtype=cv2.CV_16U)
    i, b, ib = (cv2.boxFilter(v, cv2.CV_32F, size, borderType=edge) for v in (image, background, product))
    ii, bb = (cv2.sqrBoxFilter(v, cv2.CV_32F, size, borderType=edge) for v in (image, background))
    return tuple(np.asarray(each, np.float32) for each in (i, b, ii, ib, bb))


def _total(planes: NDArray[np.float32]) -> NDArray[np.float32]:
    return planes if planes.ndim == 2 else planes[..., 0] + planes[..., 1] + planes[..., 2]


def _largest(planes: NDArray[np.floating]) -> NDArray[np.float32]:
    if planes.ndim == 3:
        planes = np.maximum(np.maximum(planes[..., 0], planes[..., 1]), planes[..., 2])
    return np.asarray(planes, np.float32)
