"""Places where the background shows an object that some frames do not: told by its outline."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.scene.judged import Judge
from bgsub.frames.source import Image
from bgsub.masks.decisions import DECIDED

LARGEST = 0.5
"""Share of the picture from which on the rest is no surround that a place could be held against."""
_SQUARE = np.ones((3, 3), np.uint8)


def ghosts(
    pictures: Sequence[Image],
    background: Image,
    shown: NDArray[np.uint8],
    inside: NDArray[np.bool_] | None = None,
    threads: int = 1,
) -> NDArray[np.bool_]:
    """Tell where frames show the ground and the background an object.

    Parameters
    ----------
    pictures
        m frames, ``(height, width)`` or ``(height, width, 3)`` uint8.
    background
        Of the same shape.
    shown, inside, threads
        As for :class:`.Judge`.

    Returns
    -------
    ``(m, height, width)`` bool: per frame the places that it shows without their object; nothing but for places that
    DECIDED.seen frames show so.

    Notes
    -----
    What differs from the background in one place is either an object in the frame or a ghost of one that the
    background holds. The outline of the place is the object's: an edge in the picture that shows it, and none in the
    one that shows the ground. Decided for a place as a whole.
    """
    judge = Judge(lambda j: (pictures[j], background), shown, background.shape[:2], inside, threads)
    level, contrast = judge.level(), _contrast(background)
    # The border of a region is an edge in every frame, and no object's.
    within = np.ones(background.shape[:2], np.uint8) if inside is None else inside.astype(np.uint8)
    within = np.asarray(cv2.erode(within, _SQUARE, iterations=2, borderValue=1), np.uint8)
    contrast *= within
    found = np.stack(
        [
            _without_object(judge.beyond(j, level), _contrast(picture) * within, contrast)
            for j, picture in enumerate(pictures)
        ]
    )
    found &= found.sum(axis=0) >= DECIDED.seen
    if inside is not None:
        found &= inside
    return found


def _without_object(
    mask: NDArray[np.uint8], frame: NDArray[np.float32], background: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """Return the connected places of a *mask* along whose outline the frame has less contrast than the background."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    outline = np.where(mask > cv2.erode(mask, _SQUARE), labels, 0).astype(np.float32)
    along = cv2.dilate(outline, _SQUARE).astype(np.int64).reshape(-1)
    in_frame, in_background = (
        np.bincount(along, each.reshape(-1), minlength=count) for each in (frame, background)
    )
    areas = stats[:, cv2.CC_STAT_AREA] / mask.size
    ghost = (in_frame < DECIDED.outline * in_background) & (areas <= LARGEST)
    ghost[0] = False
    return np.asarray(ghost[labels])


def _contrast(picture: Image) -> NDArray[np.float32]:
    """Return the length of the gradient, the largest of the channels."""
    values = picture.astype(np.float32)
    slope = cv2.magnitude(
        *(cv2.Sobel(values, cv2.CV_32F, *way, scale=0.125).reshape(-1) for way in ((1, 0), (0, 1)))
    )
    lengths = np.asarray(slope, np.float32).reshape(values.shape)
    return lengths if lengths.ndim == 2 else np.asarray(lengths.max(axis=2), np.float32)
