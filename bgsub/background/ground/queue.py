"""Where one thing after the other stands, as in front of a counter: no single value of a place is the ground."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.ground.places import find_places
from bgsub.background.ground.views import MOSTLY, SELDOM, Views

VISIBLE = 12.0
"""Grey levels that a place deviates from what its surroundings continue to, for anything to stand there."""
CLOSER = 0.5
"""What another value deviates, in shares of that, to be the ground instead."""


def filled(
    views: Views, current: NDArray[np.float32], allowed: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.bool_], int]:
    """Return a picture without what stands where several have stood, one after the other, as :func:`standing` does.

    No single one of the values is the ground everywhere then. Of those that a pixel shows, the one is taken that comes
    nearest to what the surroundings continue to (inpainting by Telea 2004, doi:10.1080/10867651.2004.10487596); kept
    where that fits CLOSER than what is there now. In gray nothing is looked for: leaves show many values that fit.
    """
    current, changed, places = current.copy(), np.zeros(allowed.shape, bool), 0
    if current.shape[2] == 1:
        return current, changed, places
    others = [views.other(which, current) for which in range(len(views.shares))]
    seen = [(picture, share >= SELDOM) for picture, share in others]
    far = [views.often_far(current, which) for which in range(len(views.shares))]
    for box, place in find_places(np.any(far, axis=0) & allowed):
        if float(views.shown(current, box, place).mean()) > MOSTLY:
            continue
        wide = cv2.dilate(place.astype(np.uint8), np.ones((5, 5), np.uint8))
        now = current[box]
        expected = cv2.inpaint(np.rint(now).astype(np.uint8).squeeze(), wide, 5, cv2.INPAINT_TELEA)
        ideal = np.asarray(expected, np.float32).reshape(now.shape)
        best, distance = now.copy(), np.abs(now - ideal).max(axis=2)
        before = float(distance[place].mean())
        for picture, often in seen:
            off = np.where(often[box], np.abs(picture[box] - ideal).max(axis=2), np.inf)
            nearer = (off < distance) & (wide > 0)
            best[nearer], distance[nearer] = picture[box][nearer], off[nearer]
        if before >= VISIBLE and float(distance[place].mean()) <= CLOSER * before:
            replaced = np.abs(best - now).max(axis=2) > 0
            current[box], changed[box] = best, changed[box] | replaced
            places += 1
    return current, changed, places
