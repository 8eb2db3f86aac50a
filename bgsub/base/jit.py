"""Compilation of the kernels: numba with a cache on disk where there is one to write to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numba

FAST = {"nnan", "nsz", "arcp", "contract", "reassoc"}
"""Sums may be reordered; infinities keep their meaning, since an infinite threshold makes everything zero."""

FLAGS: dict[str, Any] = {"nogil": True, "fastmath": FAST, "error_model": "numpy"}


def compiled(function: Callable[..., Any]) -> Any:
    """Compile *function* on its first call, without the GIL; the machine code is kept on disk where that is possible.

    numba refuses at this point when it finds no folder to write to (a read-only installation, a function without a
    source file); the function is then compiled once per process. What it calls must be :func:`inlined`.
    """
    return _compiled(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile *function* as :func:`compiled` does, and as a part of every compiled function that calls it.

    The machine code on disk holds a copy of what it calls, optimised once more than the function by itself. Were it
    called, the process that compiles would call the function by itself, and every later process the copy: with sums in
    another order, so that the first run on a machine would differ from all others in the last digits.
    """
    return _compiled(function, forceinline=True)


def _compiled(function: Callable[..., Any], **inlining: Any) -> Any:
    try:
        return _forgiving(numba.njit(function, cache=True, **FLAGS, **inlining))
    except RuntimeError:
        return numba.njit(function, **FLAGS, **inlining)


@contextmanager
def on_first_compilation(tell: Callable[[], None]) -> Iterator[None]:
    """Call *tell* once if something has to be compiled inside the block that the cache does not hold.

    From any thread. Compilation takes some seconds in all, on a machine where nothing was compiled before.
    """
    _LISTENERS.append(tell)
    try:
        yield
    finally:
        if tell in _LISTENERS:
            _LISTENERS.remove(tell)


_LISTENERS: list[Callable[[], None]] = []


def _announce() -> None:
    while _LISTENERS:
        _LISTENERS.pop()()


def _forgiving(dispatcher: Any) -> Any:
    """Tell of code that is not in the cache; where it cannot be kept there (a full disk), do not fail."""
    cache = getattr(dispatcher, "_cache", None)
    load, keep = (getattr(cache, name, None) for name in ("load_overload", "save_overload"))
    if cache is None or load is None or keep is None:
        return dispatcher

    def load_overload(signature: Any, target: Any) -> Any:
        found = None
        with suppress(Exception):  # a damaged file is as good as none
            found = load(signature, target)
        if found is None:
            _announce()
        return found

    def save_overload(signature: Any, data: Any) -> None:
        with suppress(Exception):
            keep(signature, data)

    cache.load_overload, cache.save_overload = load_overload, save_overload
    return dispatcher
