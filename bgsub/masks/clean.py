"""From a noisy mask to objects: median filter, small holes filled, specks removed."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

MEDIAN = 5
"""Side of the median window, pixels."""


def clean(mask: NDArray[np.uint8], min_area: int) -> NDArray[np.uint8]:
    """Return *mask* with salt and pepper removed, holes below *min_area* filled, objects below *min_area* dropped.

    Parameters
    ----------
    mask
        ``(height, width)`` uint8, 0 or 255.
    min_area
        Pixels; 0 leaves every object and every hole that the median leaves.

    Returns
    -------
    A new ``(height, width)`` uint8 mask, 0 or 255. Objects are 8-connected, holes 4-connected and enclosed.
    """
    smooth = np.asarray(cv2.medianBlur(mask, MEDIAN), np.uint8)
    if min_area > 1:
        fill_small_holes(smooth, min_area)
        drop_small_objects(smooth, min_area)
    return smooth


def automatic_area(pixels: int) -> int:
    """Return the smallest area of an object worth keeping in a picture of so many pixels: 1/10,000 of it."""
    return round(pixels / 10_000)


def fill_small_holes(mask: NDArray[np.uint8], area: int) -> None:
    """Turn enclosed holes of fewer than *area* pixels into foreground, in place."""
    contours, hierarchy = _contours(mask)
    for index, contour in enumerate(contours):
        is_hole = hierarchy[index][3] >= 0
        # A hole's contour runs over the pixels around it, so its area is never below the hole's.
        if is_hole and cv2.contourArea(contour) < area + len(contour):
            inside, crop = _filled(mask, contours, index, None)
            hole = inside & (crop == 0)
            if np.count_nonzero(hole) < area:
                crop[hole] = 255


def drop_small_objects(mask: NDArray[np.uint8], area: int) -> None:
    """Turn objects of fewer than *area* pixels into background, in place.

    Contours are many times cheaper than labelled components where, as in a mask, most of the picture is empty.
    """
    contours, hierarchy = _contours(mask)
    for index, contour in enumerate(contours):
        is_outer, has_holes = hierarchy[index][3] < 0, hierarchy[index][2] >= 0
        # By Pick's theorem an object without holes has at least as many pixels as its contour has area.
        if is_outer and (has_holes or cv2.contourArea(contour) < area):
            inside, crop = _filled(mask, contours, index, hierarchy)
            if np.count_nonzero(inside) < area:
                crop[inside] = 0


def _contours(mask: NDArray[np.uint8]) -> tuple[Sequence[cv2.typing.MatLike], NDArray[np.int32]]:
    """Return contours and, for each, (next, previous, first hole, parent); a hole has a parent."""
    contours, hierarchy = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return [], np.zeros((0, 4), np.int32)
    return contours, np.asarray(hierarchy, np.int32).reshape(-1, 4)


def _filled(
    mask: NDArray[np.uint8],
    contours: Sequence[cv2.typing.MatLike],
    index: int,
    hierarchy: NDArray[np.int32] | None,
) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    """Return what a contour encloses (without its holes when *hierarchy* is given) and the view of *mask* there."""
    x, y, width, height = cv2.boundingRect(contours[index])
    drawn = np.zeros((height, width), np.uint8)
    if hierarchy is None:
        cv2.drawContours(drawn, [contours[index]], 0, 255, cv2.FILLED, offset=(-x, -y))
    else:
        cv2.drawContours(
            drawn, contours, index, 255, cv2.FILLED, hierarchy=hierarchy[None], maxLevel=1, offset=(-x, -y)
        )
    crop = mask[y : y + height, x : x + width]
    return (drawn > 0) & ((crop > 0) | (hierarchy is None)), crop
