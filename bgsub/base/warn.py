"""Warnings about the footage, issued on the consumer's thread.

A reader may run on the read-ahead thread of :mod:`bgsub.base.prefetch`. Before Python 3.14 the filters of
:mod:`warnings` belong to the whole process (from then on, to one context), so a warning issued there could be
swallowed by a ``catch_warnings`` block that the consumer happens to be in. Readers therefore call
:func:`report`; on the read-ahead thread it passes the message to the consumer, which issues it between two frames.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from bgsub.errors import BgsubWarning

_carrier: ContextVar[Callable[[str], None] | None] = ContextVar("bgsub_warning_carrier", default=None)


def report(message: str) -> None:
    """Issue a :class:`bgsub.errors.BgsubWarning` about the footage.

    Parameters
    ----------
    message
        One line: what is wrong with which file.
    """
    carry = _carrier.get()
    if carry is None:
        # 1 is this function, 2 the generator that reads, 3 its caller.
        warnings.warn(message, BgsubWarning, stacklevel=3)
    else:
        carry(message)


@contextmanager
def carried_by(carry: Callable[[str], None]) -> Iterator[None]:
    """Pass every message reported in this context (this thread) to *carry* instead of issuing it."""
    token = _carrier.set(carry)
    try:
        yield
    finally:
        _carrier.reset(token)


@contextmanager
def recorded(seen: list[str]) -> Iterator[None]:
    """Issue each message reported in this context once, even if the footage is read twice, and append it to *seen*."""

    def once(message: str) -> None:
        if message not in seen:
            seen.append(message)
            warnings.warn(message, BgsubWarning, stacklevel=3)

    with carried_by(once):
        yield
