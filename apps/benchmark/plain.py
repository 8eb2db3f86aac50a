"""What anybody has at hand instead of bgsub: the temporal median, and OpenCV's subtractors as they come."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmark.sequences import Clip
from bgsub.comparison.subtractors import CERTAIN, OPENCV, THRESHOLD
from bgsub.frames.difference import channel_difference

SPREAD = 60
"""Frames that the median is taken of."""
WINDOW = 5
"""Side of the median filter that cleans a mask, pixels."""

Masks = dict[int, NDArray[np.uint8]]
"""By index of the frame: 0 or 255, of those that are scored."""


def median_masks(clip: Clip) -> Masks:
    """Return where a channel is further than THRESHOLD from the median of SPREAD frames."""
    count = len(clip.frames)
    sampled = np.linspace(0, count - 1, min(SPREAD, count)).round().astype(int)
    background = np.median(clip.frames[sampled], axis=0).astype(np.uint8)
    return {
        place: _cleaned(channel_difference(clip.frames[place], background) > THRESHOLD)
        for place in clip.truth
    }


def opencv_masks(clip: Clip, maker: str) -> Masks:
    """Return what a subtractor with default parameters finds that has seen all frames before; shadows are none."""
    subtractor, found = getattr(cv2, maker)(), {}
    for place in range(max(clip.truth) + 1):
        # Of colour OpenCV takes blue first.
        frame = clip.frames[place]
        mask = subtractor.apply(np.ascontiguousarray(frame[..., ::-1]) if frame.ndim == 3 else frame)
        if place in clip.truth:
            found[place] = _cleaned(mask > CERTAIN)
    return found


PLAIN: dict[str, Callable[[Clip], Masks]] = {
    "median": median_masks,
    "mog2": lambda clip: opencv_masks(clip, OPENCV["mog2"]),
    "knn": lambda clip: opencv_masks(clip, OPENCV["knn"]),
}
"""By the keys of :data:`benchmark.names.SYSTEMS`."""


def _cleaned(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    return np.asarray(cv2.medianBlur(np.where(mask, 255, 0).astype(np.uint8), WINDOW), np.uint8)
