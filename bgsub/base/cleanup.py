"""What is half done, to be removed by a program that ends without going through the blocks that would remove it.

These blocks are the rule. But a second Ctrl-C ends the program while they are at work, and one that falls on the first
line of an ``__exit__`` leaves out the rest of it; so whoever begins something that must not stay says here how it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress

_UNFINISHED: dict[Hashable, Callable[[], object]] = {}


def begun(what: Hashable, remove: Callable[[], object]) -> None:
    """Remember that *what* is to be removed by *remove*, until it is :func:`over`."""
    _UNFINISHED[what] = remove


def over(what: Hashable) -> None:
    """Forget *what*: it is finished, or removed."""
    _UNFINISHED.pop(what, None)


def sweep() -> None:
    """Remove all that is half done, the latest first. Raises nothing, and waits for no lock."""
    while True:
        try:
            _, remove = _UNFINISHED.popitem()
        except KeyError:
            return
        with suppress(Exception):
            remove()
