"""The answer of a run: what happened, when and where (schema 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any

from bgsub.base.plural import count_of
from bgsub.events.clock import place, span
from bgsub.events.event import Event, Events
from bgsub.events.row import Moment, Row
from bgsub.events.tracks import TrackSummary
from bgsub.events.zones import Visit, Zone

SCHEMA = 1
SHOWN = 12
"""Events that are told in a line; more are counted."""


@dataclass(slots=True, repr=False)
class Log:
    """Takes in the rows of a clip in order, and sums them up.

    Attributes
    ----------
    gap
        Seconds: two spans that are no farther apart are one event.
    shortest
        Seconds; what is seen for less does not count.
    zones
        Parts of the picture that are asked for.
    recorded
        When the footage begins, if the file says so.
    tracks
        By number.
    moments
        Frames taken in, and the last of them.
    """

    gap: Fraction
    shortest: Fraction = Fraction(0)
    zones: Sequence[Zone] = ()
    recorded: datetime | None = None
    tracks: dict[int, TrackSummary] = field(default_factory=dict)
    frames: int = 0
    first: Moment | None = None
    last: Moment | None = None
    _events: Events = field(init=False)

    def __post_init__(self) -> None:
        self._events = Events(self.gap)

    def __repr__(self) -> str:
        return f"<Log of {count_of(self.frames, 'frame')}: {self.summary()}>"

    @property
    def events(self) -> list[Event]:
        """In order."""
        return self._events.found

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Take in the next frame."""
        self.first, self.last, self.frames = self.first or moment, moment, self.frames + 1
        self._events.add(moment, rows)
        for zone in self.zones:
            zone.add(moment, rows)
        for row in rows:
            if row.track not in self.tracks:
                self.tracks[row.track] = TrackSummary.of(moment, row)
            self.tracks[row.track].add(moment, row)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values: seconds, pixels of the written picture, grey levels."""
        return {
            "schema": SCHEMA,
            "frames": self.frames,
            **({} if self.recorded is None else {"recorded": self.recorded.isoformat()}),
            "events": [self._event(number, event) for number, event in enumerate(self.events, 1)],
            "tracks": [self._track(self.tracks[number]) for number in sorted(self.tracks)],
            "zones": [self._zone(zone) for zone in self.zones],
        }

    def summary(self) -> str:
        """Return a line for people: how many events, when, and how many objects in each."""
        if not self.events:
            return f"no events: nothing is seen for {float(self.shortest):g} s that moves from place to place"
        shown = [_in_words(event) for event in self.events[:SHOWN]]
        more = len(self.events) - len(shown)
        rest = f", and {more} more" if more else ""
        return f"{count_of(len(self.events), 'event')}: {', '.join(shown)}{rest}"

    def zone_lines(self) -> list[str]:
        """Return a line for each zone: how many things were in it, and for how long in all."""
        return [f"zone {zone.name}: {_stays(zone)}" for zone in self.zones]

    def _event(self, number: int, event: Event) -> dict[str, Any]:
        return {
            "event": number,
            "start": place(event.first, self.recorded),
            "end": place(event.last, self.recorded),
            "duration": _rounded(event.last.time - event.first.time),
            "objects": len(event.tracks),
            "tracks": event.tracks,
            "region": list(event.region),
            "peak": {**place(event.peak, self.recorded), "area": event.area, "box": list(event.box)},
        }

    def _track(self, track: TrackSummary) -> dict[str, Any]:
        seconds = track.last.time - track.first.time
        return {
            "track": track.number,
            "start": place(track.first, self.recorded),
            "end": place(track.last, self.recorded),
            "duration": _rounded(seconds),
            "frames": track.frames,
            "region": list(track.region),
            "area": {"mean": round(track.area, 1), "largest": track.largest},
            "difference": round(track.contrast, 1),
            "colour": [round(part) for part in track.colour],
            "path": round(track.path, 1),
            "speed": round(track.path / float(seconds), 2) if seconds else 0.0,
            "from": [round(side, 1) for side in track.begun],
            "to": [round(side, 1) for side in track.ended],
            "zones": [zone.name for zone in self.zones if any(v.track == track.number for v in zone.visits)],
        }

    def _zone(self, zone: Zone) -> dict[str, Any]:
        return {
            "zone": zone.name,
            "entries": len(zone.visits),
            "objects": len({visit.track for visit in zone.visits}),
            "dwell": _rounded(_dwell(zone.visits)),
            "visits": [
                {
                    "track": visit.track,
                    "entry": place(visit.first, self.recorded),
                    "exit": place(visit.last, self.recorded),
                    "dwell": _rounded(visit.last.time - visit.first.time),
                }
                for visit in zone.visits
            ],
        }


def _in_words(event: Event) -> str:
    return f"{span(event.first.time, event.last.time)} ({count_of(len(event.tracks), 'object')})"


def _stays(zone: Zone) -> str:
    if not zone.visits:
        return "nobody and nothing"
    objects = count_of(len({visit.track for visit in zone.visits}), "object")
    visits = count_of(len(zone.visits), "visit")
    return f"{objects}, {visits}, {float(_dwell(zone.visits)):.1f} s"


def _dwell(visits: Sequence[Visit]) -> Fraction:
    return sum((visit.last.time - visit.first.time for visit in visits), Fraction(0))


def _rounded(seconds: Fraction) -> float:
    return round(float(seconds), 6)
