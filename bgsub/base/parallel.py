"""An ordered parallel map that holds few items in memory."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from bgsub.errors import OptionError

T = TypeVar("T")
R = TypeVar("R")


def mapped(
    function: Callable[[T], R], items: Iterable[T], threads: int
) -> Generator[tuple[T, R], None, None]:
    """Yield each item with ``function(item)``, in order, computed on *threads* threads.

    With one thread this is a plain loop: nothing is started or read ahead. With more, that many items are
    being computed or waiting to be consumed; *items* is iterated on the caller's thread.

    Parameters
    ----------
    function
        Must be thread-safe; worthwhile if it releases the GIL (OpenCV, compiled kernels).
    items
        Any iterable.
    threads
        At least 1.

    Raises
    ------
    OptionError
        *threads* is less than 1.
    Exception
        From *function*, in place of that result; from *items*, after the results before it. Calls in progress
        are then awaited, pending ones cancelled.
    """
    if threads < 1:
        raise OptionError(f"the number of threads must be at least 1, got {threads}")
    if threads == 1:
        for item in items:
            yield item, function(item)
        return
    waiting: deque[tuple[T, Future[R]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            yield from _ahead(function, items, pool, waiting, threads)
        finally:
            for _, future in waiting:
                future.cancel()


def _ahead(
    function: Callable[[T], R],
    items: Iterable[T],
    pool: ThreadPoolExecutor,
    waiting: deque[tuple[T, Future[R]]],
    threads: int,
) -> Generator[tuple[T, R], None, None]:
    source, error = iter(items), None
    while True:
        try:
            item = next(source)
        except StopIteration:
            break
        except Exception as raised:
            error = raised
            break
        waiting.append((item, pool.submit(function, item)))
        if len(waiting) == threads:
            yield _first(waiting)
    while waiting:
        yield _first(waiting)
    if error is not None:
        raise error


def _first(waiting: deque[tuple[T, Future[R]]]) -> tuple[T, R]:
    item, future = waiting.popleft()
    return item, future.result()


def processors() -> int:
    """Return the number of CPUs that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
