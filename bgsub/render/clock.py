"""Exact time stamps: rational seconds to whole ticks of a stream."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from bgsub.errors import OptionError, OutputError
from bgsub.frames.report import report

DEFAULT_TIME_BASE = Fraction(1, 720_000)
"""Seconds of a tick when the times are not known beforehand.

A multiple of the frame rates 24, 25, 30, 50, 60, 120 (and of their 1000/1001 kin), of milliseconds and of
MPEG's 90 kHz, so all of those are exact.
"""

LARGEST = 2**31 - 1
"""What H.264 and MP4 can hold: the ticks of a second, and the ticks from one frame to the next. FFmpeg does
not check the second, and writes a wrong file."""


def time_base_for(times: Iterable[Fraction]) -> Fraction:
    """Return a time base that holds all *times* exactly, wherever there is one.

    Parameters
    ----------
    times
        Seconds, increasing. They may be a sample: common frame rates are held too, as long as there is room.

    Returns
    -------
    time_base
        1/n seconds, with n the least common multiple of the denominators and of 720,000, or of the
        denominators alone where that would be too large for a file (see ``LARGEST``). If that is too large as
        well, n is halved until it fits, and times are rounded.
    """
    known = list(times)
    gap = max((b - a for a, b in pairwise(known)), default=Fraction(0))
    exact = math.lcm(*(time.denominator for time in known))
    for ticks in (math.lcm(exact, DEFAULT_TIME_BASE.denominator), exact):
        if _fits(ticks, gap):
            return Fraction(1, ticks)
    while exact > 1 and not _fits(exact, gap):
        exact //= 2
    return Fraction(1, exact)


def _fits(ticks: int, gap: Fraction) -> bool:
    return ticks <= LARGEST and gap * ticks <= LARGEST


class StreamClock:
    """Turns the times of successive frames into strictly increasing ticks.

    Parameters
    ----------
    time_base
        Seconds; ticks are 1/denominator of it long, so any multiple of *time_base* is exact.
    what
        Name of the output, for messages.

    Raises
    ------
    OptionError
        If *time_base* is not positive or its denominator is above 2³¹ − 1.
    """

    def __init__(self, time_base: Fraction, what: str) -> None:
        if time_base <= 0 or time_base.denominator > LARGEST:
            raise OptionError(
                f"time base must be positive with a denominator of at most {LARGEST}, not {time_base}"
            )
        self.time_base = Fraction(1, time_base.denominator)
        self._what = what
        self._shift = Fraction(0)
        self._last: int | None = None
        self.interval: int | None = None
        """Ticks between the last two frames; None before the second."""

    def ticks(self, time: Fraction) -> int:
        """Return the tick nearest to *time* that is later than the one before.

        A stream cannot start before 0: when the first time is negative, all times are shifted to start at 0,
        and a :class:`BgsubWarning` says so.

        Raises
        ------
        OutputError
            If the gap to the frame before is longer than a file can hold at this time base.
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
            if self.interval > LARGEST:
                gap = float(self.interval * self.time_base)
                raise OutputError(
                    f"{self._what}: {gap:g} s pass between two frames, more than the file can hold with "
                    f"a time base of {self.time_base} s; pass a coarser time base"
                )
        self._last = tick
        return tick
