"""Kernel compilation: numba, with an on-disk cache where one can be written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numba

FAST = {"nnan", "nsz", "arcp", "contract", "reassoc"}
"""Sums may be reordered, but infinities keep their meaning: an infinite threshold makes everything zero."""

FLAGS: dict[str, Any] = {"nogil": True, "fastmath": FAST, "error_model": "numpy"}


def compiled(function: Callable[..., Any]) -> Any:
    """Compile *function* on its first call, without the GIL; the machine code is cached on disk if possible.

    numba raises here if it finds no writable cache folder (a read-only installation, a function without a
    source file); the function is then compiled once per process. Functions that it calls must be :func:`inlined`.
    """
    return _compiled(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile *function* like :func:`compiled`, and inline it into every compiled function that calls it.

    Cached machine code contains a copy of each callee, optimised once more than the callee on its own. With
    ordinary calls, the compiling process would run the callee on its own and every later process the copy,
    which sums in a different order: the first run on a machine would differ from all others in the last digits.
    """
    return _compiled(function, forceinline=True)


def _compiled(function: Callable[..., Any], **inlining: Any) -> Any:
    try:
        return _forgiving(numba.njit(function, cache=True, **FLAGS, **inlining))
    except RuntimeError:
        return numba.njit(function, **FLAGS, **inlining)


@contextmanager
def on_first_compilation(tell: Callable[[], None]) -> Iterator[None]:
    """Call *tell* once if anything in the block, on any thread, must be compiled because it is not cached.

    Compilation takes some seconds in all on a machine where nothing has been compiled before.
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
    """Announce cache misses, and tolerate a cache that cannot be read or written (a full disk)."""
    cache = getattr(dispatcher, "_cache", None)
    load, keep = (getattr(cache, name, None) for name in ("load_overload", "save_overload"))
    if cache is None or load is None or keep is None:
        return dispatcher

    def load_overload(signature: Any, target: Any) -> Any:
        found = None
        with suppress(Exception):  # a damaged file counts as a cache miss
            found = load(signature, target)
        if found is None:
            _announce()
        return found

    def save_overload(signature: Any, data: Any) -> None:
        with suppress(Exception):
            keep(signature, data)

    cache.load_overload, cache.save_overload = load_overload, save_overload
    return dispatcher
