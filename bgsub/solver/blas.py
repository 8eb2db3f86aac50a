"""Limit BLAS to one thread during a run: in small products its threads mostly wait for each other."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from threadpoolctl import threadpool_limits


def one_blas_thread() -> AbstractContextManager[Any]:
    """Return a context manager that limits BLAS to one thread; outside the main thread it does nothing.

    The limit is process-wide. Overlapping runs in several threads would restore it in the wrong order, and
    OpenBLAS ignores limits set from other threads; either way the limit could become permanent.
    """
    is_main = threading.current_thread() is threading.main_thread()
    return threadpool_limits(1, "blas") if is_main else nullcontext()
