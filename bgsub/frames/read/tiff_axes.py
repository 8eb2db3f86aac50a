"""Which pictures of a TIFF file are its frames, and how far apart in time: from the axes that its writer has named."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import CannotOpen

if TYPE_CHECKING:
    import tifffile

_TIMELIKE = "TZIQR"
"""Axes that may be taken as time where there is no other: T is; Z may be; I, Q and R stand for no name."""
MOST_CHANNELS = 8
"""More of them on the only axis are pictures over time: some writers call an axis C unless they are told its name. So
are any of pictures that are in colour already."""
_PICTURE = "YXS"
_CHANNELS = (1, 2, 3, 4)  # gray, gray and alpha, RGB, RGB and alpha
_SECONDS = {
    **dict.fromkeys(("s", "sec", "second", "seconds", ""), Fraction(1)),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), Fraction(1, 1000)),
    **dict.fromkeys(("µs", "us", "microseconds"), Fraction(1, 10**6)),
    **dict.fromkeys(("min", "minute", "minutes"), Fraction(60)),
    **dict.fromkeys(("h", "hour", "hours"), Fraction(3600)),
}


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the frames of a file are.

    Attributes
    ----------
    count
        Number of frames.
    shape, axes
        Of one frame as it is stored: ``YX``, ``YXS`` or ``SYX``.
    series
        The series that hold them: one with all frames, or as many as there are frames.
    """

    count: int
    shape: tuple[int, ...]
    axes: str
    series: tuple[int, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a frame."""
        sides = dict(zip(self.axes, self.shape, strict=True))
        return sides["X"], sides["Y"]

    def whereabouts(self, place: int) -> tuple[int, int]:
        """Return the series that holds a frame, and the frame's place in it."""
        return (self.series[0], place) if len(self.series) == 1 else (self.series[place], 0)

    def channels_last(self, stored: NDArray[Any]) -> NDArray[Any]:
        """Return one picture as ``(height, width)`` or ``(height, width, 3)``, without alpha."""
        stored = stored.reshape(self.shape) if stored.size == np.prod(self.shape) else stored
        if stored.ndim == 3 and self.axes.startswith("S") and stored.shape == self.shape:
            stored = np.moveaxis(stored, 0, 2)
        if stored.ndim == 2:
            return np.ascontiguousarray(stored)
        return np.ascontiguousarray(stored[..., 0] if stored.shape[2] < 3 else stored[..., :3])


def layout_of(file: tifffile.TiffFile, path: Path) -> Layout:
    """Return where the frames of a file are.

    Raises
    ------
    CannotOpen
        It holds more than one picture a point in time, or series of different shapes.
    """
    wanted = [number for number, each in enumerate(file.series) if not _is_beside(each)]
    layouts = [_layout(file.series[number], number, path) for number in wanted]
    if not layouts:
        raise CannotOpen(f"{path} holds no picture")
    first = layouts[0]
    if len(layouts) == 1:
        return first
    alike = {(each.shape, each.axes, str(file.series[each.series[0]].dtype)) for each in layouts}
    if len(alike) > 1 or any(each.count > 1 for each in layouts):
        kinds = list(dict.fromkeys(_described(file.series[number]) for number in wanted))
        shapes = "; ".join(kinds[:4]) + ("; …" if len(kinds) > 4 else "")
        raise CannotOpen(
            f"{path} holds {len(wanted)} series of pictures ({shapes}): store the one you want in a file of its own"
        )
    return Layout(len(layouts), first.shape, first.axes, tuple(wanted))


def _layout(series: tifffile.TiffPageSeries, number: int, path: Path) -> Layout:
    sizes = [(axis, size) for axis, size in zip(series.axes, series.shape, strict=True)
             if size > 1 or axis in _PICTURE]  # fmt: skip
    others = [(axis, size) for axis, size in sizes if axis not in _PICTURE]
    picture = [(axis, size) for axis, size in sizes if axis in _PICTURE]
    axes = "".join(axis for axis, _ in picture)
    channels = dict(picture).get("S", 1)
    is_time = not others or (
        len(others) == 1 and sizes[0] == others[0] and _may_be_time(*others[0], channels)
    )
    if not is_time or axes not in ("YX", "YXS", "SYX") or channels not in _CHANNELS:
        raise CannotOpen(
            f"{path} is not one picture for each point in time: its axes are {_described(series)}; store one channel "
            "and one plane of it, time first (TYX, or TYXS in colour)"
        )
    count = others[0][1] if others else 1
    return Layout(count, tuple(size for _, size in picture), axes, (number,))


def _may_be_time(axis: str, size: int, channels: int) -> bool:
    return axis in _TIMELIKE or (axis == "C" and (size > MOST_CHANNELS or channels > 1))


def _described(series: tifffile.TiffPageSeries) -> str:
    return " × ".join(f"{axis} {size}" for axis, size in zip(series.axes, series.shape, strict=True))


def _is_beside(series: tifffile.TiffPageSeries) -> bool:
    """Return whether it is a thumbnail or a transparency mask, as programs store beside the picture."""
    return bool(series.keyframe.subfiletype & (1 | 4))


def seconds_between(file: tifffile.TiffFile) -> Fraction | None:
    """Return the seconds from one frame to the next that ImageJ or OME have noted; None if they have not."""
    imagej = file.imagej_metadata or {}
    if "finterval" in imagej:
        return _seconds(imagej["finterval"], imagej.get("tunit", "s"))
    if file.ome_metadata:
        return _ome_interval(file.ome_metadata)
    return None


def _ome_interval(text: str) -> Fraction | None:
    try:
        pixels = ElementTree.fromstring(text).find(".//{*}Pixels")
    except ElementTree.ParseError:
        return None
    if pixels is None:
        return None
    return _seconds(pixels.get("TimeIncrement"), pixels.get("TimeIncrementUnit", "s"))


def _seconds(value: Any, unit: Any) -> Fraction | None:
    factor = _SECONDS.get(str(unit).strip().lower())
    if factor is None or not re.fullmatch(r"\d+\.?\d*(e[+-]?\d{1,2})?", str(value), re.IGNORECASE):
        return None
    return Fraction(str(value)) * factor or None
