"""All layers by name.

::

    background     the scene without moving objects                       video
    foreground     the frame where something moves, one colour elsewhere  video
    mask           0 and 255                                              mask (lossless)
    overlay        the frame, moving objects tinted and outlined          video
    boxes          the frame, a box and a number for each track           video
    cutout         what moves, with alpha                                 cutout
    cdnet          0 and 255, as CDnet names it                           mask
    plate          the background as one still picture                    picture
    side-by-side   input, background, overlay and mask in one picture     video
"""

from __future__ import annotations

from collections.abc import Callable

from bgsub.errors import OptionError, nearest
from bgsub.render.boxes import Boxes
from bgsub.render.layer import Background, Colour, Cutout, Foreground, Input, Kind, Layer, Mask, Plate, Result
from bgsub.render.overlay import Overlay
from bgsub.render.panels import SideBySide

__all__ = [
    "LAYERS",
    "Background",
    "Boxes",
    "Colour",
    "Cutout",
    "Foreground",
    "Input",
    "Kind",
    "Layer",
    "Mask",
    "Overlay",
    "Plate",
    "Result",
    "SideBySide",
    "make_layer",
]

LAYERS: dict[str, Callable[[], Layer]] = {
    "background": Background,
    "foreground": Foreground,
    "mask": Mask,
    "overlay": Overlay,
    "boxes": Boxes,
    "cutout": Cutout,
    "cdnet": Result,
    "plate": Plate,
    "side-by-side": SideBySide,
}
"""Each layer with its default appearance, by name."""


def make_layer(name: str) -> Layer:
    """Return the layer called *name* with its default appearance.

    Raises
    ------
    OptionError
        If there is no layer of that name.
    """
    if name not in LAYERS:
        raise OptionError(f"there is no layer '{name}'{nearest(name, LAYERS)}; known are {', '.join(LAYERS)}")
    return LAYERS[name]()
