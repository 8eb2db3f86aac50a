"""Where a crowd covers the ground for most of the time: the median is a mixture that nobody has ever seen there.

The ground is then what is seen most of all, however seldom that is: people differ from each other, the ground does not
from itself. Single pixels of leaves and of a shaking camera are like that too; a whole place is not.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.ground.views import APART, SELDOM, Views

DENSER = 2.0
"""Times as many frames show the densest value as show the median."""
TWO_THINGS = 0.77
"""Share of the frames that the two densest values have where there are no others; of a crowd it is 0.3 to 0.72."""
WINDOW = 9
"""Pixels of a picture of 200 by 200: the side of a place."""
WHOLE = 0.8
"""Share of the pixels of a place in a crowd that are like that. Of leaves it is 0.7 at most, of shaking 0.5."""
PART = 0.4
"""The same around such a place."""


FRINGE = 12
"""Pixels around such a place where heads and feet come and go."""


def crowded(views: Views, median: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return the places that a crowd covers, ``(height, width)`` bool, of pictures of some 200 × 200 pixels."""
    mixed = np.zeros(views.where.shape, np.float32)
    mixed[views.where] = _is_mixture(views, median)
    around = cv2.blur(mixed, (WINDOW, WINDOW))
    count, labels = cv2.connectedComponents((around > PART).astype(np.uint8), connectivity=8)
    kept = np.zeros(count, bool)
    kept[np.unique(np.asarray(labels)[around > WHOLE])] = True
    kept[0] = False
    places: NDArray[np.uint8] = kept[np.asarray(labels)].astype(np.uint8)
    wide = cv2.dilate(places, np.ones((2 * FRINGE + 1, 2 * FRINGE + 1), np.uint8))
    return np.asarray(wide) > 0


def ground_of_crowd(
    views: Views, median: NDArray[np.float32], places: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return the pixels within *places* whose ground is the densest value rather than the median."""
    denser = np.zeros(views.where.shape, bool)
    denser[views.where] = (views.shares[0] > views.median_share) & (views.shares[0] >= SELDOM)
    return denser & places


def _is_mixture(views: Views, median: NDArray[np.float32]) -> NDArray[np.bool_]:
    far = np.abs(views.modes[0] - median[views.where]).max(axis=1, initial=0) > APART
    # In sun and shade, too, the median may be in between; but these two are all there is.
    many = views.shares[:2].sum(axis=0) < TWO_THINGS
    denser = (views.shares[0] >= SELDOM) & (views.shares[0] > DENSER * views.median_share)
    return np.asarray(far & denser & many)
