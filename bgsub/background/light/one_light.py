"""Frames in one light, so that what stands somewhere can be told from a change of the light."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.light.relight import WIDTH, in_light, light_between
from bgsub.frames.source import Image

CLOSER = 1.5
"""Times as many pixels agree with the picture in its light as before. A few people more or less look like light, too,
but the ground between them agreed before. Without it gray footage loses up to .02 of F."""
ENOUGH = 2_000
"""Pixels that tell the light of a frame."""


def light_onto(frame: Image, picture: Image) -> NDArray[np.float32] | None:
    """Return the light that brings *frame* onto *picture*, what it shows most of the time; None where it is in it.

    Parameters
    ----------
    frame, picture
        ``(height, width)`` or ``(height, width, 3)`` uint8, grey levels.

    Returns
    -------
    ``(2, channels)`` gains and offsets (:func:`.light_between`), if they make CLOSER times as many pixels agree. A
    frame that they do not explain, because it shows another thing or half of it is in the shade, has None. Cost: some
    ENOUGH pixels, and a table lookup.
    """
    step = max(1, picture.shape[0] * picture.shape[1] // ENOUGH)
    light = light_between(picture, frame, step)
    if light is None or _agreeing(in_light(frame, light), picture) < CLOSER * _agreeing(frame, picture):
        return None
    return light


def _agreeing(frame: NDArray[np.uint8], picture: NDArray[np.uint8]) -> int:
    """Return the number of values that are those of the picture, but for noise."""
    return int(np.count_nonzero(cv2.absdiff(frame, picture) <= WIDTH))
