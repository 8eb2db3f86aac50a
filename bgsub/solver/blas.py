"""One BLAS thread during a run: its threads wait for each other in every small product."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from threadpoolctl import threadpool_limits


def one_blas_thread() -> AbstractContextManager[Any]:
    """Return a context in which BLAS keeps to one thread, if this is the main thread; else one that does nothing.

    The limit is one of the whole process. Runs that overlap in several threads would restore it in the wrong order, and
    OpenBLAS does not take a new limit from other threads: with either it could stay for good.
    """
    is_main = threading.current_thread() is threading.main_thread()
    return threadpool_limits(1, "blas") if is_main else nullcontext()
