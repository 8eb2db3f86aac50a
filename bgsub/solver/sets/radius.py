"""The one parameter of a norm ball."""

from __future__ import annotations

import math
import numbers

from bgsub.errors import OptionError


def positive_radius(value: object, ball: str) -> float:
    """Return *value* as a float.

    Raises
    ------
    OptionError
        Not a finite number above zero; the message names the *ball*.
    """
    if not isinstance(value, numbers.Real) or not math.isfinite(value) or value <= 0:
        raise OptionError(f"radius of {ball} must be a finite number above 0, but is {value!r}")
    return float(value)
