"""The frame with the lowest F of a sequence, as a picture: what was seen, what was found, what was wrong."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmark.sequences import Clip
from bgsub.evaluation.counts import BACKGROUND, FOREGROUND, SHADOW, count

HIT, FALSE, MISSED, UNKNOWN = (255, 255, 255), (255, 150, 30), (40, 120, 255), (128, 128, 128)
"""RGB."""


def draw_worst(clip: Clip, masks: NDArray[np.uint8], backgrounds: NDArray[np.uint8], file: Path) -> None:
    """Write input, background and compared mask of the worst frame beside each other; none without foreground."""
    with_objects = [place for place, labels in clip.truth.items() if (labels == FOREGROUND).any()]
    if not with_objects:
        return
    worst = min(with_objects, key=lambda place: count(masks[place], clip.truth[place]).f_measure)
    shown = compared(masks[worst], clip.truth[worst])
    panels = [_coloured(clip.frames[worst]), _coloured(backgrounds[worst]), shown]
    cv2.imwrite(str(file), cv2.cvtColor(np.hstack(panels), cv2.COLOR_RGB2BGR))


def compared(mask: NDArray[np.uint8], labels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return ``(height, width, 3)``: hits, false foreground and missed in colours, what is not scored gray."""
    picture = np.zeros((*mask.shape, 3), np.uint8)
    found, there = mask > 0, labels == FOREGROUND
    picture[found & there] = HIT
    picture[found & ~there] = FALSE
    picture[~found & there] = MISSED
    picture[~np.isin(labels, (FOREGROUND, SHADOW, BACKGROUND))] = UNKNOWN
    return picture


def _coloured(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2RGB), np.uint8) if picture.ndim == 2 else picture
