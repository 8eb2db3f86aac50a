"""What layers are drawn from: one separated frame, every part at the size of the (scaled) image."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from bgsub.frames.source import Image


@dataclass(frozen=True, slots=True)
class FrameView:
    """One separated frame.

    Attributes
    ----------
    index, number, time
        As in :class:`bgsub.frames.source.Frame`.
    image
        The frame itself, ``(height, width, 3)`` RGB or ``(height, width)`` gray, uint8.
    background
        The modelled scene without moving objects; same shape as *image*, uint8; 0 outside the region of
        interest.
    score
        ``(height, width)`` uint8: channel maximum of |image − background| in grey levels; 0 outside the region.
    mask
        ``(height, width)`` uint8, 0 or 255 only; 0 outside the region.
    inside
        ``(y0, y1, x0, x1)`` half-open: bounding box of the region of interest in this image.
    outline
        ``(height, width)`` uint8, 255 in the region of interest, 0 elsewhere; None if the region fills that box.
    marks
        Tracks in sight: their numbers, and their boxes ``(x, y, width, height)``, pixels.
    caption, numbered
        What to write into the overlay: a text, and whether the numbers of the tracks.
    name
        Name of the frame's own file, without its ending; empty where there is none.
    shadow
        ``(height, width)`` uint8, 255 where cast shadow is to be marked in the mask; None for nowhere.
    """

    index: int
    number: int
    time: Fraction
    image: Image
    background: Image
    score: NDArray[np.uint8]
    mask: NDArray[np.uint8]
    inside: tuple[int, int, int, int]
    outline: NDArray[np.uint8] | None = None
    shadow: NDArray[np.uint8] | None = None
    marks: tuple[tuple[int, tuple[int, int, int, int]], ...] = ()
    caption: str = ""
    numbered: bool = False
    name: str = ""
