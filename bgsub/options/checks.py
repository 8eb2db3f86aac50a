"""What may be wrong with the values of options, said in one line each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from bgsub.base.plural import count_of
from bgsub.errors import OptionError, UsageError, nearest
from bgsub.options.areas import parse_area, parse_zone
from bgsub.options.position import Position
from bgsub.options.spec import Spec


def check_value(flag: str, value: Any, spec: Spec) -> None:
    """Raise unless *value*, which is of the right kind, is one that *spec* allows; None always is."""
    if value is None:
        return
    if spec.choices:
        values = value if isinstance(value, tuple) else (value,)
        for word in values:
            _check_choice(flag, word, spec)
        if not values:
            raise OptionError(f"{flag} is empty; choose from {spec.range}")
    if (
        isinstance(value, (int, float, Fraction))
        and not isinstance(value, bool)
        and not _inside(float(value), spec)
    ):
        raise OptionError(f"{flag} is {float(value):g}, but must be {spec.range}{_unit(spec)}")


def check_places(
    segment: Position, start: Position | None, end: Position | None, duration: Position | None
) -> None:
    """Raise where a segment is too short, or an end not after its start (as far as can be told), or given twice."""
    if segment.frame in (1, 2):
        length = count_of(segment.frame, "frame")
        raise OptionError(f"--segment is {length}, but must be 0 (the whole video) or at least 3")
    if start is not None and end is not None and _is_after(start, end):
        raise OptionError(f"--start {start} is not before --end {end}")
    if end is not None and duration is not None:
        raise OptionError(
            f"--end {end} and --duration {duration} both say where to stop: leave one of them out"
        )
    if duration is not None and not (duration.frame or duration.seconds):
        raise OptionError("--duration is 0, but must be at least a frame")


def check_areas(flag: str, texts: tuple[str, ...] | None) -> None:
    """Raise where an area is empty, or lies outside of every picture."""
    for text in texts or ():
        if fault := parse_area(text).fault:
            raise OptionError(f"{flag} {text} {fault}")


def check_zones(flag: str, texts: tuple[str, ...] | None) -> None:
    """Raise where a zone is empty, lies outside of every picture, or has the name of another."""
    names = [parse_zone(text)[0] for text in texts or ()]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"{flag}: two zones are called '{name}'; give each a name of its own")
    for text in texts or ():
        if fault := parse_zone(text)[1].fault:
            raise OptionError(f"{flag} {text} {fault}")


def _check_choice(flag: str, word: Any, spec: Spec) -> None:
    if word in spec.refused:
        raise OptionError(f"{flag} {word}: {spec.refused[word]}")
    if word not in spec.choices:
        near = nearest(str(word), spec.choices) or f"; choose from {spec.range}"
        raise UsageError(f"{flag}: no such choice '{word}'{near}")


def _unit(spec: Spec) -> str:
    """Return what a range is counted in, one of it where the range ends with 1."""
    unit = spec.unit.removesuffix("s") if spec.range.endswith(" 1") else spec.unit
    return f" {unit}" if unit else ""


def _inside(value: float, spec: Spec) -> bool:
    # Written so that NaN is never inside.
    low = spec.minimum is None or value >= spec.minimum
    low = low and (spec.above is None or value > spec.above)
    return low and (spec.maximum is None or value <= spec.maximum) and abs(value) < float("inf")


def _is_after(start: Position, end: Position) -> bool:
    if start.frame is not None and end.frame is not None:
        return start.frame >= end.frame
    if start.seconds is not None and end.seconds is not None:
        return start.seconds >= end.seconds
    if start.share is not None and end.share is not None:
        return start.share >= end.share
    return False
