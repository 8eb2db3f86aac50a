"""Unfinished work, to be removed if the program ends without unwinding its ``with`` blocks.

Normally those blocks clean up. But a second Ctrl-C ends the program while they are running, and one that hits
the first line of an ``__exit__`` skips the rest of it; so whoever starts something that must not be left
behind registers here how to remove it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress

_UNFINISHED: dict[Hashable, Callable[[], object]] = {}


def begun(what: Hashable, remove: Callable[[], object]) -> None:
    """Register *remove* as the clean-up of *what*, until :func:`over` is called."""
    _UNFINISHED[what] = remove


def over(what: Hashable) -> None:
    """Unregister *what*: it is finished or removed."""
    _UNFINISHED.pop(what, None)


def sweep() -> None:
    """Remove everything unfinished, most recent first. Raises nothing and never waits for a lock."""
    while True:
        try:
            _, remove = _UNFINISHED.popitem()
        except KeyError:
            return
        with suppress(Exception):
            remove()
