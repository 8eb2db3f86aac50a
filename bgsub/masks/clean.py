"""From a noisy mask to objects: median filter, small holes filled, small areas removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

MEDIAN = 5
"""Side of the median window, pixels."""
MIN_AREA_SHARE = 1 / 10_000
"""Share of the picture, or region, that the smallest object takes where nobody has said how large it is."""


def clean(mask: NDArray[np.uint8], min_area: int) -> NDArray[np.uint8]:
    """Return *mask* with salt and pepper removed, holes below *min_area* filled, and smaller objects dropped.

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
    smooth = median(mask)
    outlines = _Outlines.of(smooth)
    if outlines.fill(smooth, min_area):
        outlines = _Outlines.of(smooth)
    outlines.drop(smooth, min_area)
    return smooth


def default_min_area(pixels: int) -> int:
    """Return the smallest object worth keeping in a picture of so many pixels: MIN_AREA_SHARE of it."""
    return round(pixels * MIN_AREA_SHARE)


def median(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the median of each window of MEDIAN × MEDIAN pixels, the border being repeated outwards; a new mask.

    Of two values the median is the majority, which the mean tells six times faster: 12 of 25 pixels give a mean of 122,
    13 give 133.
    """
    mean = cv2.blur(mask, (MEDIAN, MEDIAN), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.threshold(mean, 127, 255, cv2.THRESH_BINARY)[1], np.uint8)


def fill_small_holes(mask: NDArray[np.uint8], area: int) -> None:
    """Turn enclosed holes of fewer than *area* pixels into foreground, in place.

    An object that lies in a hole is no part of it, nor is what that object encloses.
    """
    _Outlines.of(mask).fill(mask, area)


def drop_small_objects(mask: NDArray[np.uint8], area: int) -> None:
    """Turn objects of fewer than *area* pixels into background, in place.

    What lies in the holes of an object is judged on its own.
    """
    _Outlines.of(mask).drop(mask, area)


@dataclass(frozen=True, slots=True, eq=False)
class _Outlines:
    """The outlines in a mask: many times cheaper than labelled pixels where, as in a mask, most of it is empty.

    An object's outline runs over its outermost pixels, a hole's over the pixels around it; each names every pixel on
    its way.

    Attributes
    ----------
    points
        ``(length, 1, 2)`` int32 x and y of each outline.
    parents
        ``(n,)`` the outline directly around each: of a hole's object, of an object's hole; −1 for none.
    is_hole
        ``(n,)`` bool.
    sizes
        ``(n,)`` the exact number of pixels of each object or hole, without what lies in it.
    """

    points: Sequence[cv2.typing.MatLike]
    parents: NDArray[np.int64]
    is_hole: NDArray[np.bool_]
    sizes: NDArray[np.float64]

    @classmethod
    def of(cls, mask: NDArray[np.uint8]) -> _Outlines:
        points, hierarchy = cv2.findContours(mask, cv2.RETR_TREE, cv2.CHAIN_APPROX_NONE)
        parents = np.array(hierarchy[0, :, 3] if points else [], np.int64)
        is_hole = _are_holes(parents)
        within = _within(points, is_hole)
        inner = parents >= 0
        # What lies in a hole is no part of it, nor is a hole part of its object.
        enclosed = np.bincount(parents[inner], within[inner], minlength=len(points))
        return cls(points, parents, is_hole, within - enclosed)

    def fill(self, mask: NDArray[np.uint8], area: int) -> bool:
        """Paint holes of fewer than *area* pixels; tell whether there are any, which outdates the outlines."""
        return self._paint(mask, self.is_hole & (self.sizes < area), 255)

    def drop(self, mask: NDArray[np.uint8], area: int) -> bool:
        """Unpaint objects of fewer than *area* pixels; tell whether there are any."""
        return self._paint(mask, ~self.is_hole & (self.sizes < area), 0)

    def _paint(self, mask: NDArray[np.uint8], shapes: NDArray[np.bool_], value: int) -> bool:
        """Paint these objects (0) or holes (255), and nothing else.

        Filled by the even-odd rule, so that what lies in an inner outline stays. The outlines themselves are painted
        too; they are the object's own pixels, and around a hole foreground already.
        """
        drawn = shapes | (shapes[self.parents] & (self.parents >= 0))
        if not drawn.any():
            return False
        cv2.fillPoly(mask, [self.points[int(each)] for each in np.flatnonzero(drawn)], value)
        return True


def _are_holes(parents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell around which outlines there is an odd number of others."""
    found, around = np.zeros(len(parents), np.bool_), parents
    while (deeper := around >= 0).any():
        found ^= deeper
        around = np.where(deeper, parents[around], -1)
    return found


def _within(points: Sequence[cv2.typing.MatLike], is_hole: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Count the pixels inside each outline, with those on it for an object, without them for a hole.

    Pick's theorem: of area A through B pixels, A + B/2 + 1 with, A − B/2 + 1 without.
    """
    lengths = np.fromiter(map(len, points), np.float64, len(points))
    areas = np.fromiter(map(cv2.contourArea, points), np.float64, len(points))
    return np.where(lengths == 1, 1, areas + np.where(is_hole, -lengths, lengths) / 2 + 1)
