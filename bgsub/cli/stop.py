"""Handling of Ctrl-C and other termination signals: the first cleans up on the way out, a second ends at once.

Python's own handler raises whenever it is called, even during clean-up, and is removed before the interpreter
has shut down: a second Ctrl-C would cut the clean-up short, print a traceback, or end the process as if unhandled.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

from bgsub.base.cleanup import sweep

INTERRUPTED, TERMINATED = 130, 143
INTERRUPT = "interrupted; no file is left half-written"
CODES = {
    int(getattr(signal, name)): code
    for name, code in (("SIGINT", INTERRUPTED), ("SIGTERM", TERMINATED), ("SIGHUP", TERMINATED))
    if hasattr(signal, name)
}
"""Exit codes by signal, for the signals that end the program."""
AGAIN = 0.05
"""Seconds until an interrupt is raised again that arrived where no exception can propagate."""


class _Asked:
    code: int | None = None


def asked() -> int | None:
    """Return the exit code for the signal that has requested termination; None if none has."""
    return _Asked.code


def watch() -> dict[int, Any]:
    """Install handlers for the signals that end a program; return the previous handlers.

    A signal that is ignored stays ignored: SIGHUP under ``nohup``, Ctrl-C in a script's background job. Only
    the main thread receives signals; in other threads this does nothing.
    """
    _Asked.code = None
    if threading.current_thread() is not threading.main_thread():
        return {}
    sys.unraisablehook = _raise_again
    before = {number: signal.getsignal(number) for number in CODES}
    before = {number: handler for number, handler in before.items() if handler not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, _heed)
    return before


@contextmanager
def watching() -> Iterator[None]:
    """Handle signals within the block, for a program that is called from Python."""
    hook = sys.unraisablehook
    before = watch()
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook


def deafen() -> None:
    """Ignore all further signals: what is left to do takes a moment, and is reported only once."""
    if threading.current_thread() is threading.main_thread():
        for number in CODES:
            if signal.getsignal(number) is _heed:
                signal.signal(number, signal.SIG_IGN)


def leave(code: int) -> NoReturn:
    """End the process with *code*.

    After a signal this skips the interpreter's shutdown, which waits for threads and could be interrupted
    with a traceback.
    """
    deafen()
    sweep()
    if _Asked.code is None:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def _heed(number: int, _frame: FrameType | None) -> None:
    if _Asked.code is not None:
        _end_at_once(_Asked.code)
    _Asked.code = CODES[number]
    # Exiting through an exception lets unfinished files be removed.
    raise KeyboardInterrupt if _Asked.code == INTERRUPTED else SystemExit(_Asked.code)


def _end_at_once(code: int) -> NoReturn:
    deafen()
    sweep()
    if code == INTERRUPTED:
        say_interrupted()
    os._exit(code)


def say_interrupted() -> None:
    """Report it on standard error, but not through its stream, whose lock the interrupted code may hold."""
    with suppress(OSError):
        os.write(2, f"bgsub: {INTERRUPT}\n".encode())


def _raise_again(raised: Any) -> None:
    """Re-raise an interrupt that arrived in a finaliser or callback, from which no exception propagates."""
    if _Asked.code is None:
        sys.__unraisablehook__(raised)
    elif issubclass(raised.exc_type, (KeyboardInterrupt, SystemExit)):
        number = signal.SIGINT if _Asked.code == INTERRUPTED else signal.SIGTERM
        again = threading.Timer(AGAIN, _send, (number,))
        again.daemon = True
        again.start()


def _send(number: int) -> None:
    if signal.getsignal(number) is not _heed:
        return
    # Not earlier: a second signal before this must end the program, since nothing can be raised there either.
    _Asked.code = None
    main = threading.main_thread().ident
    # To the main thread, which may be blocked waiting for another one.
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, number)
    else:
        signal.raise_signal(number)
