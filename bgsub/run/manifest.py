"""run.json: a record of the run for people and programs (schema 2)."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from fractions import Fraction
from typing import Any

from bgsub.background.model import BackgroundModel
from bgsub.base.plural import count_of
from bgsub.frames.changes.change import Change
from bgsub.frames.grid import Grid
from bgsub.frames.source import VideoInfo
from bgsub.options.position import Position
from bgsub.options.table import Options
from bgsub.version import __version__

SCHEMA = 2
MOST_CHANGES = 1000
"""Most changes recorded: a lamp that blinks all night must not fill the memory."""


@dataclass(slots=True)
class Manifest:
    """Collects the contents of run.json during a run.

    Attributes
    ----------
    info, options, grid
        What was read, how, and which of its pixels.
    numbers, count, first_time, last_time
        Numbers of the frames written (as :func:`runs`), how many they are, and the time stamps of the first
        and last (seconds).
    segments, changes
        One entry per segment: the fit's report and reasons. One per change of light or scene, at most MOST_CHANGES.
    events, objects
        How many there are; what they are is in events.json.
    foreground
        Foreground share of the region's pixels, summed over frames.
    unregistered
        Frames of a shaking camera whose motion could not be estimated.
    blind
        Numbers of the frames that show nothing of the scene, as runs; see :func:`runs`.
    warnings, outputs, earlier_outputs, seconds
        Warnings that were issued; file names by output; files of earlier runs that remain; time spent by phase.
    """

    info: VideoInfo
    options: Options
    grid: Grid
    numbers: list[list[int]] = field(default_factory=list)
    count: int = 0
    first_time: Fraction | None = None
    last_time: Fraction | None = None
    segments: list[dict[str, Any]] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)
    events: int = 0
    objects: int = 0
    foreground: float = 0.0
    unregistered: int = 0
    blind: list[list[int]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    earlier_outputs: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def add_frame(self, number: int, time: Fraction, share: float) -> None:
        """Record a frame that has been written."""
        add_to_runs(self.numbers, number)
        self.count += 1
        self.first_time = time if self.first_time is None else self.first_time
        self.last_time = time
        self.foreground += share

    def blinded(self) -> str:
        """Return a warning about frames that show nothing of the scene; empty if there are none."""
        if not self.blind:
            return ""
        count = sum((last - first) // step + 1 for first, last, step in self.blind)
        first = self.blind[0][0]
        what = "shows nothing" if count == 1 else "show nothing"
        return (
            f"{self.info.name}: {count_of(count, 'frame')} from frame {first} on {what} of the scene "
            "(no signal, or a covered lens): there the masks are empty"
        )

    def lost(self) -> str:
        """Return a warning about frames whose motion could not be estimated; empty if there are none."""
        if not self.unregistered:
            return ""
        why = "too large a motion, or too little of it in sight"
        return (
            f"{self.info.name}: {self.unregistered} of {count_of(self.count, 'frame')} could not be registered against "
            f"the background ({why}), and judged as if the camera stood still: no mask of these is to be trusted; if "
            "it stands still, give --stabilise off"
        )

    def add_segment(self, model: BackgroundModel, frames: int) -> None:
        """Record the background that the next *frames* frames are compared with."""
        # A short tail keeps the previous model, whose report says where the previous segment began.
        before = self.segments[-1] if self.segments else None
        first = before["first"] + before["frames"] * self.options.every if before else model.report.first
        report = {**model.report.to_dict(), "first": first, "frames": frames}
        self.segments.append({**report, "in_words": list(model.in_words), "reasons": list(model.reasons)})

    def add_change(self, change: Change) -> None:
        """Record a change of light or scene."""
        if len(self.changes) < MOST_CHANGES:
            self.changes.append({name: _plain(value) for name, value in asdict(change).items()})

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values; times are in seconds, exact ones are given as fractions too."""
        height, width = self.grid.frame_shape
        y0, y1, x0, x1 = self.grid.region
        outline = self.grid.outline_text
        return {
            "schema": SCHEMA,
            "program": {"name": "bgsub", "version": __version__, "python": platform.python_version()},
            "input": {name: _plain(getattr(self.info, name)) for name in self.info.__slots__},
            "options": {
                item.name: _option(getattr(self.options, item.name)) for item in fields(self.options)
            },
            "picture": {
                "width": width,
                "height": height,
                "region": [x0, y0, x1 - x0, y1 - y0],
                **({} if outline is None else {"inside": outline}),
            },
            "frames": {
                "count": self.count,
                "numbers": self.numbers,
                "first_time": _plain(self.first_time),
                "last_time": _plain(self.last_time),
                "unregistered": self.unregistered,
                "blind": self.blind,
            },
            "segments": self.segments,
            "changes": self.changes,
            "events": self.events,
            "objects": self.objects,
            "foreground_share": self.foreground / max(self.count, 1),
            "warnings": self.warnings,
            "outputs": self.outputs,
            "earlier_outputs": self.earlier_outputs,
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
        }

    def to_json(self) -> str:
        """Return the report as JSON text."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"


def runs(numbers: Sequence[int]) -> list[list[int]]:
    """Return increasing *numbers* as inclusive ``[first, last, step]`` runs: 90,000 frames in one line.

    Examples
    --------
    >>> runs([701, 702, 703, 710, 712, 714])
    [[701, 703, 1], [710, 714, 2]]
    """
    found: list[list[int]] = []
    for number in numbers:
        add_to_runs(found, number)
    return found


def add_to_runs(found: list[list[int]], number: int) -> None:
    """Append *number* to the runs *found* so far, in place: a day of video takes no more space than a minute."""
    if found and number - found[-1][1] == found[-1][2]:
        found[-1][1] = number
    elif found and found[-1][0] == found[-1][1]:
        found[-1][1:] = [number, number - found[-1][0]]
    else:
        found.append([number, number, 1])


def _option(value: Any) -> Any:
    """Return the value of an option as it can be given again."""
    if isinstance(value, Fraction):
        return float(value) if Fraction(str(float(value))) == value else str(value)
    return _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return {"value": float(value), "exact": str(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Position):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
