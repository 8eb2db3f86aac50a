"""Parts of a picture, as people write them: rectangles, polygons, pictures of what counts.

Coordinates are pixels of the input from its upper left corner, and lie between pixels: the pixel in column 3 reaches
from x = 3 to x = 4. So the rectangle ``x,y,width,height`` is the polygon of its four corners.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from pathlib import PurePath
from typing import Any

EXPECTED = "expected x,y,width,height, or a polygon x,y x,y x,y, or a picture @FILE"
MASK = "a mask is an array of bool or uint8, height × width; give what is inside as (array > 0)"
LONGEST = 80
"""Characters of a value that a message quotes."""
DATA = "data:image/png;base64,"
"""How a mask without a file is written: browsers and other programs read this too."""
PICTURES = (".png", ".bmp", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".pgm", ".pbm", ".pnm", ".ppm")
"""Names that end so are pictures, also without an @."""
FEWEST_POINTS = 3
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


class WrongPart(ValueError):
    """One of several areas cannot be read; the message names it, so that the others need not be quoted."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """``x,y,width,height``, whole pixels."""

    x: int
    y: int
    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.x},{self.y},{self.width},{self.height}"

    @property
    def fault(self) -> str:
        """What is wrong with it on any picture, and what to do; empty when nothing is."""
        if min(self.x, self.y) < 0:
            return f"begins outside of the picture, at {self.x},{self.y}: x and y are 0 or more"
        if min(self.width, self.height) < 1:
            return f"is empty, {self.width} × {self.height} pixels: width and height are 1 or more"
        return ""


@dataclass(frozen=True, slots=True)
class Polygon:
    """``x,y x,y x,y …``: the inside of a closed line. Where the line crosses itself, the even-odd rule tells."""

    points: tuple[tuple[float, float], ...]

    def __str__(self) -> str:
        return " ".join(f"{_short(x)},{_short(y)}" for x, y in self.points)

    @property
    def fault(self) -> str:
        """As for :class:`Rectangle`."""
        for x, y in self.points:
            if min(x, y) < 0:
                return f"has a point outside of the picture, {_short(x)},{_short(y)}: x and y are 0 or more"
        (x0, y0), *rest = self.points
        x1, y1 = max(rest, key=lambda point: abs(point[0] - x0) + abs(point[1] - y0))
        if all((x1 - x0) * (y - y0) == (y1 - y0) * (x - x0) for x, y in rest):
            return "encloses nothing, since its points lie on one line; give points around an area"
        return ""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """``@FILE``: what is not black in a picture."""

    name: str

    def __str__(self) -> str:
        return f"@{self.name}"

    @property
    def fault(self) -> str:
        """Nothing that can be told without reading it."""
        return ""


@dataclass(frozen=True, slots=True)
class EmbeddedMask:
    """A mask without a file: a PNG of one bit a pixel as a ``data:`` address."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def fault(self) -> str:
        """Nothing that can be told without decoding it."""
        return ""


Area = Rectangle | Polygon | PictureFile | EmbeddedMask


def parse_area(text: str) -> Area:
    """Read one area from its text; ``ValueError`` says what was expected. ``str()`` gives the text back."""
    text = text.strip()
    if not text:
        raise ValueError(f"it is empty; {EXPECTED}")
    if text.startswith(DATA):
        return EmbeddedMask(text)
    if text.startswith("@") and len(text) > 1:
        return PictureFile(text[1:])
    pairs = [word.split(",") for word in re.split(r"[\s;]+", re.sub(r"\s*,\s*", ",", text).strip(";"))]
    if all(NUMBER.fullmatch(number) for pair in pairs for number in pair):
        numbers = [[float(number) for number in pair] for pair in pairs]
        return _rectangle(numbers[0]) if len(numbers) == 1 else _polygon(numbers)
    if PurePath(text).suffix.lower() in PICTURES:
        return PictureFile(text)
    raise ValueError(EXPECTED)


def parse_zone(text: str) -> tuple[str, Area]:
    """Read ``NAME=AREA``; ``ValueError`` says what was expected."""
    name, equals, area = text.partition("=")
    if not equals or not name.strip():
        raise ValueError(
            f"expected NAME=AREA, such as door=10,20,60,90; AREA is {EXPECTED.removeprefix('expected ')}"
        )
    return name.strip(), parse_area(area)


def read_zones(value: object) -> tuple[str, ...] | None:
    """Return the texts ``NAME=AREA`` of one zone or several; None for none.

    Parameters
    ----------
    value
        A text ``NAME=AREA``, a list of these, or a mapping from names to areas as :func:`read_areas` takes them (each
        zone has one area).

    Raises
    ------
    ValueError, TypeError
        With what was expected.
    """
    if isinstance(value, Mapping):
        return tuple(f"{name}={_single(area)}" for name, area in value.items()) or None
    if isinstance(value, str):
        value = (value,)
    if not isinstance(value, (list, tuple)) or not all(isinstance(text, str) for text in value):
        raise TypeError("expected NAME=AREA, a list of these, or a mapping of names to areas")
    return tuple(f"{name}={area}" for name, area in map(parse_zone, value)) or None


