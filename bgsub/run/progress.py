"""How a run reports its progress, whoever is listening."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

T = TypeVar("T")


class Progress(Protocol):
    """A listener. Phases may alternate (each segment is read, fitted and separated)."""

    def begin(self, phase: str, total: int | None) -> None:
        """Report that *phase* starts, which ends the previous one, and is expected to take *total* steps."""

    def step(self) -> None:
        """Report that one step of the phase is done."""

    def say(self, text: str) -> None:
        """Report one line for the user: a choice and its reason."""

    def detail(self, text: str) -> None:
        """Report one line for who wants to know exactly: the mathematics of a choice."""

    def end(self) -> None:
        """Report that the run is over, successful or not."""


class Silent:
    """Ignores all reports."""

    def begin(self, phase: str, total: int | None) -> None:
        """Ignore it."""

    def step(self) -> None:
        """Ignore it."""

    def say(self, text: str) -> None:
        """Ignore it."""

    def detail(self, text: str) -> None:
        """Ignore it."""

    def end(self) -> None:
        """Ignore it."""


def counted(items: Iterable[T], progress: Progress) -> Iterator[T]:
    """Yield *items* and report a step for each."""
    for item in items:
        yield item
        progress.step()
