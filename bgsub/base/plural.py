"""Numbers of things, as people write them."""

from __future__ import annotations


def count_of(number: int, thing: str) -> str:
    """Return a number with the noun that it counts, whose plural ends in s.

    Examples
    --------
    >>> count_of(1, "frame"), count_of(1200, "pixel")
    ('1 frame', '1200 pixels')
    """
    return f"{number} {plural(thing, number)}"


def plural(thing: str, number: float) -> str:
    """Return *thing* as it follows a number: one frame, two frames."""
    return thing if number == 1 else f"{thing}s"


def span(first: int, last: int) -> str:
    """Return the numbers from *first* to *last* in words: ``"3–7"``, or ``"3"`` alone."""
    return f"{first}–{last}" if last != first else str(first)
