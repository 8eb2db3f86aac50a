"""One thing in the place of another, for a while."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Make = Callable[[Any], Any]
"""From what stands at a place to what stands there instead."""


@contextmanager
def replaced(owner: str, attribute: str, make: Make) -> Iterator[None]:
    """Let *attribute* of *owner*, ``package.module[:Class]``, be what *make* makes of it, for all threads."""
    place = pkgutil.resolve_name(owner)
    # From the class itself: what getattr gives of a class method is bound, and could not be put back.
    kept = vars(place)[attribute]
    setattr(place, attribute, make(getattr(place, attribute)))
    try:
        yield
    finally:
        setattr(place, attribute, kept)
