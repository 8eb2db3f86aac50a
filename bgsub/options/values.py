"""The kinds of values an option can have, and how each is read from text, TOML or Python."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from numbers import Integral, Rational, Real
from os import PathLike, fspath
from typing import Any

from bgsub.options.areas import WrongPart, read_areas, read_zones, shown
from bgsub.options.position import SECONDS, Position, parse_seconds
from bgsub.options.sizes import parse_size

_RATE = "expected frames a second, such as 12.5 or 30000/1001"


def _real(value: object) -> float:
    # Real takes in NumPy's scalars, which are neither int nor float.
    if isinstance(value, bool) or not isinstance(value, (Real, str)):
        raise TypeError("expected a number")
    try:
        return float(value)
    except (ValueError, OverflowError):
        raise ValueError("expected a number") from None


def _whole(value: object) -> int:
    # Not through float where it can be avoided: that would round a large seed.
    if isinstance(value, bool):
        raise TypeError("expected a number")
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    number = _real(value)
    if not number.is_integer():
        raise ValueError("expected a whole number")
    return int(number)


def _angle(value: object) -> int:
    try:
        degrees = _whole(value)
    except (TypeError, ValueError):
        degrees = -1
    if degrees not in (0, 90, 180, 270):
        raise ValueError("expected 0, 90, 180 or 270")
    return degrees


def _size(value: object) -> int:
    return parse_size(value) if isinstance(value, str) else _whole(value)


def _rate(value: object) -> Fraction:
    # A float is read as it is written: 29.97 is 2997/100, not the nearest binary fraction.
    if isinstance(value, bool) or not isinstance(value, (Real, str)):
        raise TypeError(_RATE)
    text = value if isinstance(value, (str, Rational)) else repr(float(value))
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(_RATE) from None


def _range(value: object) -> tuple[float, float]:
    parts = value.split(",") if isinstance(value, str) else value
    if isinstance(parts, (list, tuple)) and len(parts) == 2:
        low, high = map(_real, parts)
        if low < high and math.isfinite(high - low):
            return low, high
    raise ValueError("expected LOW,HIGH, two finite numbers, the lower one first")


def _bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("expected true or false")
    return value


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("expected a word")
    return value


def _text(value: object) -> str:
    # A preset may be a number, which TOML and Python would rather write as one.
    return _word(value) if isinstance(value, bool) or not isinstance(value, Integral) else str(int(value))


def _file(value: object) -> str:
    if not isinstance(value, (str, PathLike)) or not (name := fspath(value)).strip():
        raise TypeError("expected the name of a file or folder")
    return str(name)


def _names(value: object) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, (list, tuple)):
        raise TypeError("expected names separated by commas")
    return tuple(dict.fromkeys(str(part).strip() for part in parts if str(part).strip()))


def _place(value: object) -> Position:
    """Return a place in footage, which may be a share of its length."""
    if isinstance(value, Position):
        return value
    if isinstance(value, bool) or not isinstance(value, (Integral, str)):
        raise TypeError("expected frames (120), seconds ('12.5s') or a time ('00:01:30')")
    return Position.parse(str(value))


def _position(value: object) -> Position:
    """Return a length of footage: frames or a time."""
    position = _place(value)
    if position.share is not None:
        raise ValueError(
            "a share of the length is for --start and --end; expected frames (120) or a time (2m30s)"
        )
    return position


def _seconds(value: object) -> Fraction:
    if isinstance(value, str):
        return parse_seconds(value)
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(SECONDS)
    try:
        return Fraction(value) if isinstance(value, (Fraction, Integral)) else Fraction(str(float(value)))
    except ValueError:
        raise ValueError(SECONDS) from None


_READERS: dict[str, Callable[[object], Any]] = {
    "float": _real,
    "int": _whole,
    "rate": _rate,
    "range": _range,
    "angle": _angle,
    "size": _size,
    "flag": _bool,
    "choice": _word,
    "word": _text,
    "names": _names,
    "file": _file,
    "areas": read_areas,
    "zones": read_zones,
    "seconds": _seconds,
    "place": _place,
    "position": _position,
}


def unreadable(value: object, error: Exception) -> str:
    """Return what is wrong with *value*, which :func:`read` has refused with *error*, in one line."""
    return str(error) if isinstance(error, WrongPart) else f"{shown(value)}: {error}"


def read(kind: str, value: object) -> Any:
    """Return *value* as an option of that *kind*; ``ValueError`` or ``TypeError`` says what was expected."""
    return _READERS[kind](value)
