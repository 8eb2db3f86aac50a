"""Places in a video, as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_SECONDS = re.compile(r"(\d+(?:\.\d+)?|\d+/0*[1-9]\d*)\s*s")
_CLOCK = re.compile(r"(?:(\d+):)?(\d{1,2}):([0-5]?\d(?:\.\d+)?)")


_SHARE = re.compile(r"(\d+(?:\.\d+)?|\d+/0*[1-9]\d*)\s*%")
_UNITS = re.compile(
    r"(?=\S)(?:(\d+(?:\.\d+)?)\s*h)?\s*(?:(\d+(?:\.\d+)?)\s*m(?:in)?)?\s*(?:(\d+(?:\.\d+)?)\s*s)?"
)
SECONDS = "expected seconds (2.5), or a time (2m30s, 00:02:30)"


def parse_time(text: str) -> Fraction | None:
    """Return the seconds of ``12.5s``, ``1/3s``, ``2m30s``, ``1h`` or ``[HH:]MM:SS[.fff]``; None for anything else."""
    text = text.strip()
    if match := _SECONDS.fullmatch(text):
        return Fraction(match[1])
    if match := _CLOCK.fullmatch(text):
        return int(match[1] or 0) * 3600 + int(match[2]) * 60 + Fraction(match[3])
    if match := _UNITS.fullmatch(text):
        return sum(
            (Fraction(part or 0) * unit for part, unit in zip(match.groups(), (3600, 60, 1), strict=True)),
            Fraction(0),
        )
    return None


def parse_seconds(text: str) -> Fraction:
    """Read a length of time: a number is seconds, else as :func:`parse_time`; else ``ValueError``."""
    # Negative ones, too: that they are out of range says more than that they cannot be read.
    if re.fullmatch(r"-?(?:\d+(?:\.\d*)?|\.\d+|\d+/0*[1-9]\d*)", text.strip()):
        return Fraction(text.strip())
    if (seconds := parse_time(text)) is None:
        raise ValueError(SECONDS)
    return seconds


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a video: a frame (counted from 0), an exact time in seconds, or a share of the length; one of these.

    Raises
    ------
    ValueError
        When none or several are given, the one that is given is negative, or the share is more than 1.
    """

    frame: int | None = None
    seconds: Fraction | None = None
    share: Fraction | None = None

    def __post_init__(self) -> None:
        given = [value for value in (self.frame, self.seconds, self.share) if value is not None]
        if len(given) != 1:
            raise ValueError("a position is either a frame, a time in seconds, or a share of the length")
        if given[0] < 0:
            raise ValueError(f"a position cannot be negative, got {given[0]}")
        if self.share is not None and self.share > 1:
            raise ValueError("a share of the length is at most 100%")

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read ``120`` (frames), ``50%`` (of the length), or a time as :func:`parse_time` does; else ``ValueError``."""
        text = text.strip()
        if match := _SHARE.fullmatch(text):
            return cls(share=Fraction(match[1]) / 100)
        if re.fullmatch(r"\d+", text):
            return cls(frame=int(text))
        if (seconds := parse_time(text)) is not None:
            return cls(seconds=seconds)
        raise ValueError("expected frames (120), seconds (12.5s) or a time (00:01:30.5)")

    def __str__(self) -> str:
        """Return the text that :meth:`parse` reads back, exactly: decimal where that is exact within 9 digits."""
        if self.share is not None:
            return f"{_decimal(self.share * 100).removesuffix('.0')}%"
        return str(self.frame) if self.seconds is None else f"{_decimal(self.seconds)}s"


def _decimal(value: Fraction) -> str:
    billionths = value * 10**9
    if billionths.denominator != 1:
        return str(value)
    whole, rest = divmod(billionths.numerator, 10**9)
    return f"{whole}.{f'{rest:09d}'.rstrip('0') or '0'}"
