"""Parameters of sets and penalties: numbers that must be finite and above (or not below) zero; guesses."""

from __future__ import annotations

import math

from bgsub.solver.checks import number


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
    return number(value, f"{name} of {owner}", above=0)


def nonnegative_parameter(value: object, name: str, owner: str) -> float:
    """Return *value* as a float.

    Raises
    ------
    OptionError
        Not a finite number of at least zero; the message names the parameter and its *owner*.
    """
    return number(value, f"{name} of {owner}", least=0)


def first_guess(value: float, owner: str) -> float:
    """Return where a search begins that ends at the same place whatever *value* is: 0 for what is not finite.

    Raises
    ------
    OptionError
        No real number; the message names the *owner*.
    """
    if isinstance(value, float) and math.isnan(value):
        return 0.0
    found = number(value, f"start of {owner}", finite=False)
    return found if math.isfinite(found) else 0.0
