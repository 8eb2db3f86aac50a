"""What may be wrong with an argument that is not data: numbers, switches, shapes, things of the wrong kind.

Each function returns the value in its plain Python type or raises an :class:`bgsub.errors.OptionError` of one line.
"""

from __future__ import annotations

import math
import numbers
import operator
from typing import Any

import numpy as np

from bgsub.errors import OptionError

LONGEST = 60
"""Characters of a value that a message shows."""


def shown(value: object) -> str:
    """Return what messages show of *value*: one short line, whatever it is."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an integer of more digits than Python writes out, or somebody's own __repr__
        return f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def whole_number(value: Any, name: str, least: int = 0) -> int:
    """Return *value* as an int: anything that Python takes for an index, such as a NumPy integer, but no bool.

    Raises
    ------
    OptionError
        No whole number, or below *least*; the message calls it *name*.
    """
    try:
        found = None if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        found = None
    if found is None or found < least:
        raise OptionError(f"{name} must be a whole number of at least {least}, but is {shown(value)}")
    return found


def number(
    value: Any,
    name: str,
    least: float | None = None,
    above: float | None = None,
    most: float = math.inf,
    finite: bool = True,
) -> float:
    """Return *value* as a float: any real number, from NumPy or not, but no bool, no NaN and no array with dimensions.

    Parameters
    ----------
    value, name
        What was given, and what the message calls it.
    least, above
        It must be at least the one, or more than the other.
    most
        It must be at most this.
    finite
        Whether infinity is refused, and numbers beyond the range of a float with it.

    Raises
    ------
    OptionError
        Anything else.
    """
    found = _as_float(value)
    if (
        math.isnan(found)
        or (finite and math.isinf(found))
        or (least is not None and found < least)
        or (above is not None and found <= above)
        or found > most
    ):
        limits = [] if least is None else [f"of at least {least:g}"]
        limits += [] if above is None else [f"above {above:g}"]
        limits += [] if math.isinf(most) else [f"at most {most:g}"]
        kind = "a finite number" if finite else "a number"
        wanted = f"{kind} {' and '.join(limits)}".rstrip()
        raise OptionError(f"{name} must be {wanted}, but is {shown(value)}")
    return found


def true_or_false(value: Any, name: str) -> bool:
    """Return *value*, True or False, also those of NumPy, as a bool.

    Raises
    ------
    OptionError
        It is something else; the message calls it *name*.
    """
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise OptionError(f"{name} must be True or False, but is {shown(value)}")


def matrix_shape(value: Any, name: str) -> tuple[int, int]:
    """Return *value* as two ints of at least one.

    Raises
    ------
    OptionError
        It is something else; the message calls it *name*.
    """
    try:
        n, p = (whole_number(side, name, 1) for side in value)
    except (TypeError, ValueError):
        raise OptionError(f"{name} must be two whole numbers above 0, but is {shown(value)}") from None
    return n, p


def require_kind(value: object, kind: Any, name: str, example: str) -> None:
    """Raise unless *value* is an instance of *kind* (a class, or a protocol by the names of its members).

    Raises
    ------
    OptionError
        It is something else, or a class where an object is asked for; the message calls it *name*.
    """
    if isinstance(value, type) or not isinstance(value, kind):
        raise OptionError(f"{name} must be {example}, but is {shown(value)}")


def _as_float(value: Any) -> float:
    """Return *value* as a float, NaN if it is no real number; beyond the range of a float it is infinite."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value >= 1 else -math.inf  # type: ignore[operator] # a Real can be compared
