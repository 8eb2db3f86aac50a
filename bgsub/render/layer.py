"""The layer interface, and the layers that show one part of a frame as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import cv2
import numpy as np

from bgsub.errors import OptionError
from bgsub.frames.source import Image
from bgsub.render.view import FrameView

Colour = tuple[int, int, int]
"""Red, green, blue, 0–255."""

SHADOW = 127
"""Grey level of a marked shadow, as in OpenCV's subtractors."""

Kind = Literal["video", "mask", "picture", "cutout"]
"""Purpose of the images: viewing (may be compressed), measuring (must be exact), one still picture, or pasting
elsewhere (with alpha)."""


class Layer(Protocol):
    """One way to show a separated frame: the constructor sets the appearance, ``draw`` gets the data.

    Attributes
    ----------
    name
        Its name on the command line and in file names.
    kind
        The sort of file it needs; :func:`bgsub.render.sinks.open.open_sink` takes the same word.
    """

    name: ClassVar[str]
    kind: ClassVar[Kind]

    def is_color(self, input_is_color: bool) -> bool:
        """Return whether ``draw`` returns ``(height, width, 3)`` for footage that is, or is not, in colour."""
        ...

    def draw(self, view: FrameView) -> Image:
        """Return the image, uint8; it may be one of the view's own arrays, so do not modify it."""
        ...


@dataclass(frozen=True, slots=True)
class Input:
    """The frame itself."""

    name: ClassVar[str] = "input"
    kind: ClassVar[Kind] = "video"

    def is_color(self, input_is_color: bool) -> bool:
        """Return *input_is_color*."""
        return input_is_color

    def draw(self, view: FrameView) -> Image:
        """Return the frame, not copied."""
        return view.image


@dataclass(frozen=True, slots=True)
class Background:
    """The scene without moving objects, at the time of the frame."""

    name: ClassVar[str] = "background"
    kind: ClassVar[Kind] = "video"

    def is_color(self, input_is_color: bool) -> bool:
        """Return *input_is_color*."""
        return input_is_color

    def draw(self, view: FrameView) -> Image:
        """Return the background, not copied."""
        return view.background


@dataclass(frozen=True, slots=True)
class Plate:
    """The background as one still picture; of several views, the last one drawn counts."""

    name: ClassVar[str] = "plate"
    kind: ClassVar[Kind] = "picture"

    def is_color(self, input_is_color: bool) -> bool:
        """Return *input_is_color*."""
        return input_is_color

    def draw(self, view: FrameView) -> Image:
        """Return the background, not copied."""
        return view.background


@dataclass(frozen=True, slots=True)
class Mask:
    """White where something moves, black elsewhere: 255 and 0, and SHADOW where shadows are to be marked."""

    name: ClassVar[str] = "mask"
    kind: ClassVar[Kind] = "mask"

    def is_color(self, input_is_color: bool) -> bool:
        """Return False."""
        return False

    def draw(self, view: FrameView) -> Image:
        """Return the mask, copied only if shadows are marked in it."""
        if view.shadow is None:
            return view.mask
        return np.where(view.shadow > 0, np.uint8(SHADOW), view.mask)


@dataclass(frozen=True, slots=True)
class Result(Mask):
    """The mask as CDnet's evaluation reads it: 255 and 0, whatever shadows are marked with."""

    name: ClassVar[str] = "cdnet"

    def draw(self, view: FrameView) -> Image:
        """Return the mask, not copied."""
        return view.mask


@dataclass(frozen=True, slots=True)
class Cutout:
    """What moves, and nothing else: red, green, blue, and alpha, 255 where something moves and 0 elsewhere."""

    name: ClassVar[str] = "cutout"
    kind: ClassVar[Kind] = "cutout"

    def is_color(self, input_is_color: bool) -> bool:
        """Return True."""
        return True

    def draw(self, view: FrameView) -> Image:
        """Return a new ``(height, width, 4)`` image; its colour is 0 where nothing moves."""
        drawn = np.zeros((*view.mask.shape, 4), np.uint8)
        cv2.copyTo(cv2.cvtColor(as_color(view.image), cv2.COLOR_RGB2RGBA), view.mask, drawn)
        return drawn


@dataclass(frozen=True, slots=True)
class Foreground:
    """The frame where something moves, one colour elsewhere.

    Parameters
    ----------
    fill
        Colour of everything that does not move. Gray footage stays gray if this is a shade of gray.

    Raises
    ------
    OptionError
        If *fill* is not three values 0–255.
    """

    fill: Colour = (0, 0, 0)

    name: ClassVar[str] = "foreground"
    kind: ClassVar[Kind] = "video"

    def __post_init__(self) -> None:
        check_colour("fill", self.fill)

    def is_color(self, input_is_color: bool) -> bool:
        """Return *input_is_color*, or True if the fill is not gray."""
        return input_is_color or len(set(self.fill)) > 1

    def draw(self, view: FrameView) -> Image:
        """Return a new image: ``image`` where ``mask`` is 255, ``fill`` elsewhere."""
        image = view.image
        if self.is_color(image.ndim == 3):
            image = as_color(image)
        height, width = view.mask.shape
        drawn = solid(height, width, self.fill) if image.ndim == 3 else np.full_like(image, self.fill[0])
        cv2.copyTo(image, view.mask, drawn)
        return drawn


def as_color(image: Image) -> Image:
    """Return ``(height, width, 3)``: gray replicated, colour as it is (not copied)."""
    return image if image.ndim == 3 else np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2RGB), dtype=np.uint8)


def solid(height: int, width: int, colour: Colour) -> Image:
    """Return a ``(height, width, 3)`` image of a single colour."""
    # Row by row: broadcasting a triple over all pixels takes fifty times as long.
    row = np.empty((width, 3), np.uint8)
    row[...] = colour
    filled = np.empty((height, width, 3), np.uint8)
    filled[...] = row
    return filled


def check_colour(option: str, colour: Colour) -> None:
    """Raise :class:`OptionError` unless *colour* is three whole numbers 0–255."""
    if len(colour) != 3 or not all(isinstance(c, int) and 0 <= c <= 255 for c in colour):
        raise OptionError(
            f"{option} must be three whole numbers from 0 to 255 (red, green, blue), not {colour!r}"
        )
