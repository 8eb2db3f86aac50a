from __future__ import annotations

import threading
import traceback
import warnings
from collections.abc import Iterator
from itertools import product

import pytest

from bgsub.base.prefetch import prefetch
from bgsub.base.warn import report
from bgsub.errors import BgsubWarning, OptionError


class Numbers:
    """Counts up; knows how far it was asked, and whether and on which thread it was closed."""

    def __init__(self, stop: int = 10**9) -> None:
        self.stop = stop
        self.produced = 0
        self.closed_on: str | None = None

    def __iter__(self) -> Iterator[int]:
        try:
            for number in range(self.stop):
                self.produced += 1
                yield number
        finally:
            self.closed_on = threading.current_thread().name


@pytest.fixture(autouse=True)
def no_thread_survives() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


def test_all_items_come_in_order():
    for count, depth in product([0, 1, 500], [1, 2, 7, 1000]):
        assert list(prefetch(range(count), depth)) == list(range(count)), (count, depth)


def test_it_reads_ahead_but_no_further_than_asked():
    for depth in [1, 5]:
        numbers = Numbers()
        items = prefetch(numbers, depth)
        for _ in range(20):
            next(items)
        assert numbers.produced <= 20 + depth + 1, depth
        items.close()


def test_closing_early_ends_the_thread_and_closes_the_source():
    for taken in [1, 3]:
        numbers = Numbers()
        items = prefetch(numbers, 2)
        for _ in range(taken):
            next(items)
        items.close()
        assert numbers.closed_on == "bgsub-prefetch", taken


def test_dropping_the_generator_is_closing_it():
    numbers = Numbers()
    items = prefetch(numbers, 2)
    next(items)
    del items
    assert numbers.closed_on == "bgsub-prefetch"


def test_a_raising_producer_raises_in_the_consumer_after_its_items():
    def failing() -> Iterator[int]:
        yield 1
        yield 2
        raise KeyError("lost")

    items = prefetch(failing(), 8)
    assert [next(items), next(items)] == [1, 2]
    with pytest.raises(KeyError, match="lost") as caught:
        next(items)
    assert "failing" in [entry.name for entry in traceback.extract_tb(caught.value.__traceback__)]


def test_what_cannot_be_iterated_raises_in_the_consumer():
    with pytest.raises(TypeError, match="not iterable"):
        next(prefetch(7, 1))


def test_a_system_exit_of_the_producer_does_not_leave_the_consumer_waiting():
    def leaving() -> Iterator[int]:
        yield 1
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        list(prefetch(leaving(), 1))


def reporting(*events: int | str) -> Iterator[int]:
    for event in events:
        if isinstance(event, str):
            report(event)
        else:
            yield event


def test_a_reader_s_warning_reaches_the_consumer():
    with pytest.warns(BgsubWarning, match="damaged") as caught:
        assert list(prefetch(reporting(1, 2, "damaged", 3), 8)) == [1, 2, 3]
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_a_warning_is_not_lost_in_a_filter_that_the_consumer_sets_for_something_else():
    started = threading.Event()

    def slow() -> Iterator[int]:
        yield 1
        started.wait(10)
        report("damaged")
        finished.set()
        yield 2

    finished = threading.Event()
    items = prefetch(slow(), 4)
    next(items)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        started.set()
        assert finished.wait(10)
    with pytest.warns(BgsubWarning, match="damaged"):
        assert list(items) == [2]


def test_a_warning_that_is_an_error_stops_both_sides():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        items = prefetch(reporting(1, "damaged", *range(1000)), 2)
        with pytest.raises(BgsubWarning, match="damaged"):
            list(items)


def test_without_read_ahead_the_warning_is_issued_at_once():
    with pytest.warns(BgsubWarning, match="damaged") as caught:
        assert list(reporting(1, "damaged")) == [1]
    assert caught[0].filename == __file__


def test_a_depth_below_one_is_refused_at_once():
    for depth in [0, -1]:
        with pytest.raises(OptionError, match="at least 1"):
            prefetch([], depth)


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_a_signal_while_the_thread_is_waited_for_comes_when_it_has_ended(
    monkeypatch, interrupt: type[BaseException]
):
    """Of Ctrl-C and of SIGTERM, which leaves through SystemExit: what the thread writes to is closed afterwards."""
    waits = iter([interrupt()])
    wait = threading.Event.wait

    def wait_or_raise(event: threading.Event, timeout: float | None = None) -> bool:
        if timeout == 1.0 and (error := next(waits, None)):
            raise error
        return wait(event, timeout)

    items = prefetch(Numbers(), 2)
    next(items)
    monkeypatch.setattr(threading.Event, "wait", wait_or_raise)
    with pytest.raises(interrupt):
        items.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "bgsub-prefetch"]
