"""Whether a file holds as much as it announces."""

from __future__ import annotations

import re
from fractions import Fraction

from bgsub.base.pyav import VideoStream, is_avi, rates
from bgsub.frames.read.timing import FrameClock

_ENOUGH = Fraction(9, 10)
"""Share of what is announced that passes for all of it: claims are rounded, and count what is never shown."""


def ends_early(
    stream: VideoStream,
    listed: tuple[int, Fraction] | None,
    duration: Fraction | None,
    count: int,
    clock: FrameClock,
) -> bool:
    """Return whether a file of which *count* frames were read, timed by *clock*, announces many more.

    More than a tenth of both the frames and the time must be missing, since either alone proves nothing: frames
    that do not decode are missing in the middle, and durations are often guesses. What an index has *listed* to
    be shown (frames and the seconds they span) is known; other claims may count from the first frame or from
    zero. Matroska counts no frames, but records where each stream ends.
    """
    if listed is not None:
        frames, span = listed
        return count < _ENOUGH * frames and clock.elapsed < _ENOUGH * span
    reached = max(clock.elapsed, clock.end)
    if stream.frames > 0:
        length = _length(stream, duration)
        return length is not None and count < _ENOUGH * stream.frames and reached < _ENOUGH * length
    end = _tagged_end(stream)
    return end is not None and reached < _ENOUGH * end


def _length(stream: VideoStream, duration: Fraction | None) -> Fraction | None:
    """Return the seconds that a stream claims to last."""
    rate = rates(stream)[0]
    if not is_avi(stream) or rate is None:
        return duration
    # Of an AVI file without its index FFmpeg tells the duration of what is left.
    return max(duration or Fraction(0), stream.frames / rate)


_DURATION = re.compile(r"(\d{2,}):(\d\d):(\d\d(?:\.\d+)?)", re.ASCII)


def _tagged_end(stream: VideoStream) -> Fraction | None:
    """Return the end of a stream in seconds, from the tag that Matroska muxers write, or None."""
    tags = {name.upper().partition("-")[0]: text for name, text in stream.metadata.items()}
    found = _DURATION.fullmatch(tags.get("DURATION", ""))
    return None if found is None else Fraction(found[1]) * 3600 + Fraction(found[2]) * 60 + Fraction(found[3])
