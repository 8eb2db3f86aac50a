"""Several layers in one picture, each labelled with its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np

from bgsub.errors import OptionError
from bgsub.frames.source import Image
from bgsub.render.layer import Background, Input, Kind, Layer, Mask, as_color
from bgsub.render.overlay import Overlay
from bgsub.render.view import FrameView

FONT = cv2.FONT_HERSHEY_SIMPLEX
CAP_HEIGHT = 22.0
"""Height in pixels of a capital letter of ``FONT`` at scale 1."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Layers in a grid, row by row; an incomplete last row is filled up with black.

    Parameters
    ----------
    panels
        The layers, in reading order.
    columns
        Panels per row: 2 gives a square of four, ``len(panels)`` a single row.
    labels
        Burn each layer's name into the top left corner of its panel, unless the panel is too small for it to
        be legible.

    Raises
    ------
    OptionError
        If there is no panel or no column.
    """

    panels: tuple[Layer, ...] = (Input(), Background(), Overlay(), Mask())
    columns: int = 2
    labels: bool = True

    name: ClassVar[str] = "side-by-side"
    kind: ClassVar[Kind] = "video"

    def __post_init__(self) -> None:
        if not self.panels:
            raise OptionError("side-by-side needs at least one panel")
        if self.columns < 1:
            raise OptionError(f"columns must be at least 1, not {self.columns}")

    def is_color(self, input_is_color: bool) -> bool:
        """Return True when any panel is in colour."""
        return any(panel.is_color(input_is_color) for panel in self.panels)

    def shape(self, panel: tuple[int, int]) -> tuple[int, int]:
        """Return the height and width of the image, given those of one panel."""
        rows = -(-len(self.panels) // self.columns)
        return rows * panel[0], self.columns * panel[1]

    def draw(self, view: FrameView) -> Image:
        """Return a new image of ``rows × height`` by ``columns × width`` pixels."""
        height, width = view.mask.shape
        color = self.is_color(view.image.ndim == 3)
        size = self.shape((height, width))
        canvas = np.zeros((*size, 3) if color else size, np.uint8)
        for place, panel in enumerate(self.panels):
            row, column = divmod(place, self.columns)
            cell = canvas[row * height : (row + 1) * height, column * width : (column + 1) * width]
            picture = panel.draw(view)
            cell[...] = as_color(picture) if color else picture
            if self.labels:
                label(cell, panel.name)
        return canvas


def label(cell: Image, text: str) -> None:
    """Write *text* in white on a dark box in the top left corner of *cell*, in place.

    Letters are 1/32 of the height, at least 8 pixels; nothing is written if the box would be wider than the
    cell or fill more than a third of the height.
    """
    height, width = cell.shape[:2]
    scale = max(8.0, height / 32) / CAP_HEIGHT
    thickness = max(1, round(1.6 * scale))
    (across, up), down = cv2.getTextSize(text, FONT, scale, thickness)
    pad = max(2, round(up / 3))
    right, bottom = across + 2 * pad, up + down + 2 * pad
    if right > width or bottom > height / 3:
        return
    box = cell[:bottom, :right]
    box[...] = box // 4
    # OpenCV draws only into arrays of its own layout; a cell is a strided view of the canvas.
    written = np.ascontiguousarray(box)
    cv2.putText(written, text, (pad, pad + up), FONT, scale, (255, 255, 255), thickness, cv2.LINE_AA)
    box[...] = written
