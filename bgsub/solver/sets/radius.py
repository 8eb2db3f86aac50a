"""Validation of set and penalty parameters (finite, positive or nonnegative) and of initial guesses."""

from __future__ import annotations

import math

from bgsub.solver.checks import number


def positive_radius(value: object, ball: str) -> float:
    """Return the radius *value* as a float.

    Raises
    ------
    OptionError
        *value* is not a finite positive number; the message names *ball*.
    """
    return positive_parameter(value, "radius", ball)


def positive_parameter(value: object, name: str, owner: str) -> float:
    """Return *value* as a float.

    Raises
    ------
    OptionError
        *value* is not a finite positive number; the message names the parameter and its *owner*.
    """
    return number(value, f"{name} of {owner}", above=0)


def nonnegative_parameter(value: object, name: str, owner: str) -> float:
    """Return *value* as a float.

    Raises
    ------
    OptionError
        *value* is not a finite nonnegative number; the message names the parameter and its *owner*.
    """
    return number(value, f"{name} of {owner}", least=0)


def first_guess(value: float, owner: str) -> float:
    """Return the initial guess of a search whose result does not depend on it: *value*, or 0 if it is not finite.

    Raises
    ------
    OptionError
        *value* is not a real number; the message names *owner*.
    """
    if isinstance(value, float) and math.isnan(value):
        return 0.0
    found = number(value, f"start of {owner}", finite=False)
    return found if math.isfinite(found) else 0.0
