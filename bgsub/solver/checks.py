"""Validation of arguments other than data: numbers, flags, shapes, types.

Each check returns the value as a plain Python type or raises a one-line :class:`bgsub.errors.OptionError`.
"""

from __future__ import annotations

import math
import numbers
import operator
from typing import Any

import numpy as np

from bgsub.errors import OptionError

LONGEST = 60
"""Maximum length of a value in a message."""


def shown(value: object) -> str:
    """Return *value* as messages show it: one short line, whatever it is."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an int too long for Python to print, or a faulty user-defined __repr__
        return f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def whole_number(value: Any, name: str, least: int = 0) -> int:
    """Return *value* as an int; accepts anything with ``__index__``, such as a NumPy integer, but not bool.

    Raises
    ------
    OptionError
        *value* is not an integer or is below *least*; the message calls it *name*.
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
    """Return *value* as a float; accepts any real number, NumPy scalar or 0-d array, but not bool or NaN.

    Parameters
    ----------
    value, name
        The value, and its name in messages.
    least, above
        Inclusive and exclusive lower bound.
    most
        Inclusive upper bound.
    finite
        If True, reject infinity and numbers beyond the range of a float.

    Raises
    ------
    OptionError
        *value* is anything else.
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
    """Return *value*, a Python or NumPy bool, as a bool.

    Raises
    ------
    OptionError
        *value* is anything else; the message calls it *name*.
    """
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise OptionError(f"{name} must be True or False, but is {shown(value)}")


def matrix_shape(value: Any, name: str) -> tuple[int, int]:
    """Return *value* as two positive ints.

    Raises
    ------
    OptionError
        *value* is anything else; the message calls it *name*.
    """
    try:
        n, p = (whole_number(side, name, 1) for side in value)
    except (TypeError, ValueError):
        raise OptionError(f"{name} must be two whole numbers above 0, but is {shown(value)}") from None
    return n, p


def require_kind(value: object, kind: Any, name: str, example: str) -> None:
    """Raise unless *value* is an instance of *kind* (a class, or a protocol, checked by member names only).

    Raises
    ------
    OptionError
        *value* is something else, or a class instead of an instance; the message calls it *name*.
    """
    if isinstance(value, type) or not isinstance(value, kind):
        raise OptionError(f"{name} must be {example}, but is {shown(value)}")


def _as_float(value: Any) -> float:
    """Return *value* as a float: NaN unless it is a real number, infinite beyond the range of a float."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value >= 1 else -math.inf  # type: ignore[operator] # a Real can be compared
