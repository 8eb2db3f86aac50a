"""How a run tells what it is doing, without knowing who listens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

T = TypeVar("T")


class Progress(Protocol):
    """A listener. Phases may alternate (every segment is read, fitted and separated)."""

    def begin(self, phase: str, total: int | None) -> None:
        """Say that *phase* starts and is expected to take *total* steps; what came before is over."""

    def step(self) -> None:
        """Say that one step of the phase is done."""

    def say(self, text: str) -> None:
        """Pass on one line for people: a choice and its reason."""

    def end(self) -> None:
        """Say that all is over, well or not."""


class Silent:
    """Listens to nothing."""

    def begin(self, phase: str, total: int | None) -> None:
        """Ignore it."""

    def step(self) -> None:
        """Ignore it."""

    def say(self, text: str) -> None:
        """Ignore it."""

    def end(self) -> None:
        """Ignore it."""


def counted(items: Iterable[T], progress: Progress) -> Iterator[T]:
    """Yield *items* and report a step for each."""
    for item in items:
        yield item
        progress.step()
