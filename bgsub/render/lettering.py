"""Lines and letters that stand out on any ground."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.source import Image
from bgsub.render.layer import Colour

HALO: Colour = (0, 0, 0)
LETTERS = 0.4
"""Scale of OpenCV's Hershey letters on pictures of 240 rows, growing with the square root of the height."""


def line_width(mask: NDArray[np.uint8]) -> int:
    """Return the width of lines in pixels: one per 480 pixels of the shorter side, at least one."""
    return max(1, int(min(mask.shape) / 480 + 0.5))


def write(drawn: Image, text: str, place: tuple[int, int], colour: Colour) -> None:
    """Write a text above *place*, its lower left corner, within the picture; in place."""
    scale = LETTERS * (drawn.shape[0] / 240) ** 0.5
    line = line_width(drawn[..., 0])
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, line)
    x = min(max(place[0], 0), max(drawn.shape[1] - width, 0))
    y = min(max(place[1] - 3 * line - below // 2, height + line), drawn.shape[0] - 1)
    for thick, shade in ((3 * line, HALO), (line, colour)):
        cv2.putText(drawn, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, shade, thick, cv2.LINE_AA)
