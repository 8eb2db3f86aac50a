"""One function over many items, several at a time: the results in order, and few of them in memory."""

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
    """Yield each of *items* with what *function* makes of it, in their order, computed on so many threads.

    With one thread nothing is started or read ahead: it is a loop. With more, as many items are in work or waiting to
    be taken; *items* is iterated by the caller's thread.

    Parameters
    ----------
    function
        Must bear being called on several threads at a time; worth it where it leaves the interpreter lock (OpenCV,
        compiled passes).
    items
        Anything.
    threads
        At least 1.

    Raises
    ------
    OptionError
        When there are no threads.
    Exception
        What *function* raises, in the place of that result; what *items* raises, after the results of those before it.
        What is in work then is waited for, what is not is dropped.
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
    """Return the number of processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
