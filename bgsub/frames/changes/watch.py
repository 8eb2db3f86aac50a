"""Detection of change points: a new segment must start where the light is switched or the view changes.

Earlier frames say nothing about the background after a change. A change counts only if it lasts, so the
frames after it are held back until that is known; otherwise no frames are held back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from bgsub.frames.changes.change import SLOW_SHARE, Change, Shift, compare, differing
from bgsub.frames.changes.thumbnail import Thumbnail, thumbnail
from bgsub.frames.source import Frame

RUN = 8
"""Frames compared on either side: a third of a second."""
SETTLE = 4
"""Frames that a lamp, or the camera's exposure, may take to settle."""
HELD = SETTLE + RUN
"""Most frames held back. Anything shorter, a flash or a damaged frame, is not a change."""
FEWEST_BEFORE = 5
"""Fewest frames before a change at the start of the footage; HELD between two changes, and RUN after the last:
a background of fewer frames would hold what stands in them."""
SLOW = 48
"""Window in frames in which gradual changes are detected: two seconds."""
EVERY = 4
"""Gradual changes are looked for at every fourth frame."""
LOOKS = 3
"""Consecutive looks that must show a gradual change, unless the footage ends: a flash shows in fewer."""
EPISODE = 250
"""Frames (ten seconds) without a change after which a blinking lamp counts as steady."""
MOST_CUTS = 3
"""Most changes in an episode that start a segment. From then on the lamp is blinking: its states share a
segment, and the low-rank part separates them; segments of a few frames would take whatever stands in them for
background."""

Marked = tuple[Frame, bool]
"""A frame, and whether a segment must start with it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    frame: Frame
    thumb: Thumbnail
    suspect: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """What is kept of a frame that has been passed on: not its image."""

    index: int
    time: Fraction
    thumb: Thumbnail


class Watched:
    """A selection of frames that is watched for change points on its first reading.

    Parameters
    ----------
    selection
        The frames, in order.
    on_change
        Called with every change, sudden or gradual, in order of detection, at most HELD or SLOW frames late.
    """

    def __init__(self, selection: Iterable[Frame], on_change: Callable[[Change], None]) -> None:
        self.selection = selection
        self.on_change = on_change

    def __iter__(self) -> Iterator[Frame]:
        """Read the frames without watching for changes."""
        return iter(self.selection)

    def watched(self) -> Iterator[Marked]:
        """Yield every frame, in order, and whether a new segment must start with it."""
        watch = _Watch(self.on_change)
        for frame in self.selection:
            watch.arrive(frame)
            yield from watch.settled()
        yield from watch.settled(at_end=True)
        watch.end()


class _Watch:
    """State of the change detection at one point of the reading."""

    def __init__(self, on_change: Callable[[Change], None]) -> None:
        self._on_change = on_change
        self._held: deque[_Held] = deque()
        self._recent: deque[Thumbnail] = deque()
        self._sum: Thumbnail = np.zeros(1, np.float32)
        self._past: deque[_Seen] = deque(maxlen=SLOW)
        self._slow: Change | None = None
        self._count = self._episode = self._looks = 0
        self._last_change: int | None = None
        self._fewest = FEWEST_BEFORE
        self._most = 0.0

    def arrive(self, frame: Frame) -> None:
        """Take the next frame; it is suspect if it differs from the mean of those just before it."""
        thumb = thumbnail(frame.image)
        count = len(self._recent)
        suspect = count > 0 and differing(thumb, self._sum / np.float32(count)) >= SLOW_SHARE
        # Thumbnails are whole numbers, so the running sum stays exact.
        self._sum = self._sum + thumb
        if count == RUN:
            self._sum -= self._recent.popleft()
        self._recent.append(thumb)
        self._held.append(_Held(frame, thumb, suspect))

    def settled(self, at_end: bool = False) -> Iterator[Marked]:
        """Yield the held frames that have been decided."""
        while self._held and (at_end or not self._held[0].suspect or len(self._held) >= HELD):
            shift = self._change_point() if self._held[0].suspect else None
            if shift is None:
                yield self._release(), False
                continue
            while not shift.is_past(self._held[0].thumb):
                yield self._release(), False
            self.end(LOOKS)
            cut = self._report_change(shift)
            self._past.clear()
            self._fewest = HELD
            yield self._release(), cut

    def end(self, looks: int = 1) -> None:
        """Report the gradual change that has ended, if it was seen in at least *looks* looks."""
        if self._slow is not None and self._looks >= looks:
            self._on_change(self._slow)
        self._slow, self._looks, self._most = None, 0, 0.0

    def _change_point(self) -> Shift | None:
        """Return the lasting change that starts at the first held frames, or None."""
        # At the end of the footage fewer frames are left.
        first = max(0, min(SETTLE, len(self._held) - RUN))
        after = np.stack([held.thumb for held in islice(self._held, first, HELD)])
        if len(after) < RUN or len(self._past) < self._fewest:
            return None
        shift = compare(self._thumbs(-RUN), after)
        if shift is None or not shift.is_step:
            return self._moved(after)
        return shift if shift.is_past(after[-1]) and not self._is_back(after) else None

    def _moved(self, after: NDArray[np.float32]) -> Shift | None:
        """Return the change of scene that ends here, or None: a camera takes a second or two to pan."""
        if len(self._past) < SLOW or self._count % EVERY:
            return None
        shift = compare(self._thumbs(0, RUN), after)
        return shift if shift is not None and shift.is_elsewhere else None

    def _is_back(self, after: NDArray[np.float32]) -> bool:
        """Return whether the image is the same as a moment ago, so that what has ended was a flash."""
        return len(self._past) >= RUN + HELD and compare(self._thumbs(-RUN - HELD, -HELD), after) is None

    def _report_change(self, shift: Shift) -> bool:
        """Report a change at the first held frame; return whether it starts a segment."""
        cut = not shift.is_small
        if cut:
            near = self._last_change is not None and self._count - self._last_change <= EPISODE
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
        """Record a gradual change of light over the last SLOW frames, at its largest while it lasts."""
        shift = compare(self._thumbs(0, RUN), self._thumbs(-RUN))
        if shift is None or not shift.is_light:
            self.end(LOOKS)
            return
        seen = list(self._past)
        middle = next((k for k, one in enumerate(seen) if shift.is_past(one.thumb)), len(seen) - 1)
        # A change first seen long after it happened is the end of a flash.
        if self._looks == 0 and middle <= RUN < len(seen) // 2:
            return
        self._looks += 1
        if shift.share * shift.size > self._most:
            self._most = shift.share * shift.size
            self._slow = _change(shift, seen[middle], gradual=True, cut=False)

    def _thumbs(self, first: int, last: int | None = None) -> NDArray[np.float32]:
        return np.stack([seen.thumb for seen in list(self._past)[first:last]])


def _change(shift: Shift, frame: Frame | _Seen, *, gradual: bool, cut: bool) -> Change:
    return Change(shift.kind, frame.index, frame.time, gradual, shift.share, shift.gain, cut)
