"""Parameters of sets and penalties: numbers that must be finite and above (or not below) zero."""

from __future__ import annotations

import math
import numbers

from bgsub.errors import OptionError


def positive_radius(value: object, ball: str) -> float:
    """Return the radius *value* as a float.

    Raises
    ------
    OptionError
        Not a finite number above zero; the message names the *ball*.
    """
    return positive_parameter(value, "radius", ball)


def positive_parameter(value: object, name: str, owner: str) -> float:
    """Return *value* as a float.

    Raises
    ------
    OptionError
        Not a finite number above zero; the message names the parameter and its *owner*.
    """
    number = _finite(value)
    if number is None or number <= 0:
        raise OptionError(f"{name} of {owner} must be a finite number above 0, but is {value!r}")
    return number


def nonnegative_parameter(value: object, name: str, owner: str) -> float:
    """Return *value* as a float.

    Raises
    ------
    OptionError
        Not a finite number of at least zero; the message names the parameter and its *owner*.
    """
    number = _finite(value)
    if number is None or number < 0:
        raise OptionError(f"{name} of {owner} must be a finite number of at least 0, but is {value!r}")
    return number


def _finite(value: object) -> float | None:
    """Return *value* as a float if it is a finite real number; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        return None
    return float(value)
