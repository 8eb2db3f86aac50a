"""Numbers with their nouns."""

from __future__ import annotations


def count_of(number: int, thing: str) -> str:
    """Return *number* followed by the noun, whose plural ends in s.

    Examples
    --------
    >>> count_of(1, "frame"), count_of(1200, "pixel")
    ('1 frame', '1200 pixels')
    """
    return f"{number} {plural(thing, number)}"


def plural(thing: str, number: float) -> str:
    """Return *thing* inflected to follow a number: one frame, two frames."""
    return thing if number == 1 else f"{thing}s"


def span(first: int, last: int) -> str:
    """Return a range of numbers as text: ``"3–7"``, or ``"3"`` if it holds only one."""
    return f"{first}–{last}" if last != first else str(first)
