"""The frame with moving objects marked: the picture by which people judge a separation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.errors import OptionError
from bgsub.frames.source import Image
from bgsub.render.layer import Colour, Kind, as_color, check_colour, solid
from bgsub.render.lettering import HALO, line_width, write
from bgsub.render.view import FrameView

REGION: Colour = (255, 255, 255)
WRITTEN: Colour = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Overlay:
    """The frame with moving objects tinted and outlined, and the region of interest framed if it is only a part.

    Each line is bright with a dark rim on its outer side, so that it stands out on bright and dark scenes
    alike. The outline is the inner border of the mask itself, so an object of one pixel still shows. Lines
    are one pixel wide per 480 pixels of the image's shorter side.

    Parameters
    ----------
    tint
        Colour laid over moving objects. The default, magenta, is rare outdoors and distinct from grass, sky and skin.
    opacity
        Opacity of the tint, 0 (none) to 1 (opaque).
    contour
        Colour of the outline.

    Raises
    ------
    OptionError
        If a colour or the opacity is out of range.
    """

    tint: Colour = (255, 0, 160)
    opacity: float = 0.35
    contour: Colour = (255, 240, 0)

    name: ClassVar[str] = "overlay"
    kind: ClassVar[Kind] = "video"

    def __post_init__(self) -> None:
        check_colour("tint", self.tint)
        check_colour("contour", self.contour)
        if not 0 <= self.opacity <= 1:
            raise OptionError(f"opacity must lie between 0 and 1, not {self.opacity}")

    def is_color(self, input_is_color: bool) -> bool:
        """Return True: marks are coloured on gray footage too."""
        return True

    def draw(self, view: FrameView) -> Image:
        """Return a new ``(height, width, 3)`` image. Cost: a copy, plus the bounding box of the mask."""
        drawn = np.array(as_color(view.image))
        width = line_width(view.mask)
        box = around(view.mask, width)
        self._mark(drawn[box], view.mask[box], width)
        frame_region(drawn, view, width)
        if view.numbered:
            for number, place in view.marks:
                write(drawn, str(number), (place[0], place[1]), WRITTEN)
        if view.caption:
            write(drawn, view.caption, (2 * width, drawn.shape[0] + width), WRITTEN)
        return drawn

    def _mark(self, drawn: Image, mask: NDArray[np.uint8], width: int) -> None:
        """Tint and outline in place; *mask* may be cropped only where it is empty, or at the image edge."""
        if not mask.size:
            return
        self._tint(drawn, mask)
        line, rim = border(mask, width)
        paint(drawn, rim, HALO)
        paint(drawn, line, self.contour)

    def _tint(self, drawn: Image, mask: NDArray[np.uint8]) -> None:
        colour = solid(mask.shape[0], mask.shape[1], self.tint)
        mixed = cv2.addWeighted(drawn, 1 - self.opacity, colour, self.opacity, 0)
        cv2.copyTo(mixed, mask, drawn)


def around(mask: NDArray[np.uint8], margin: int) -> tuple[slice, slice]:
    """Return the bounding box of *mask*, enlarged by *margin* pixels; an empty box if the mask is empty."""
    x, y, width, height = cv2.boundingRect(mask)
    if not width:
        return slice(0), slice(0)
    return (
        slice(max(y - margin, 0), y + height + margin),
        slice(max(x - margin, 0), x + width + margin),
    )


def border(mask: NDArray[np.uint8], width: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return masks (0, 255) of the *width* pixels just inside and just outside the border of *mask*.

    The image edge counts as a border, so that objects leaving the image are outlined all around.
    """
    square = np.ones((2 * width + 1, 2 * width + 1), np.uint8)
    eroded = cv2.erode(mask, square, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    dilated = cv2.dilate(mask, square, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    line = np.asarray(cv2.subtract(mask, eroded), dtype=np.uint8)
    rim = np.asarray(cv2.subtract(dilated, mask), dtype=np.uint8)
    return line, rim


def paint(drawn: Image, where: NDArray[np.uint8], colour: Colour) -> None:
    """Set the pixels of *drawn* to *colour* where *where* is not 0, in place."""
    cv2.copyTo(solid(where.shape[0], where.shape[1], colour), where, drawn)


def frame_region(drawn: Image, view: FrameView, width: int) -> None:
    """Frame the region of interest in place: a white line inside, a dark rim outside; none if it is everything."""
    height, total = drawn.shape[:2]
    region = view.outline
    if region is None:
        if view.inside == (0, height, 0, total):
            return
        y0, y1, x0, x1 = view.inside
        region = np.zeros((height, total), np.uint8)
        region[y0:y1, x0:x1] = 255
    line, rim = border(region, width)
    paint(drawn, rim, HALO)
    paint(drawn, line, REGION)
