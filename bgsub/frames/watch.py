"""Footage watched for change points: where the light is switched, or the view changes, a new segment must begin.

What came before says nothing about the background after. A change counts when it lasts, so the frames after it are held
for a moment until that is known; nothing is held while nothing happens.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from bgsub.frames.change import SLOW_SHARE, Change, Shift, Thumbnail, compare, differing, thumbnail
from bgsub.frames.source import Frame

RUN = 8
"""Frames that are compared on either side: a third of a second."""
SETTLE = 4
"""Frames that a lamp, or the camera's exposure, may take."""
HELD = SETTLE + RUN
"""Frames held at most. What lasts for less, a flash or a damaged picture, is no change."""
FEWEST = 3
"""Frames on either side of a change at least."""
SLOW = 48
"""Frames a gradual change is looked for in: two seconds."""
EVERY = 4
"""Gradual changes are looked for at every fourth frame."""
EPISODE = 250
"""Frames (ten seconds) without a change after which a blinking lamp has come to rest."""
MOST_CUTS = 3
"""Changes of one episode that begin a segment. From then on the lamp blinks: the states share a segment, and the low-rank
part tells them apart, since segments of a few frames would make a background of whatever stands in them."""


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    frame: Frame
    thumb: Thumbnail
    suspect: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """What is kept of a frame that has been passed on: not its picture."""

    index: int
    time: Fraction
    thumb: Thumbnail


class Watched:
    """A selection of frames that is watched for change points when it is read for the first time.

    Parameters
    ----------
    selection
        The frames, in order.
    on_change
        Told of every change, sudden or gradual, in order of detection; HELD or SLOW frames late at most.
    """

    def __init__(self, selection: Iterable[Frame], on_change: Callable[[Change], None]) -> None:
        self.selection = selection
        self.on_change = on_change

    def __iter__(self) -> Iterator[Frame]:
        """Read the frames without watching."""
        return iter(self.selection)

    def watched(self) -> Iterator[tuple[Frame, bool]]:
        """Yield every frame, in order, and whether a new segment must begin with it."""
        watch = _Watch(self.on_change)
        for frame in self.selection:
            watch.arrive(frame)
            yield from watch.settled()
        yield from watch.settled(at_end=True)
        watch.end()


class _Watch:
    """What is known at one point of the reading."""

    def __init__(self, on_change: Callable[[Change], None]) -> None:
        self._on_change = on_change
        self._held: deque[_Held] = deque()
        self._recent: deque[Thumbnail] = deque(maxlen=RUN)
        self._past: deque[_Seen] = deque(maxlen=SLOW)
        self._slow: Change | None = None
        self._count = self._last_change = self._episode = 0

    def arrive(self, frame: Frame) -> None:
        """Take the next frame; it is suspect when it differs from the mean of those just before it."""
        thumb = thumbnail(frame.image)
        suspect = False
        if self._recent:
            mean = np.mean(self._recent, axis=0, dtype=np.float32)
            suspect = differing(thumb, mean) >= SLOW_SHARE
        self._recent.append(thumb)
        self._held.append(_Held(frame, thumb, suspect))

    def settled(self, at_end: bool = False) -> Iterator[tuple[Frame, bool]]:
        """Yield the held frames about which enough is known."""
        while self._held and (at_end or not self._held[0].suspect or len(self._held) >= HELD):
            shift = self._change_point() if self._held[0].suspect else None
            if shift is None:
                yield self._release(), False
                continue
            while not shift.is_past(self._held[0].thumb):
                yield self._release(), False
            self.end()
            cut = self._tell(shift)
            self._past.clear()
            yield self._release(), cut

    def end(self) -> None:
        """Tell of the gradual change that is under way."""
        if self._slow is not None:
            self._on_change(self._slow)
        self._slow = None

    def _change_point(self) -> Shift | None:
        """Return the lasting change that the first held frames bring, if there is one."""
        # At the end of the footage there is less to see.
        first = max(0, min(SETTLE, len(self._held) - FEWEST))
        after = [held.thumb for held in islice(self._held, first, HELD)]
        if min(len(after), len(self._past)) < FEWEST:
            return None
        shift = compare(self._thumbs(-RUN), np.stack(after))
        return shift if shift is not None and shift.is_steady and shift.is_past(after[-1]) else None

    def _tell(self, shift: Shift) -> bool:
        """Report a change that begins with the first held frame; return whether it begins a segment."""
        near = self._last_change and self._count - self._last_change <= EPISODE
        self._episode = self._episode + 1 if near else 1
        self._last_change = self._count
        cut = self._episode <= MOST_CUTS
        self._on_change(_change(shift, self._held[0].frame, gradual=False, cut=cut))
        return cut

    def _release(self) -> Frame:
        held = self._held.popleft()
        self._past.append(_Seen(held.frame.index, held.frame.time, held.thumb))
        self._count += 1
        if self._count % EVERY == 0 and len(self._past) >= 2 * RUN:
            self._look_back()
        return held.frame

    def _look_back(self) -> None:
        """Note a gradual change of light over the last SLOW frames, the largest while it is under way."""
        shift = compare(self._thumbs(0, RUN), self._thumbs(-RUN))
        if shift is None or not shift.is_light:
            self.end()
        elif self._slow is None or shift.share > self._slow.share:
            middle = next((seen for seen in self._past if shift.is_past(seen.thumb)), self._past[-1])
            self._slow = _change(shift, middle, gradual=True, cut=False)

    def _thumbs(self, first: int, last: int | None = None) -> NDArray[np.float32]:
        return np.stack([seen.thumb for seen in list(self._past)[first:last]])


def _change(shift: Shift, frame: Frame | _Seen, *, gradual: bool, cut: bool) -> Change:
    return Change(shift.kind, frame.index, frame.time, gradual, shift.share, shift.gain, cut)
