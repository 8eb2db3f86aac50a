"""Places in a video, as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a video: a frame (counted from 0) or an exact time in seconds, never both."""

    frame: int | None = None
    seconds: Fraction | None = None

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read ``120`` (frames), ``12.5s`` (seconds) or ``[HH:]MM:SS[.fff]``; else raise ``ValueError``."""
        text = text.strip()
        if re.fullmatch(r"\d+", text):
            return cls(frame=int(text))
        if match := re.fullmatch(r"(\d+(?:\.\d+)?)\s*s", text):
            return cls(seconds=Fraction(match[1]))
        if match := re.fullmatch(r"(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)", text):
            return cls(seconds=int(match[1] or 0) * 3600 + int(match[2]) * 60 + Fraction(match[3]))
        raise ValueError("expected frames (120), seconds (12.5s) or a time (00:01:30.5)")

    def __str__(self) -> str:
        """Return the text that :meth:`parse` reads back."""
        if self.frame is not None:
            return str(self.frame)
        seconds = self.seconds or Fraction(0)
        for digits in range(1, 10):
            if Fraction(f"{float(seconds):.{digits}f}") == seconds:
                return f"{float(seconds):.{digits}f}s"
        return f"{float(seconds):.9f}s"
