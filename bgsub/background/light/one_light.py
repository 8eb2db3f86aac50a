"""Frames in one light, so that what stands somewhere can be told from a change of the light."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.light.relight import WIDTH, in_light, light_between

CLOSER = 1.5
"""Times as many pixels agree with the picture in its light as before. A few people more or less look like light, too,
but the ground between them agreed before."""
ENOUGH = 2_000
"""Pixels that tell the light of a frame."""


def in_one_light(
    frames: NDArray[np.uint8], picture: NDArray[np.float32], every: int = 1
) -> NDArray[np.uint8]:
    """Return *frames* in the light of *picture*: where theirs is clearly another, in place.

    Parameters
    ----------
    frames
        ``(n, height, width, channels)`` uint8; changed.
    picture
        ``(height, width, channels)`` float32, grey levels: what they show most of the time.
    every
        Only every so many rows and columns are looked at for the light.

    Notes
    -----
    A gain and an offset for each channel (:func:`.light_between`). A frame that they do not
    explain, because it shows another thing or half of it is in the shade, stays as it is. Cost: some ENOUGH pixels a
    frame, and a table lookup where the light is another.
    """
    small = np.rint(picture[::every, ::every]).astype(np.uint8)
    step = max(1, small.shape[0] * small.shape[1] // ENOUGH)
    for frame in frames:
        seen = np.ascontiguousarray(frame[::every, ::every])
        light = light_between(small, seen, step)
        if light is not None and _agreeing(in_light(seen, light), small) >= CLOSER * _agreeing(seen, small):
            frame[...] = in_light(frame, light)
    return frames


def _agreeing(frame: NDArray[np.uint8], picture: NDArray[np.uint8]) -> int:
    """Return the number of values that are those of the picture, but for noise."""
    return int(np.count_nonzero(cv2.absdiff(frame, picture) <= WIDTH))
