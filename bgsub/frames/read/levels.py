"""Grey levels from stored values of any depth: two of them become 0 and 255, and what lies between follows."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.source import Image

Pair: TypeAlias = tuple[float, float]
"""The stored values that become 0 and 255."""

SAMPLE = 16
"""Pictures that a range is found on: quickly read, and enough for light that changes to show in them."""
SHARE = 1e-4
"""Share of a picture's values that may lie beyond either end: hot pixels do; an object is larger than that."""
HEADROOM = 1 / 8
"""Share of the range added at either end for what shows between the sampled pictures; it costs a fifth of them."""
_ROWS = 64  # computed at a time: in floats a whole picture would take eight times what its grey levels do
_VALUES = 250_000  # of a picture that are looked at: 25 of them are SHARE


@dataclass(frozen=True, slots=True)
class Levels:
    """A straight line from stored values to grey levels: *low* becomes 0, *high* 255, what lies beyond is cut off."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{shown(self.low)}–{shown(self.high)}"

    @property
    def pair(self) -> Pair:
        """Both ends."""
        return self.low, self.high

    def grey(self, values: NDArray[Any]) -> Image:
        """Return *values* (any real dtype and shape) as grey levels, rounded; what is not a number becomes 0."""
        if values.dtype == np.uint8:
            return np.asarray(cv2.LUT(values, _table(self, values.dtype)), np.uint8).reshape(values.shape)
        if values.dtype.kind in "iu" and values.dtype.itemsize <= 2:
            unsigned = values.view(f"u{values.dtype.itemsize}")
            return np.asarray(_table(self, values.dtype)[unsigned], np.uint8)
        return _computed(self, values)

    def share_beyond(self, values: NDArray[Any]) -> float:
        """Return which share of *values* is cut off."""
        low, high = self.pair
        if values.dtype.kind in "iu":  # compared as integers, in a fifth of the time
            low, high = math.ceil(low), math.floor(high)
        cut = np.count_nonzero(values < low) + np.count_nonzero(values > high)
        return cut / max(values.size, 1)


@lru_cache(maxsize=8)
def _table(levels: Levels, dtype: np.dtype[Any]) -> Image:
    """Return the grey level of every value of an integer *dtype* of at most 16 bits, by its bits."""
    unsigned = np.dtype(f"u{dtype.itemsize}")
    return _computed(levels, np.arange(1 << 8 * dtype.itemsize, dtype=unsigned).view(dtype))


def _computed(levels: Levels, values: NDArray[Any]) -> Image:
    # float32 holds what has 24 bits at most.
    exact = np.dtype(np.float32 if values.dtype.itemsize <= 2 or values.dtype == np.float32 else np.float64)
    grey = np.empty(values.shape, np.uint8)
    for start in range(0, len(values), _ROWS):
        line: NDArray[Any] = values[start : start + _ROWS].astype(exact)
        with np.errstate(over="ignore", invalid="ignore"):
            line -= levels.low
            line *= 255 / (levels.high - levels.low)
            np.nan_to_num(line, copy=False, nan=0, posinf=255, neginf=0)
        grey[start : start + _ROWS] = np.rint(line.clip(0, 255, out=line), out=line)
    return grey


def pixel_format(dtype: np.dtype[Any], is_color: bool) -> str:
    """Return the short name of what is stored, as FFmpeg calls it where it has a name."""
    known = {"uint8": ("gray", "rgb24"), "uint16": ("gray16", "rgb48")}
    gray, colour = known.get(dtype.name, (f"gray {dtype.name}", f"rgb {dtype.name}"))
    return colour if is_color else gray


def shown(value: float) -> str:
    """Return a stored value as people write it."""
    return str(int(value)) if float(value).is_integer() else f"{value:.10g}"


def spread(count: int) -> list[int]:
    """Return the positions, among *count* pictures, of those that a range is found on."""
    return sorted({round(place) for place in np.linspace(0, count - 1, SAMPLE)})


def found_in(pictures: Iterable[NDArray[Any]]) -> Levels | None:
    """Return levels that take in what *pictures* hold, with headroom; None where they hold no finite number.

    The ends are those of all pictures but for SHARE of each, widened by HEADROOM: but not below 0 where nothing is, nor
    beyond the largest value of so many bits (255, 1023, 4095 …; 1 for fractions), where a camera saturates.
    """
    ends = [pair for picture in pictures if (pair := _ends(picture)) is not None]
    if not ends:
        return None
    low, high, is_whole = min(pair[0] for pair in ends), max(pair[1] for pair in ends), ends[0][2]
    full = _full_scale(high, is_whole)
    if low == high:
        return Levels(0.0, full) if low >= 0 else Levels(low, low + 255 if is_whole else low + 1)
    room = (high - low) * HEADROOM
    wide = Levels(max(low - room, 0.0) if low >= 0 else low - room, min(high + room, full))
    return _rounded(wide, is_whole)


def _ends(picture: NDArray[Any]) -> tuple[float, float, bool] | None:
    """Return the ends of a picture's values but for SHARE of them, and whether they are whole numbers by kind."""
    values = picture.reshape(-1)[:: max(1, picture.size // _VALUES)]
    if values.dtype.kind == "f":
        values = values[np.isfinite(values)]
    if not values.size:
        return None
    beyond = int(SHARE * values.size)
    ordered = np.partition(values, (beyond, values.size - 1 - beyond))
    return float(ordered[beyond]), float(ordered[-1 - beyond]), values.dtype.kind != "f"


def _full_scale(high: float, is_whole: bool) -> float:
    if high <= 1 and not is_whole:
        return 1.0
    return 2.0 ** max(8, math.ceil(math.log2(max(high, 1) + 1))) - 1


def _rounded(levels: Levels, is_whole: bool) -> Levels:
    """Round outwards, to whole numbers or to thousandths of the range: what is said is what was used."""
    digits = 0 if is_whole else 3 - math.floor(math.log10(levels.high - levels.low))
    unit = 10.0**-digits
    low = round(math.floor(levels.low / unit) * unit, digits)
    high = round(math.ceil(levels.high / unit - 1e-6) * unit, digits)
    return Levels(low, high)
