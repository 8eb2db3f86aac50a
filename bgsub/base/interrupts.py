"""Moments that must not be cut in two: a Ctrl-C that comes then comes too late."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ignore SIGINT, SIGTERM and SIGHUP within the block: finishing, or cleaning up, takes moments.

    Only the main thread of a program is interrupted by signals; elsewhere nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = [(number, signal.signal(number, signal.SIG_IGN)) for number in SIGNALS]
    try:
        yield
    finally:
        for number, handler in before:
            # A handler that was not set from Python cannot be put back as it was.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
