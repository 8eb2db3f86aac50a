"""Areas as users specify them, converted to pixel masks.

A pixel of the (scaled) image belongs to an area if its centre lies inside; every area keeps at least one
pixel, however small the scale.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from pathlib import Path, PurePath

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError, OptionError
from bgsub.frames.read.decode import decode
from bgsub.frames.read.images import read_image
from bgsub.frames.read.limits import MOST_PIXELS, TooLarge
from bgsub.options.areas import (
    DATA,
    Area,
    EmbeddedMask,
    PictureFile,
    Polygon,
    Rectangle,
    encode_mask,
    parse_area,
)

Box = tuple[int, int, int, int]
Mask = NDArray[np.bool_]
LOSSY = (".jpg", ".jpeg", ".webp")
LOSSY_LEVEL = 128
"""Grey level from which a pixel of a lossy mask image is set: its black is not exactly 0."""


def resolved(
    texts: tuple[str, ...], size: tuple[int, int], what: str, max_pixels: int = MOST_PIXELS
) -> tuple[str, ...]:
    """Return *texts* with every image file read and its contents in place of its name.

    Parameters
    ----------
    texts
        Areas as :func:`bgsub.options.areas.parse_area` reads them.
    size
        Width and height of the incoming image; a mask must have this size or the same aspect ratio.
    what
        ``"region"`` or ``"excluded region"``, for messages.
    max_pixels
        Pixels that the picture of a mask may have at most.

    Raises
    ------
    OptionError
        An area is empty or extends beyond the image; a mask image cannot be read, has another aspect ratio,
        or is all black.
    """
    return tuple(str(_resolved(parse_area(text), size, what, max_pixels)) for text in texts)


def select(
    roi: tuple[str, ...], exclude: tuple[str, ...], size: tuple[int, int], shape: tuple[int, int]
) -> tuple[Box, Mask | None]:
    """Return the pixels in *roi* (all if it is empty) and not in *exclude*.

    Parameters
    ----------
    roi, exclude
        From :func:`resolved`.
    size
        Width and height of the incoming image.
    shape
        Height and width of the scaled one.

    Returns
    -------
    Their bounding box, ``(y0, y1, x0, x1)`` half-open, and their mask within the box, None if they fill it.

    Raises
    ------
    OptionError
        Nothing is left.
    """
    if not exclude and len(roi) <= 1:
        area = parse_area(roi[0]) if roi else Rectangle(0, 0, *size)
        if isinstance(area, Rectangle):
            return _box(area, size, shape), None
    chosen = _union(roi, size, shape) if roi else np.ones(shape, bool)
    chosen &= ~_union(exclude, size, shape)
    if not chosen.any():
        raise OptionError(
            f"the excluded regions cover all that was to be looked at of {size[0]} × {size[1]} pixels; exclude less"
        )
    (y0, y1), (x0, x1) = (_extent(np.asarray(chosen.any(axis=axis))) for axis in (1, 0))
    inside = np.ascontiguousarray(chosen[y0:y1, x0:x1])
    return (y0, y1, x0, x1), None if inside.all() else inside


def mask_of(
    text: str, size: tuple[int, int], shape: tuple[int, int], what: str, max_pixels: int = MOST_PIXELS
) -> Mask:
    """Return the ``(height, width)`` mask of one area; text, sizes and name as for :func:`resolved` and :func:`select`.

    Raises
    ------
    OptionError
        As :func:`resolved`.
    """
    [resolved_text] = resolved((text,), size, what, max_pixels)
    return _pixels(parse_area(resolved_text), size, shape)


def decode_mask(text: str) -> Mask:
    """Return the ``(height, width)`` mask written by :func:`bgsub.options.areas.encode_mask`; ValueError if damaged."""
    try:
        data = np.frombuffer(base64.b64decode(text.removeprefix(DATA), validate=True), np.uint8)
        picture = decode(data, "the mask")
    except (binascii.Error, TooLarge):
        picture = None
    if picture is None:
        raise ValueError("the mask is damaged")
    return np.asarray(picture > 0 if picture.ndim == 2 else picture.any(axis=2))


def _resolved(area: Area, size: tuple[int, int], what: str, most: int) -> Area:
    if isinstance(area, PictureFile):
        area, name = EmbeddedMask(encode_mask(_read(area, what, most))), str(area)
    else:
        name = "given as a mask" if isinstance(area, EmbeddedMask) else str(area)
    if isinstance(area, EmbeddedMask):
        _check_mask(area, size, f"the {what} {name}")
    elif form := _beyond(area, size):
        raise OptionError(
            f"the {what} {name} ({form}) reaches outside the picture, which is {size[0]} × {size[1]} pixels{_end(area)}"
        )
    if area.fault:
        raise OptionError(f"the {what} {name} {area.fault}")
    return area


def _beyond(area: Area, size: tuple[int, int]) -> str:
    """Return the notation of an area that extends beyond the image; empty if it does not."""
    if isinstance(area, Rectangle):
        corners = ((area.x, area.y), (area.x + area.width, area.y + area.height))
        return "x,y,width,height" if _leave(corners, size) else ""
    if isinstance(area, Polygon):
        return "x,y of each point" if _leave(area.points, size) else ""
    return ""


def _end(area: Area) -> str:
    """Return the far corner of a rectangle as text, since its notation does not show it."""
    return f": it ends at {area.x + area.width},{area.y + area.height}" if isinstance(area, Rectangle) else ""


def _leave(points: Iterable[tuple[float, float]], size: tuple[int, int]) -> bool:
    return not all(0 <= x <= size[0] and 0 <= y <= size[1] for x, y in points)


def _read(file: PictureFile, what: str, most: int) -> Mask:
    try:
        image = read_image(Path(file.name), most)
    except InputError as error:
        raise OptionError(f"the {what} {file}: {error}; give a picture that is black where it ends") from None
    levels = image if image.ndim == 2 else image.max(axis=2)
    least = LOSSY_LEVEL if PurePath(file.name).suffix.lower() in LOSSY else 1
    return np.asarray(levels >= least)


def _check_mask(area: EmbeddedMask, size: tuple[int, int], subject: str) -> None:
    try:
        mask = decode_mask(area.text)
    except ValueError as error:
        raise OptionError(f"{subject}: {error}; give the picture it was made from") from None
    (height, width), (wide, high) = mask.shape, size
    # The sides of a scaled image are rounded.
    if abs(width * high - height * wide) > max(wide, high):
        raise OptionError(
            f"{subject} is {width} × {height} pixels, and the picture {wide} × {high}: "
            "draw it on a frame of the footage, at its size or at another of the same shape"
        )
    if not mask.any():
        raise OptionError(f"{subject} is empty: every pixel is black; what counts must not be")


def _union(texts: tuple[str, ...], size: tuple[int, int], shape: tuple[int, int]) -> Mask:
    found = np.zeros(shape, bool)
    for text in texts:
        found |= _pixels(parse_area(text), size, shape)
    return found


def _pixels(area: Area, size: tuple[int, int], shape: tuple[int, int]) -> Mask:
    if isinstance(area, Rectangle):
        y0, y1, x0, x1 = _box(area, size, shape)
        found = np.zeros(shape, bool)
        found[y0:y1, x0:x1] = True
        return found
    if isinstance(area, Polygon):
        points = np.array(area.points) * (shape[1] / size[0], shape[0] / size[1])
        return _with_a_pixel(fill_polygon(points, shape), points.mean(axis=0))
    assert isinstance(area, EmbeddedMask), "pictures are resolved"
    mask = decode_mask(area.text)
    rows, columns = (
        (2 * np.arange(n) + 1) * side // (2 * n) for n, side in zip(shape, mask.shape, strict=True)
    )
    y, x = np.argwhere(mask)[0]
    first = np.array([(x + 0.5) * shape[1] / mask.shape[1], (y + 0.5) * shape[0] / mask.shape[0]])
    return _with_a_pixel(mask[np.ix_(rows, columns)], first)


def fill_polygon(points: NDArray[np.float64], shape: tuple[int, int]) -> Mask:
    """Return the pixels of a ``(height, width)`` image whose centres lie inside a polygon (even-odd rule).

    Each edge toggles everything to its right in the rows of pixels that it crosses. OpenCV's ``fillPoly``
    would add the pixels on the edges, and neighbouring polygons would overlap.
    """
    flips = np.zeros((shape[0], shape[1] + 1), np.uint8)
    centres = np.arange(shape[0]) + 0.5
    for start, end in zip(points, np.roll(points, -1, axis=0), strict=True):
        # From top to bottom, so that polygons on either side of an edge round alike.
        (x0, y0), (x1, y1) = (start, end) if start[1] <= end[1] else (end, start)
        crossed = np.flatnonzero((y0 <= centres) != (y1 <= centres))
        if len(crossed):
            x = x0 + (centres[crossed] - y0) * ((x1 - x0) / (y1 - y0))
            first = np.clip(np.ceil(x - 0.5), 0, shape[1]).astype(np.int64)
            flips[crossed, first] ^= 1
    return np.asarray(np.bitwise_xor.accumulate(flips, axis=1)[:, :-1] == 1)


def _with_a_pixel(mask: Mask, point: NDArray[np.float64]) -> Mask:
    if not mask.any():
        x, y = (min(int(value), side - 1) for value, side in zip(point, mask.shape[::-1], strict=True))
        mask[y, x] = True
    return mask


def _box(area: Rectangle, size: tuple[int, int], shape: tuple[int, int]) -> Box:
    height, width = shape
    return (
        *_scaled_span(area.y, area.height, size[1], height),
        *_scaled_span(area.x, area.width, size[0], width),
    )


def _scaled_span(start: int, length: int, whole: int, scaled: int) -> tuple[int, int]:
    """Scale the half-open span *start* … *start + length* from *whole* to *scaled* pixels, at least 1."""
    first = min(round(start * scaled / whole), scaled - 1)
    last = round((start + length) * scaled / whole)
    return first, max(last, first + 1)


def _extent(line: Mask) -> tuple[int, int]:
    found = np.flatnonzero(line)
    return int(found[0]), int(found[-1]) + 1
