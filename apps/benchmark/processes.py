"""One process for each item of work: its memory ends with it, and nothing is shared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from tqdm import tqdm

T = TypeVar("T")
R = TypeVar("R")


def each(function: Callable[[T], R], items: Sequence[T], processes: int) -> list[R]:
    """Return what a function of a module gives for all items, in order; in this process if there is to be one only."""
    bar = tqdm(total=len(items), unit=" sequences")
    with bar:
        if processes == 1:
            return [_counted(function(item), bar) for item in items]
        with ProcessPoolExecutor(processes, get_context("spawn"), max_tasks_per_child=1) as pool:
            return [_counted(result, bar) for result in pool.map(function, items)]


def _counted(result: R, bar: tqdm[None]) -> R:
    bar.update()
    return result
