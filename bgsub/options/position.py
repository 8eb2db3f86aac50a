"""Places in a video, as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_SECONDS = re.compile(r"(\d+(?:\.\d+)?|\d+/0*[1-9]\d*)\s*s")
_CLOCK = re.compile(r"(?:(\d+):)?(\d{1,2}):([0-5]?\d(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a video: a frame (counted from 0) or an exact time in seconds, never both.

    Raises
    ------
    ValueError
        When neither or both are given, or the one that is given is negative.
    """

    frame: int | None = None
    seconds: Fraction | None = None

    def __post_init__(self) -> None:
        if (self.frame is None) == (self.seconds is None):
            raise ValueError("a position is either a frame or a time in seconds")
        if (self.frame or 0) < 0 or (self.seconds or 0) < 0:
            raise ValueError(f"a position cannot be negative, got {self.frame or self.seconds}")

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read ``120`` (frames), ``12.5s`` or ``1/3s`` (seconds), or ``[HH:]MM:SS[.fff]``; else ``ValueError``."""
        text = text.strip()
        if re.fullmatch(r"\d+", text):
            return cls(frame=int(text))
        if match := _SECONDS.fullmatch(text):
            return cls(seconds=Fraction(match[1]))
        if match := _CLOCK.fullmatch(text):
            return cls(seconds=int(match[1] or 0) * 3600 + int(match[2]) * 60 + Fraction(match[3]))
        raise ValueError("expected frames (120), seconds (12.5s) or a time (00:01:30.5)")

    def __str__(self) -> str:
        """Return the text that :meth:`parse` reads back, exactly: decimal where that is exact within 9 digits."""
        if self.seconds is None:
            return str(self.frame)
        billionths = self.seconds * 10**9
        if billionths.denominator != 1:
            return f"{self.seconds}s"
        whole, rest = divmod(billionths.numerator, 10**9)
        return f"{whole}.{f'{rest:09d}'.rstrip('0') or '0'}s"
