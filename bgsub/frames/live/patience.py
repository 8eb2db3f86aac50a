"""How long to wait for what does not answer, and how often to try again."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from bgsub.base.plural import count_of

TIMEOUT = 10.0
"""Seconds without a byte after which a connection counts as lost."""
DELAYS = (1.0, 2.0, 4.0, 8.0)
"""Seconds before each further attempt."""


class Patience:
    """Counts failures in a row.

    Parameters
    ----------
    name
        What fails, as it may be shown.
    say
        Receives a line before each further attempt.
    delays
        Seconds before each further attempt; by default DELAYS.
    """

    def __init__(self, name: str, say: Callable[[str], None], delays: Sequence[float] | None = None) -> None:
        self._name, self._say, self._failures = name, say, 0
        self._delays = DELAYS if delays is None else delays

    def restore(self) -> None:
        """Start counting anew: something has come."""
        self._failures = 0

    def wait(self, reason: str) -> bool:
        """Say that it failed, and wait; return False at once where there is to be no further attempt."""
        if self._failures >= len(self._delays):
            return False
        delay = self._delays[self._failures]
        left = len(self._delays) - self._failures
        self._failures += 1
        self._say(f"{self._name}: {reason}; trying again in {delay:g} s ({count_of(left, 'attempt')} left)")
        time.sleep(delay)
        return True
