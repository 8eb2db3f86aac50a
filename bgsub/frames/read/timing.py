"""Exact presentation times and frame rates from what containers claim.

Containers are unreliable about frame rates (an .flv claims 1,000 frames per second, an MPEG-1 file 25 where
30 are shown) but mostly right about the time stamps of individual frames. So the time stamps decide, and a
claimed rate is trusted only as far as they agree with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import fmean, median_low

from bgsub.errors import OptionError

DEFAULT_RATE = Fraction(25)
"""Frame rate assumed for footage without time stamps (images, arrays, raw streams)."""

LOWEST_RATE, HIGHEST_RATE = Fraction(1, 100), Fraction(1000)

_AGREES = Fraction(1, 10)


def check_rate(fps: Fraction | int | float) -> Fraction:
    """Return *fps* as an exact fraction.

    Raises
    ------
    OptionError
        It is not within 0.01 … 1000 frames per second.
    """
    try:
        rate = Fraction(fps)
    except (TypeError, ValueError, OverflowError):
        rate = Fraction(0)
    if not is_sensible(rate):
        raise OptionError(f"fps must be a number from 0.01 to 1000, got {fps}")
    return rate


def is_sensible(rate: Fraction | None) -> bool:
    """Return whether *rate* is plausible for real footage: 0.01 … 1000 frames per second."""
    return rate is not None and LOWEST_RATE <= rate <= HIGHEST_RATE


def nominal_rate(claimed: Iterable[Fraction | None], stamps: Sequence[Fraction]) -> Fraction | None:
    """Choose the frame rate that fits the first time stamps.

    Parameters
    ----------
    claimed
        Rates that the container claims, the most trusted first; implausible ones are ignored.
    stamps
        Time stamps of the first frames in seconds, in any order.

    Returns
    -------
    Fraction or None
        The claimed rate nearest to the rate measured on the time stamps if it is within 10 % of that; else
        the measured rate; else (fewer than 4 time stamps) the first plausible claim; else None.
    """
    sensible = [rate for rate in claimed if rate is not None and is_sensible(rate)]
    measured = _measured_rate(stamps)
    if measured is None or not is_sensible(measured):
        return sensible[0] if sensible else None
    if sensible:
        nearest = min(sensible, key=lambda rate: abs(rate - measured))
        if abs(nearest - measured) <= _AGREES * measured:
            return nearest
    return measured


def _measured_rate(stamps: Sequence[Fraction]) -> Fraction | None:
    ordered = sorted(set(stamps))
    if len(ordered) < 4:
        return None
    gaps = [after - before for before, after in pairwise(ordered)]
    usual = median_low(gaps)
    # Intervals in whole milliseconds alternate (33, 34, 33): their mean gives the rate, their median does not.
    mean = fmean(gap for gap in gaps if usual / 2 <= gap <= usual * 3 / 2)
    whole = round(1 / mean)
    if whole and abs(whole * mean - 1) < 0.01:
        return Fraction(whole)
    return Fraction(1 / mean).limit_denominator(1001)


class FrameClock:
    """Gives each successive frame an exact and strictly increasing time.

    Parameters
    ----------
    rate
        Nominal frame rate, or None (25 is assumed); used only if a time stamp is missing or unusable.
    """

    __slots__ = ("_claimed", "_first", "_is_behind", "_last", "_step")

    def __init__(self, rate: Fraction | None) -> None:
        self._step = 1 / (rate or DEFAULT_RATE)
        self._first: Fraction | None = None
        self._last = self._claimed = Fraction(0)
        self._is_behind = False

    @property
    def elapsed(self) -> Fraction:
        """Seconds from the first time stamp to the end of the last frame; 0 before the first."""
        return Fraction(0) if self._first is None else self._last - self._first + self._step

    @property
    def end(self) -> Fraction:
        """The end of the last frame in seconds; 0 before the first."""
        return Fraction(0) if self._first is None else self._last + self._step

    def stamp(self, claimed: Fraction | None) -> Fraction:
        """Return the time of the next frame in seconds: *claimed* if it is later than the last one.

        Time stamps are missing in raw streams, repeated in some phone clips, and jump back where a recorder
        joined two recordings. Such a frame is placed one nominal interval after the last; at most half an
        interval if its time stamp repeats or merely lags, since the next may follow at once. Nothing is
        dropped or reordered, and the clock returns to the time stamps as soon as they are ahead of it.
        """
        if self._first is None:
            time = self._first = Fraction(0) if claimed is None else claimed
        elif claimed is None or claimed <= self._last:
            time = self._last + self._step_without_stamp(claimed)
        else:
            time, self._is_behind = claimed, False
        self._last = time
        self._claimed = self._claimed if claimed is None else claimed
        return time

    def _step_without_stamp(self, claimed: Fraction | None) -> Fraction:
        """Return the seconds from the last frame to one without a usable time stamp."""
        self._is_behind = self._is_behind or (claimed is not None and claimed < self._claimed)
        if claimed is None or self._is_behind:
            return self._step
        forward = claimed - self._claimed
        return min(self._step, forward or self._step) / 2
