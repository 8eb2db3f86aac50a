"""How much of a live input is needed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bgsub.options.position import Position
from bgsub.options.table import Options

SPARE_FRAMES, SPARE_SECONDS = 16, Fraction(1, 2)
"""Recorded beyond what is needed: frames are stored in another order than they are shown in."""


@dataclass(slots=True)
class Bound:
    """Tells when enough has been recorded for what *options* select.

    Attributes
    ----------
    options
        Of these, ``start``, ``end`` and ``duration``.
    """

    options: Options
    _start: tuple[int, Fraction] | None = None

    @property
    def is_given(self) -> bool:
        """Whether there is any; a share of a length that nobody knows yet is none."""
        return not self.is_share and (self.options.end is not None or self.options.duration is not None)

    @property
    def is_share(self) -> bool:
        """Whether it takes the length to tell what is needed."""
        return any(
            place is not None and place.share is not None for place in (self.options.start, self.options.end)
        )

    def reached(self, frames: int, seconds: Fraction) -> bool:
        """Return whether *frames* that last *seconds* are enough; to be asked again and again, as both grow."""
        frames, seconds = frames - SPARE_FRAMES, seconds - SPARE_SECONDS
        if self.options.end is not None:
            return _reached(self.options.end, frames, seconds)
        if self.options.duration is None:
            return False
        if self._start is None and _reached(self.options.start or Position(frame=0), frames, seconds):
            self._start = (frames, seconds)
        if self._start is None:
            return False
        return _reached(self.options.duration, frames - self._start[0], seconds - self._start[1])


def _reached(position: Position, frames: int, seconds: Fraction) -> bool:
    return frames >= position.frame if position.frame is not None else seconds >= (position.seconds or 0)
