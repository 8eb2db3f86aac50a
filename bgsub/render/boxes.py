"""The frame with a box and a number for each track."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np

from bgsub.frames.source import Image
from bgsub.render.layer import Colour, Kind, as_color
from bgsub.render.overlay import HALO, line_width
from bgsub.render.view import FrameView

COLOURS: tuple[Colour, ...] = (
    (255, 240, 0),
    (0, 220, 255),
    (255, 130, 0),
    (140, 255, 90),
    (255, 120, 220),
    (150, 170, 255),
    (255, 255, 255),
    (255, 90, 90),
)
"""One after the other: neighbours in number differ at a glance; with a dark rim, all stand out on any ground."""
LETTERS = 0.4
"""Scale of OpenCV's Hershey letters on pictures of 240 rows, growing with the square root of the height."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """The frame, a box around each track in sight, and its number above it."""

    name: ClassVar[str] = "boxes"
    kind: ClassVar[Kind] = "video"

    def is_color(self, input_is_color: bool) -> bool:
        """Return True: marks are coloured on gray footage too."""
        return True

    def draw(self, view: FrameView) -> Image:
        """Return a new ``(height, width, 3)`` image."""
        drawn = np.array(as_color(view.image))
        for number, box in view.marks:
            draw_box(drawn, box, colour_of(number))
            write(drawn, str(number), (box[0], box[1]), colour_of(number))
        return drawn


def colour_of(track: int) -> Colour:
    """Return the colour of a track."""
    return COLOURS[(track - 1) % len(COLOURS)]


def draw_box(drawn: Image, box: tuple[int, int, int, int], colour: Colour) -> None:
    """Frame a box in place: its own pixels stay in sight, a line around them, and a dark rim on its outer side."""
    x, y, width, height = box
    line = line_width(drawn[..., 0])
    for grown, shade in ((2 * line, HALO), (line, colour)):
        corner = x - grown, y - grown
        cv2.rectangle(drawn, corner, (x + width - 1 + grown, y + height - 1 + grown), shade, line)


def write(drawn: Image, text: str, place: tuple[int, int], colour: Colour) -> None:
    """Write a text above *place*, its lower left corner, within the picture; in place."""
    scale = LETTERS * (drawn.shape[0] / 240) ** 0.5
    line = line_width(drawn[..., 0])
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, line)
    x = min(max(place[0], 0), max(drawn.shape[1] - width, 0))
    y = min(max(place[1] - 3 * line - below // 2, height + line), drawn.shape[0] - 1)
    for thick, shade in ((3 * line, HALO), (line, colour)):
        cv2.putText(drawn, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, shade, thick, cv2.LINE_AA)
