"""Compilation of the kernels: numba with a cache on disk where there is one to write to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numba

FAST = {"nnan", "nsz", "arcp", "contract", "reassoc"}
"""Sums may be reordered; infinities keep their meaning, since an infinite threshold makes everything zero."""


def compiled(function: Callable[..., Any]) -> Any:
    """Compile *function* on its first call, without the GIL; the machine code is kept on disk where that is possible.

    numba refuses at this point when it finds no folder to write to (a read-only installation, a function without a
    source file); the function is then compiled once per process.
    """
    try:
        return _forgiving(numba.njit(function, cache=True, nogil=True, fastmath=FAST, error_model="numpy"))
    except RuntimeError:
        return numba.njit(function, nogil=True, fastmath=FAST, error_model="numpy")


def _forgiving(dispatcher: Any) -> Any:
    """Let machine code that cannot be kept (a full disk, a quota) be compiled anew next time, instead of failing."""
    cache = getattr(dispatcher, "_cache", None)
    keep = getattr(cache, "save_overload", None)
    if cache is not None and keep is not None:

        def save_overload(signature: Any, data: Any) -> None:
            with suppress(OSError):
                keep(signature, data)

        cache.save_overload = save_overload
    return dispatcher
