"""When the ground is at rest: a moving thing announces itself by what changes around a place."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.scene.centre import temporal_median
from bgsub.masks.decisions import DECIDED
from bgsub.masks.significance import AROUND

LEAST_STIR = 2.0
"""Grey levels: a change of one is rounding."""


def at_rest(changes: NDArray[np.uint8], threads: int = 1) -> NDArray[np.bool_]:
    """Tell which frames show the ground at each place: those in which little moves around it.

    Parameters
    ----------
    changes
        ``(m, height, width)`` uint8, grey levels: what changes from each of m frames to the one after.
    threads
        To compute with; the result does not depend on it.

    Returns
    -------
    ``(m, height, width)`` bool; true everywhere for an odd number of frames, DECIDED.calmest or one fewer at least.

    Notes
    -----
    Movement is a change that is large against what the place, and half of the picture, ordinarily changes by; the
    disturbance of a place is the share of a window around it that moves. The ground is seen where at most *disturbed*
    of it does. Where something always moves, the ground is water or leaves, and frames count whose disturbance is
    nearest to its lower quartile: a boat calms the water that it covers. After LaBGen (Laugraud, Piérard and Van
    Droogenbroeck, Pattern Recognition Letters 96, 2017), whose stillness is absolute.
    """
    frames, height, width = changes.shape
    ordinary = temporal_median(changes.reshape(frames, -1), threads).reshape(height, width)
    least = max(DECIDED.stirs * float(np.median(ordinary)), LEAST_STIR)
    moving = changes > np.maximum(least, DECIDED.moves * cv2.blur(ordinary, (AROUND, AROUND)))
    side = max(3, int(DECIDED.window * min(height, width))) | 1
    disturbed = np.stack([cv2.blur(each.astype(np.float32), (side, side)) for each in moving])
    usual = np.quantile(disturbed, 0.25, axis=0)
    disturbed = np.where(usual > DECIDED.restless, np.abs(disturbed - usual), disturbed)
    calmest = np.partition(disturbed, min(DECIDED.calmest, frames) - 1, axis=0)[
        min(DECIDED.calmest, frames) - 1
    ]
    return _odd(np.asarray(disturbed <= np.maximum(DECIDED.disturbed, calmest)))


def _odd(shown: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Leave out the first frame of every place that an even number of frames shows.

    Of two things that are seen equally often the median is then one of them, and at all pixels the same one.
    """
    even = shown.sum(axis=0) % 2 == 0
    rows, columns = np.nonzero(even)
    shown[shown.argmax(axis=0)[even], rows, columns] = False
    return shown
