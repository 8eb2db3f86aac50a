"""Times of frames as people read them."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from bgsub.events.row import Moment


def timecode(seconds: Fraction) -> str:
    """Return ``HH:MM:SS.mmm``, rounded down so that it never lies behind the frame.

    Examples
    --------
    >>> timecode(Fraction(3725, 1) + Fraction(1, 24))
    '01:02:05.041'
    """
    whole, thousandths = divmod(int(seconds * 1000), 1000)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}.{thousandths:03d}"


def short(seconds: Fraction) -> str:
    """Return ``MM:SS``, or ``H:MM:SS`` from an hour on.

    Examples
    --------
    >>> short(Fraction(75)), short(Fraction(3725))
    ('01:15', '1:02:05')
    """
    whole = int(seconds)
    hours = f"{whole // 3600}:" if whole >= 3600 else ""
    return f"{hours}{whole // 60 % 60:02d}:{whole % 60:02d}"


def span(first: Fraction, last: Fraction) -> str:
    """Return a span in whole seconds that holds both ends.

    Examples
    --------
    >>> span(Fraction(2), Fraction(7, 2))
    '00:02–00:04'
    """
    return f"{short(first)}–{short(Fraction(math.ceil(last)))}"


def time_of_day(seconds: Fraction, recorded: datetime) -> datetime:
    """Return when a frame was recorded, rounded to microseconds."""
    return recorded + timedelta(microseconds=round(seconds * 1_000_000))


def place(moment: Moment, recorded: datetime | None) -> dict[str, Any]:
    """Return where a frame is: its number, seconds (rounded and exact), time code, and the time of day if known.

    *recorded* is when the footage begins.
    """
    found: dict[str, Any] = {
        "frame": moment.number,
        "seconds": round(float(moment.time), 6),
        "exact": str(moment.time),
        "time": timecode(moment.time),
    }
    if recorded is not None:
        found["clock"] = time_of_day(moment.time, recorded).isoformat(timespec="milliseconds")
    return found
