"""The kinds of values an option can have, and how each is read from text, TOML or Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bgsub.position import Position


def _number(kind: type[int] | type[float], value: object) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise TypeError("expected a number")
    number = float(value)
    if kind is float:
        return number
    if number != int(number):
        raise ValueError("expected a whole number")
    return int(number)


def _bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("expected true or false")
    return value


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("expected a word")
    return value


def _names(value: object) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, (list, tuple)):
        raise TypeError("expected names separated by commas")
    return tuple(dict.fromkeys(str(part).strip() for part in parts if str(part).strip()))


def _roi(value: object) -> tuple[int, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, (list, tuple)) or len(parts) != 4:
        raise ValueError("expected x,y,width,height")
    return tuple(_number(int, part) for part in parts)


def _position(value: object) -> Position:
    if isinstance(value, Position):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise TypeError("expected frames (120), seconds ('12.5s') or a time ('00:01:30')")
    return Position.parse(str(value))


_READERS: dict[str, Callable[[object], Any]] = {
    "float": lambda value: _number(float, value),
    "int": lambda value: _number(int, value),
    "flag": _bool,
    "choice": _word,
    "names": _names,
    "roi": _roi,
    "position": _position,
}


def read(kind: str, value: object) -> Any:
    """Return *value* as an option of that *kind*; ``ValueError`` or ``TypeError`` says what was expected."""
    return _READERS[kind](value)
