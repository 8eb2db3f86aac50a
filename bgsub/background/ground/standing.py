"""Where something stands: which of two values that a place shows is the ground.

No single pixel can tell: an object that has come to stand and one that has been taken away look the same. Their outline
can: what stands has an edge against its surroundings where the ground runs on.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.ground.places import Box, find_places
from bgsub.background.ground.views import MOSTLY, Views
from bgsub.background.light.relight import light_between

CLEARER = 0.6
"""An outline is clearly weaker when its contrast is at most this share of the other's."""
TOGETHER = 0.85
"""Share of a place that shows its other value at once: what comes or goes does so as a whole. What passes over a spot
of the ground, and looks like what surrounds the spot, shows at one side of it when it has left the other."""
VISIBLE = 8.0
"""Grey levels of contrast that an outline has at least, for anything to stand there."""


def standing(
    views: Views, current: NDArray[np.float32], allowed: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.bool_], int]:
    """Return a picture without what stands, where it is another one than *current*, and the number of places.

    A place is a connected set of *allowed* pixels whose other value is seen often and is far from the current one
    (:meth:`.Views.often_far`). The densest values are tried first (the median may be none of the two),
    then the second ones.
    """
    current, changed, places = current.copy(), np.zeros(allowed.shape, bool), 0
    for which in range(2):
        other, far = views.other(which, current)[0], views.often_far(current, which)
        for box, place in find_places(far & allowed):
            if (
                _stands(current[box], other[box], place)
                and _comes_and_goes(views, current, other, box, place)
                and not _is_light(current[box][place], other[box][place])
            ):
                current[box][place] = other[box][place]
                changed[box] |= place
                places += 1
    return current, changed, places


def _stands(current: NDArray[np.float32], other: NDArray[np.float32], place: NDArray[np.bool_]) -> bool:
    """Tell whether the outline of *place* is an edge now, and would clearly be a weaker one with *other* in it."""
    around = cv2.morphologyEx(place.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    kernel = np.ones((3, 3), np.uint8)
    inside = (around - cv2.erode(around, kernel, borderValue=1)).astype(bool) & place
    outer = cv2.dilate(around, np.ones((7, 7), np.uint8)) - cv2.dilate(around, np.ones((5, 5), np.uint8))
    if not inside.any() or not outer.any():
        return False
    beyond = _spread_inwards(current, outer)
    before = _contrast(current, beyond, inside)
    after = _contrast(other, beyond, inside)
    return before >= VISIBLE and after <= CLEARER * before


def _comes_and_goes(
    views: Views, current: NDArray[np.float32], other: NDArray[np.float32], box: Box, place: NDArray[np.bool_]
) -> bool:
    """Tell whether *other* is seen in the whole of a place at a time, unless things stand there one after the other.

    Noise hides as much of both values: the share of the current one is that of the two.
    """
    now, then = views.shown(current, box, place), views.shown(other, box, place)
    return float(now.sum()) <= MOSTLY * float((now + then).sum()) or _together(then)


def _is_light(current: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Tell whether a place looks as it does with *other* in another light: a lamp or shade keeps the ground."""
    now, then = (np.rint(each)[None].astype(np.uint8) for each in (current, other))
    return light_between(now, then) is not None


def _together(shown: NDArray[np.float64]) -> bool:
    """Tell whether a value is seen in the whole of a place at a time, from the share of it that shows it in each frame.

    The mean share, weighted by itself, Σa²/Σa, compared with the largest one: noise, and what passes before it, hide
    some of it in all frames.
    """
    return float(shown @ shown) >= TOGETHER * float(shown.sum()) * float(shown.max())


def _spread_inwards(picture: NDArray[np.float32], known: NDArray[Any]) -> NDArray[np.float32]:
    """Return for each pixel the average of the *known* ones nearby: what lies just beyond the outline."""
    weight = cv2.blur(known.astype(np.float32), (11, 11))
    blurred = cv2.blur(picture * known[..., None].astype(np.float32), (11, 11)).reshape(picture.shape)
    return np.asarray(blurred / np.maximum(weight, 1e-6)[..., None], np.float32)


def _contrast(picture: NDArray[np.float32], beyond: NDArray[np.float32], inside: NDArray[np.bool_]) -> float:
    return float(np.median(np.abs(picture[inside] - beyond[inside]).max(axis=1)))
