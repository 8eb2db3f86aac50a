"""A picture with its coordinates, to choose regions from, and regions drawn on it."""

from __future__ import annotations

import unicodedata

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.source import Image
from bgsub.render.layer import Colour, as_color
from bgsub.render.lettering import HALO, line_width, write

LINES = 20
"""Most lines across the longer side."""
SMALLEST = 640
"""Pixels of the longer side from which on numbers can be read beside each other; smaller pictures are enlarged."""
WHITE: Colour = (255, 255, 255)


def step_for(side: int) -> int:
    """Return the distance of lines in pixels: 1, 2 or 5 times a power of ten, so that LINES are enough for a *side*."""
    step, power = 1, 1
    while True:
        for step in (power, 2 * power, 5 * power):
            if side <= step * LINES:
                return step
        power *= 10


class Ruled:
    """A picture that is drawn on.

    Parameters
    ----------
    picture
        ``(height, width)`` or ``(height, width, 3)`` uint8.

    Attributes
    ----------
    drawn
        ``(height, width, 3)`` uint8; pictures smaller than SMALLEST are enlarged by a whole number.
    """

    def __init__(self, picture: Image) -> None:
        self._height, self._width = picture.shape[:2]
        self._zoom = max(1, -(-SMALLEST // max(self._height, self._width)))
        self.drawn = np.array(self._enlarged(as_color(picture)))

    def outline(self, inside: NDArray[np.bool_], name: str, colour: Colour) -> None:
        """Draw the border of a ``(height, width)`` mask in pixels of the picture, and its *name* within."""
        mask = self._enlarged(inside.astype(np.uint8))
        borders, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        line = line_width(self.drawn[..., 0])
        for thick, shade in ((3 * line, HALO), (line, colour)):
            cv2.drawContours(self.drawn, borders, -1, shade, thick)
        if borders:
            x, y, _, height = cv2.boundingRect(max(borders, key=cv2.contourArea))
            write(self.drawn, _in_ascii(name), (x + 3 * line, y + height), colour)

    def rule(self) -> None:
        """Draw lines of equal distance, with their coordinates in pixels of the picture."""
        step = step_for(max(self._height, self._width))
        across, down = range(step, self._width, step), range(step, self._height, step)
        for x in across:
            _line(self.drawn, x * self._zoom)
        for y in down:
            _line(self.drawn.transpose(1, 0, 2), y * self._zoom)
        for x in across:
            write(self.drawn, str(x), (x * self._zoom + 2, 0), WHITE)
        for y in down:
            write(self.drawn, str(y), (0, y * self._zoom), WHITE)

    def _enlarged(self, picture: Image) -> Image:
        # Every pixel stays one, only larger.
        return picture.repeat(self._zoom, axis=0).repeat(self._zoom, axis=1)


def _line(picture: Image, x: int) -> None:
    """Draw an upright line in place: light, with a dark one beside it, so that it stands out on any ground."""
    picture[:, x] = picture[:, x] // 2 + 127
    picture[:, x - 1] //= 2


def _in_ascii(text: str) -> str:
    """Return *text* in the letters that OpenCV has."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode() or "?"
