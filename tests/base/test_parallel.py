"""Several items at a time: the same results in the same order, errors in their place."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import product

import pytest

from bgsub.base.parallel import mapped
from bgsub.errors import OptionError


def slow_square(value: int) -> int:
    # The first of a pair takes longer than the second.
    time.sleep(0.004 if value % 2 == 0 else 0.0)
    return value * value


def test_results_come_in_the_order_of_the_items() -> None:
    for count, threads in product([0, 1, 2, 23], [1, 2, 5]):
        found = list(mapped(slow_square, range(count), threads))
        assert found == [(value, value * value) for value in range(count)], (count, threads)


def test_as_many_are_in_work_as_there_are_threads() -> None:
    together = threading.Barrier(3, timeout=20)
    assert [made for _, made in mapped(lambda _: together.wait() >= 0, range(6), 3)] == [True] * 6


def test_no_more_items_are_taken_than_there_are_threads() -> None:
    for threads in (1, 2, 3):
        taken: list[int] = []
        items = (taken.append(value) or value for value in range(20))
        for given, _ in enumerate(mapped(slow_square, items, threads), start=1):
            assert len(taken) <= given - 1 + threads, threads


def test_what_an_item_raises_comes_in_its_place_and_ends_the_rest() -> None:
    def divide(value: int) -> float:
        return 1 / (3 - value)

    for threads in (1, 2, 4):
        results = mapped(divide, range(10), threads)
        assert [next(results)[0] for _ in range(3)] == [0, 1, 2], threads
        with pytest.raises(ZeroDivisionError):
            next(results)
        assert list(results) == [], threads


def test_what_the_items_raise_comes_after_the_results_before_it() -> None:
    def broken() -> Iterator[int]:
        yield from range(3)
        raise OSError("the disk is gone")

    for threads in (1, 2, 4):
        results = mapped(slow_square, broken(), threads)
        assert [next(results)[0] for _ in range(3)] == [0, 1, 2], threads
        with pytest.raises(OSError, match="the disk is gone"):
            next(results)


def test_no_thread_is_left_when_it_is_closed_early() -> None:
    before = threading.active_count()
    results = mapped(slow_square, range(100), 3)
    next(results)
    results.close()
    assert threading.active_count() == before


def test_there_must_be_a_thread() -> None:
    with pytest.raises(OptionError, match="at least 1, got 0"):
        next(mapped(slow_square, [1], 0))
