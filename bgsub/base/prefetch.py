"""Read-ahead on a background thread.

Decoding and separating a frame use different resources; a bounded queue lets them overlap without changing
what the consumer sees: the same items in the same order, the producer's exception with its traceback, and its
warnings (see :mod:`bgsub.base.warn`).
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from queue import Empty, Queue
from typing import Generic, TypeVar

from bgsub.base.warn import carried_by, report
from bgsub.errors import OptionError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Item(Generic[T]):
    value: T


@dataclass(frozen=True, slots=True)
class _Warned:
    message: str


@dataclass(frozen=True, slots=True)
class _End:
    error: BaseException | None


class _Channel(Generic[T]):
    """A bounded queue from one producer to one consumer, which the consumer can shut."""

    def __init__(self, depth: int) -> None:
        self.ended = threading.Event()
        self._queue: Queue[_Item[T] | _Warned | _End] = Queue(depth)
        self._shut = threading.Event()

    def put(self, entry: _Item[T] | _Warned | _End) -> bool:
        """Wait for room and put *entry*; False when the consumer has gone."""
        if self._shut.is_set():
            return False
        self._queue.put(entry)
        return not self._shut.is_set()

    def get(self) -> _Item[T] | _Warned | _End:
        return self._queue.get()

    def shut(self) -> None:
        """Refuse further entries, and drain the queue to wake a waiting producer."""
        self._shut.set()
        while True:
            try:
                self._queue.get_nowait()
            except Empty:
                return


def prefetch(iterable: Iterable[T], depth: int = 8) -> Generator[T, None, None]:
    """Yield the items of *iterable*, produced up to *depth* items ahead by one thread.

    The thread starts at the first ``next`` and ends with the generator: when the items run out, on an
    exception on either side, or on ``close()``. If it stops early, it closes the iterator of *iterable*.

    Parameters
    ----------
    iterable
        Any iterable, typically a :class:`bgsub.frames.source.FrameSource`. It is iterated on another thread.
    depth
        Most items queued, besides one held by the producer and one by the consumer: at least 1.

    Raises
    ------
    OptionError
        *depth* is less than 1.
    BaseException
        Whatever the producer raised, with its traceback, after the items that came before it.
    """
    if depth < 1:
        raise OptionError(f"the read-ahead depth must be at least 1, got {depth}")
    return _consume(iterable, _Channel(depth))


def _consume(iterable: Iterable[T], channel: _Channel[T]) -> Generator[T, None, None]:
    # From Python 3.14 on, warning filters may live in the context, which a thread does not inherit by itself.
    context = contextvars.copy_context()
    # A daemon, so that an interpreter exiting in the middle of a read does not wait for it.
    thread = threading.Thread(
        target=context.run, args=(_produce, iterable, channel), name="bgsub-prefetch", daemon=True
    )
    try:
        thread.start()
        while not isinstance(entry := channel.get(), _End):
            if isinstance(entry, _Warned):
                report(entry.message)
            else:
                yield entry.value
        if entry.error is not None:
            raise entry.error
    finally:
        channel.shut()
        _await_end(thread, channel.ended)


def _await_end(thread: threading.Thread, ended: threading.Event) -> None:
    """Join *thread* despite any number of interrupts, then re-raise the last one."""
    interrupt: KeyboardInterrupt | SystemExit | None = None
    while True:
        try:
            # An interrupt may have hit start() itself: the thread then comes up within moments, or never.
            if ended.wait(1.0) or thread.ident is not None:
                thread.join()
            break
        except (KeyboardInterrupt, SystemExit) as error:
            interrupt = error
    if interrupt is not None:
        raise interrupt


def _produce(iterable: Iterable[T], channel: _Channel[T]) -> None:
    error: BaseException | None = None
    with carried_by(lambda message: _pass_on(channel, message)):
        try:
            _pump(iterable, channel)
        except BaseException as raised:  # KeyboardInterrupt too: the consumer must not wait forever
            error = raised
    channel.put(_End(error))
    channel.ended.set()


def _pump(iterable: Iterable[T], channel: _Channel[T]) -> None:
    iterator = iter(iterable)
    try:
        for value in iterator:
            if not channel.put(_Item(value)):
                return
    finally:
        close = getattr(iterator, "close", None)
        if close is not None:
            close()


def _pass_on(channel: _Channel[T], message: str) -> None:
    channel.put(_Warned(message))
