"""Exact time stamps: rational seconds converted to whole ticks of a stream."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from bgsub.base.warn import report
from bgsub.errors import OptionError

DEFAULT_TIME_BASE = Fraction(1, 720_000)
"""Seconds per tick if the times are not known beforehand: exact for 24, 25, 30, 50, 60 and 120 frames per
second (and for 1000/1001 times 24, 30, 60 and 120), for milliseconds and for MPEG's 90 kHz."""

MPEG = 90_000
"""MPEG's ticks per second: fine enough for milliseconds and most frame rates, and allows pauses of three hours."""

LARGEST = 2**31 - 1
"""Most ticks per second that H.264 and MP4 can represent."""

LONGEST = 2**30
"""Most ticks between two frames that they can represent, in whatever order frames are stored. Beyond twice as
many, FFmpeg refuses or writes a wrong file."""


def time_base_for(times: Iterable[Fraction]) -> Fraction:
    """Return a time base that represents all *times* exactly, if there is one.

    Parameters
    ----------
    times
        Seconds, increasing. They may be a sample: common frame rates are covered too, as far as possible.

    Returns
    -------
    time_base
        1/n seconds, where n is the least common multiple of the denominators and 90,000 (MPEG), or of the
        denominators alone if that is too large for a file (see ``LARGEST`` and ``LONGEST``). If that is too
        large as well, n is halved until it fits, and times are rounded.
    """
    known = list(times)
    gap = max((b - a for a, b in pairwise(known)), default=Fraction(0))
    exact = math.lcm(*(time.denominator for time in known))
    for ticks in (math.lcm(exact, MPEG), exact):
        if _fits(ticks, gap):
            return Fraction(1, ticks)
    while exact > 1 and not _fits(exact, gap):
        exact //= 2
    return Fraction(1, exact)


def _fits(ticks: int, gap: Fraction) -> bool:
    return ticks <= LARGEST and gap * ticks <= LONGEST


WEEK = 7 * 24 * 3600 * 1000
"""Milliseconds: Matroska allows longer pauses than MP4, since its frames are never reordered."""


class StreamClock:
    """Converts the times of successive frames to strictly increasing ticks.

    Parameters
    ----------
    time_base
        Seconds. A tick is one over its denominator, so any multiple of *time_base* is exact.
    what
        Name of the output, for messages.
    longest
        Most ticks from one frame to the next.

    Raises
    ------
    OptionError
        If *time_base* is not positive or its denominator is above 2³¹ − 1.
    """

    def __init__(self, time_base: Fraction, what: str, longest: int = LONGEST) -> None:
        if time_base <= 0 or time_base.denominator > LARGEST:
            raise OptionError(
                f"time base must be positive with a denominator of at most {LARGEST}, not {time_base}"
            )
        self.time_base = Fraction(1, time_base.denominator)
        self._what = what
        self._longest = longest
        self._shift = Fraction(0)
        self._last: int | None = None
        self.interval: int | None = None
        """Ticks between the last two frames; None before the second."""

    def ticks(self, time: Fraction) -> int:
        """Return the tick nearest to *time* that is later than the previous one.

        A stream cannot start before 0: if the first time is negative, all times are shifted to start at 0.
        Nor can it hold a gap of more than *longest* ticks: such a pause is shortened, and later frames move
        up. A :class:`BgsubWarning` reports either.
        """
        if self._last is None and time < 0:
            self._shift = -time
            report(
                f"{self._what} starts at 0 instead of {float(time):g} s: a video file cannot start earlier"
            )
        tick = round((time + self._shift) / self.time_base)
        if self._last is not None:
            tick = max(tick, self._last + 1)
            self.interval = tick - self._last
            if self.interval > self._longest:
                tick = self._shorten(tick)
        self._last = tick
        return tick

    def _shorten(self, tick: int) -> int:
        """Return the latest tick that the file can hold after the last one; later frames move up by as much."""
        assert self._last is not None
        latest = self._last + self._longest
        report(
            f"{self._what}: a pause of {float((tick - self._last) * self.time_base):.0f} s is shortened to "
            f"{float(self._longest * self.time_base):.0f} s, the longest that the file can hold"
        )
        self._shift -= (tick - latest) * self.time_base
        self.interval = self._longest
        return latest
