"""Columns in tiles, tiles in chunks, chunks on threads; results in chunk order."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TypeVar

from bgsub.base.parallel import processors
from bgsub.solver.checks import whole_number

TILE_ENTRIES = 3 << 16
"""Entries per tile: 0.75 MiB of float32, well within a typical L2 cache."""

CHUNKS = 64
"""Maximum number of chunks per pass; fixed, so that sums do not depend on the number of threads."""

T = TypeVar("T")


def tile_width(rows: int, columns: int) -> int:
    """Return the number of columns of a tile: a multiple of 64 between 64 and 4096, capped at *columns*."""
    return min(max(64, min(4096, TILE_ENTRIES // rows // 64 * 64)), columns)


def chunk_bounds(columns: int, width: int, most: int = CHUNKS) -> list[tuple[int, int]]:
    """Return at most *most* ranges ``[lo, hi)`` that cover the columns, each starting at a tile boundary."""
    tiles = -(-columns // width)
    chunks = min(tiles, most)
    edges = [width * (k * tiles // chunks) for k in range(chunks)] + [columns]
    return list(itertools.pairwise(edges))


class Workers:
    """A fixed number of threads, as a context manager; with one, no thread is started.

    Raises
    ------
    OptionError
        *threads* is below one.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.threads = processors() if threads is None else whole_number(threads, "threads", 1)
        self._pool = ThreadPoolExecutor(self.threads, "bgsub-solver") if self.threads > 1 else None

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def map(self, task: Callable[[int, int], T], count: int) -> list[T]:
        """Return ``[task(0, w), …, task(count − 1, w)]``, w being the number of the worker that runs the task.

        Tasks with the same w never run concurrently, so w may index a buffer. Worker 0 is the calling thread.
        """
        results: dict[int, T] = {}
        todo = iter(range(count))

        def work(worker: int) -> None:
            for index in _shared(todo):
                results[index] = task(index, worker)

        if self._pool is None or count == 1:
            work(0)
        else:
            others = [self._pool.submit(work, k) for k in range(1, min(self.threads, count))]
            work(0)
            for other in others:
                other.result()
        return [results[index] for index in range(count)]


def _shared(todo: Iterator[int]) -> Iterator[int]:
    """Draw from an iterator shared between threads; one over range() hands out each number once."""
    while (index := next(todo, None)) is not None:
        yield index