def _single(value: object) -> Area:
    areas = _areas(value)
    if len(areas) != 1:
        raise ValueError("a zone has one area; give each part a name of its own")
    return areas[0]


def placed_zones(texts: tuple[str, ...] | None, folder: PurePath) -> tuple[str, ...] | None:
    """Return *texts* with the names of pictures that are not absolute taken from *folder*."""
    if texts is None:
        return None
    return tuple(f"{name}={_placed(area, folder)}" for name, area in map(parse_zone, texts))


def placed(texts: tuple[str, ...] | None, folder: PurePath) -> tuple[str, ...] | None:
    """Return *texts* with the names of pictures that are not absolute taken from *folder*."""
    return None if texts is None else tuple(str(_placed(parse_area(text), folder)) for text in texts)


def _placed(area: Area, folder: PurePath) -> Area:
    return PictureFile(str(folder / area.name)) if isinstance(area, PictureFile) else area


def read_areas(value: object) -> tuple[str, ...] | None:
    """Return the texts of one area or several; None for an empty list.

    Parameters
    ----------
    value
        A text, a ``Path`` to a picture, four whole numbers (a rectangle), at least three pairs of numbers (a polygon),
        a two-dimensional array of bool or uint8 (a mask: what is not 0), or a list of these.

    Raises
    ------
    ValueError, TypeError
        With what was expected, and of a list which part is wrong.
    """
    return tuple(dict.fromkeys(str(area) for area in _areas(value))) or None


def shown(value: object) -> str:
    """Return a value as a message of one line quotes it: an array by its size and type, a long one cut off."""
    if shape := getattr(value, "shape", ()):
        return f"an array of {' × '.join(map(str, shape))} {getattr(value, 'dtype', '')}".strip()
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def encode_mask(mask: Any) -> str:
    """Return the text of a ``(height, width)`` array: what is not 0 is inside."""
    import cv2
    import numpy as np

    picture = np.where(np.asarray(mask) > 0, 255, 0).astype(np.uint8)
    data = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_BILEVEL, 1])[1]
    return DATA + base64.b64encode(data.tobytes()).decode("ascii")


def _areas(value: object) -> list[Area]:
    if isinstance(value, str):
        return [parse_area(value)]
    if isinstance(value, PurePath):
        return [PictureFile(str(value))]
    if _is_mask(value):
        return [EmbeddedMask(encode_mask(value))]
    if hasattr(value, "tolist"):
        value = _listed(value)
    if not isinstance(value, (list, tuple)):
        raise TypeError(EXPECTED)
    if value and all(map(_is_number, value)):
        return [_rectangle(value)]
    if value and all(isinstance(part, (list, tuple)) and len(part) == 2 for part in value):
        return [_polygon(value)]
    return [area for index, part in enumerate(value, 1) for area in _part(index, part)]


def _part(index: int, part: object) -> list[Area]:
    try:
        return _areas(part)
    except (ValueError, TypeError) as error:
        raise WrongPart(f"number {index}, {shown(part)}: {error}") from None


def _listed(array: Any) -> object:
    """Return an array of points or rectangles as lists; one of another shape was meant as a mask."""
    shape: tuple[int, ...] = getattr(array, "shape", ())
    if len(shape) > 1 and (shape[-1] not in (2, 4) or 0 in shape):
        raise TypeError(MASK)
    return array.tolist()


def _is_mask(value: object) -> bool:
    # Rows of two or four bytes are points or rectangles.
    kind: Any = getattr(value, "dtype", None)
    shape: Any = getattr(value, "shape", ())
    return len(shape) == 2 and 0 not in shape and (kind == "bool" or (kind == "uint8" and shape[1] > 4))


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _rectangle(numbers: Sequence[Any]) -> Rectangle:
    if len(numbers) != 4 or not all(float(number).is_integer() for number in numbers):
        raise ValueError(EXPECTED)
    x, y, width, height = (int(number) for number in numbers)
    return Rectangle(x, y, width, height)


def _polygon(pairs: Sequence[Sequence[Any]]) -> Polygon:
    if not all(len(pair) == 2 and all(map(_is_number, pair)) for pair in pairs):
        raise ValueError(EXPECTED)
    if len(pairs) < FEWEST_POINTS:
        raise ValueError(f"a polygon has at least {FEWEST_POINTS} points, and this one has {len(pairs)}")
    points = tuple((float(x), float(y)) for x, y in pairs)
    if not all(abs(number) < float("inf") for point in points for number in point):
        raise ValueError(EXPECTED)
    return Polygon(points)


def _short(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else repr(number)
