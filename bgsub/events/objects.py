"""The connected objects of one mask."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

BRIDGED = 0.01
"""Share of the picture's diagonal: gaps that narrow do not part an object (a belt like the wall behind it)."""


Box = tuple[int, int, int, int]
"""``(x, y, width, height)``, pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Object:
    """One connected object of a mask.

    Attributes
    ----------
    box
        ``(x, y, width, height)``, pixels.
    area
        Its pixels in the mask.
    centre
        ``(x, y)`` of its centroid, pixels; the centre of the first pixel is (0, 0).
    contrast
        Mean difference from the background, grey levels.
    colour
        Mean red, green and blue, or three times the same, grey levels.
    pixels
        ``(height, width)`` uint8 of the box, 255 where the object is.
    """

    box: Box
    area: int
    centre: tuple[float, float]
    contrast: float
    colour: tuple[float, float, float]
    pixels: NDArray[np.uint8]

    def joined(self, other: Object) -> Object:
        """Return both as one object."""
        x, y, width, height = union(self.box, other.box)
        pixels = np.zeros((height, width), np.uint8)
        for each in (self, other):
            left, top, across, down = each.box
            part = pixels[top - y : top - y + down, left - x : left - x + across]
            cv2.bitwise_or(part, each.pixels, dst=part)
        share = self.area / (self.area + other.area)
        mine, its = (np.array([*each.centre, each.contrast, *each.colour]) for each in (self, other))
        across, down, contrast, *colour = (share * mine + (1 - share) * its).tolist()
        box, area = (x, y, width, height), self.area + other.area
        return Object(box, area, (across, down), contrast, (colour[0], colour[1], colour[2]), pixels)


def find_objects(mask: NDArray[np.uint8], score: NDArray[np.uint8], image: Image) -> list[Object]:
    """Return the objects of a mask, from top to bottom.

    Parameters
    ----------
    mask
        ``(height, width)`` uint8, 0 or 255.
    score
        Of the same shape: the difference from the background, grey levels.
    image
        ``(height, width, 3)`` RGB or ``(height, width)`` gray, uint8.

    Returns
    -------
    Parts that touch, if only at a corner, or that BRIDGED of the diagonal parts, are one object, with what it encloses.
    """
    left, top, width, height = cv2.boundingRect(mask)
    if not width:
        return []
    side = 2 * math.ceil(BRIDGED * math.hypot(*mask.shape) / 2) + 1
    mask, score, image = (each[top : top + height, left : left + width] for each in (mask, score, image))
    # Beyond its edge, OpenCV takes a picture to be as it must be for the edge to stay.
    room = cv2.copyMakeBorder(mask, side, side, side, side, cv2.BORDER_CONSTANT, value=0)
    bridged = cv2.morphologyEx(room, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    # A tenth of the time of labels: most of a mask is empty.
    outlines = cv2.findContours(bridged, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(-side, -side))[0]
    found = [_object(np.asarray(outline), (mask, score, image), (left, top)) for outline in outlines]
    return sorted(found, key=lambda each: each.box[1])


def union(a: Box, b: Box) -> Box:
    """Return the smallest box around two boxes."""
    x, y = min(a[0], b[0]), min(a[1], b[1])
    return x, y, max(a[0] + a[2], b[0] + b[2]) - x, max(a[1] + a[3], b[1] + b[3]) - y


def part(whole: Object, box: Box) -> Object | None:
    """Return what of an object lies in a box; None for nothing."""
    x, y = max(box[0], whole.box[0]), max(box[1], whole.box[1])
    right = min(box[0] + box[2], whole.box[0] + whole.box[2])
    bottom = min(box[1] + box[3], whole.box[1] + whole.box[3])
    left, top = whole.box[:2]
    pixels = whole.pixels[y - top : max(bottom, y) - top, x - left : max(right, x) - left]
    if not cv2.countNonZero(pixels) if pixels.size else True:
        return None
    # The box of what is there, not of what was looked for.
    across, down, width, height = cv2.boundingRect(pixels)
    pixels = pixels[down : down + height, across : across + width]
    return _described(np.ascontiguousarray(pixels), (x + across, y + down), whole.contrast, whole.colour)


def _object(
    outline: NDArray[np.int32],
    pictures: tuple[NDArray[np.uint8], NDArray[np.uint8], Image],
    origin: tuple[int, int],
) -> Object:
    mask, score, image = pictures
    x, y, width, height = cv2.boundingRect(outline)
    there = slice(y, y + height), slice(x, x + width)
    inside = np.zeros((height, width), np.uint8)
    cv2.drawContours(inside, [outline], -1, 255, cv2.FILLED, offset=(-x, -y))
    # What bridges a gap is no part of the object.
    pixels = np.asarray(cv2.bitwise_and(inside, mask[there]), np.uint8)
    contrast, (red, green, blue, _) = cv2.mean(score[there], pixels)[0], cv2.mean(image[there], pixels)
    colour = (red, green, blue) if image.ndim == 3 else (red, red, red)
    return _described(pixels, (x + origin[0], y + origin[1]), contrast, colour)


def _described(
    pixels: NDArray[np.uint8], origin: tuple[int, int], contrast: float, colour: tuple[float, float, float]
) -> Object:
    (x, y), (height, width) = origin, pixels.shape
    moments = cv2.moments(pixels, binaryImage=True)
    area = moments["m00"]
    centre = x + moments["m10"] / area, y + moments["m01"] / area
    return Object((x, y, width, height), round(area), centre, contrast, colour, pixels)
