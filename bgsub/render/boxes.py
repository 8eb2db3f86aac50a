"""The frame with a box and a number for each track."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np

from bgsub.frames.source import Image
from bgsub.render.layer import Colour, Kind, as_color
from bgsub.render.lettering import HALO, line_width, write
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
