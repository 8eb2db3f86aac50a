"""Events, zones, and what a run says of them."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction

import numpy as np
import pytest
from event_kit import RATE, SHAPE, moment, thing, watched

from bgsub.events.clock import short, timecode
from bgsub.events.log import SHOWN, Log
from bgsub.events.row import Row
from bgsub.events.zones import Zone


def logged(frames, gap=Fraction(1), zones=(), recorded=None) -> Log:
    """A log of frames, each a list of (track, box)."""
    log = Log(gap, zones=zones, recorded=recorded)
    for index, seen in enumerate(frames):
        log.add(moment(index), [Row(track, thing(box)) for track, box in seen])
    return log


def there(spans, frames=200):
    return [[(1, (10, 10, 5, 5))] if any(a <= t < b for a, b in spans) else [] for t in range(frames)]


@pytest.mark.parametrize(("pause", "count"), [(24, 1), (25, 2), (40, 2)])
def test_spans_no_farther_apart_than_the_gap_are_one_event(pause, count):
    # From the last frame with something to the next one are pause + 1 frames.
    events = logged(there([(10, 20), (20 + pause, 60 + pause)])).events
    assert len(events) == count
    assert (events[0].first.number, events[-1].last.number) == (11, 60 + pause)


def test_an_event_knows_its_peak_its_region_and_its_tracks():
    frames = [
        [(2, (10, 10, 5, 5))],
        [(2, (20, 10, 5, 5)), (1, (50, 40, 10, 10))],
        [(1, (60, 40, 10, 12))],
        [],
        [(2, (30, 5, 6, 6))],
    ]
    [event] = logged(frames).events
    assert (event.peak.number, event.area, event.box) == (2, 125, (20, 10, 40, 40))
    assert event.region == (10, 5, 60, 47)
    assert event.tracks == [2, 1]


def test_no_frame_and_no_row_make_no_event():
    for frames in ([], [[]] * 10):
        log = logged(frames)
        assert log.events == []
        assert log.summary().startswith("no events")


def test_what_is_said_of_a_track_is_what_its_rows_say():
    frames = [[], [(1, (10, 20, 4, 6))], [(1, (13, 24, 4, 6))], [], [(1, (19, 32, 8, 6))]]
    [track] = logged(frames).to_dict()["tracks"]
    assert (track["start"]["frame"], track["end"]["frame"], track["frames"]) == (2, 5, 3)
    assert track["region"] == [10, 20, 17, 18]
    assert track["area"] == {"mean": 32.0, "largest": 48}
    assert track["path"] == pytest.approx(5 + np.hypot(8, 8), abs=0.06)
    assert track["speed"] == pytest.approx(track["path"] / (3 / RATE), abs=1)
    assert (track["from"], track["to"]) == ([11.5, 22.5], [22.5, 34.5])


def test_the_summary_names_the_first_events_and_counts_the_rest():
    log = logged(there([(60 * k, 60 * k + 10) for k in range(SHOWN + 3)], 60 * (SHOWN + 3)))
    said = log.summary()
    assert said.startswith(f"{SHOWN + 3} events: 00:00–00:01 (1 object), 00:02–00:03 (1 object), ")
    assert said.endswith("and 3 more")


def test_times_are_frames_seconds_time_codes_and_the_time_of_day():
    recorded = datetime(2024, 2, 29, 23, 59, 59, 500_000, tzinfo=UTC)
    [event] = logged(there([(25, 50)]), recorded=recorded).to_dict()["events"]
    assert event["start"] == {
        "frame": 26,
        "seconds": 1.0,
        "exact": "1",
        "time": "00:00:01.000",
        "clock": "2024-03-01T00:00:00.500+00:00",
    }
    assert "clock" not in logged(there([(25, 50)])).to_dict()["events"][0]["start"]


@pytest.mark.parametrize(
    ("seconds", "code", "brief"),
    [
        (Fraction(0), "00:00:00.000", "00:00"),
        (Fraction(59_9999, 10_000), "00:00:59.999", "00:59"),
        (Fraction(100_000, 30_000), "00:00:03.333", "00:03"),
        (Fraction(360_061), "100:01:01.000", "100:01:01"),
    ],
)
def test_time_codes_never_lie_behind_the_frame(seconds, code, brief):
    assert (timecode(seconds), short(seconds)) == (code, brief)


def zone(x0: int, x1: int) -> Zone:
    inside = np.zeros(SHAPE, bool)
    inside[:, x0:x1] = True
    return Zone("door", inside)


def test_a_visit_begins_and_ends_where_the_feet_are():
    # The middle of the lower edge enters at x = 50 and leaves at x = 100.
    boxes = [[(7, (2 * t - 5, 20, 11, 40))] for t in range(80)]
    log = logged(boxes, zones=[zone(50, 100)])
    [visit] = log.zones[0].visits
    assert (visit.track, visit.first.index, visit.last.index) == (7, 25, 49)
    [said] = log.to_dict()["zones"]
    assert (said["entries"], said["objects"], said["dwell"]) == (1, 1, pytest.approx(24 / RATE))
    assert log.to_dict()["tracks"][0]["zones"] == ["door"]


def test_a_step_on_the_line_is_no_visit_of_its_own_but_coming_back_later_is():
    def at(t: int) -> int:
        return 60 if t < 30 or 40 <= t < 60 or t >= 120 else 20

    log = logged([[(1, (at(t), 20, 10, 40))] for t in range(140)], zones=[zone(50, 100)])
    assert [(v.first.index, v.last.index) for v in log.zones[0].visits] == [(0, 59), (120, 139)]


def test_feet_below_the_picture_stand_at_its_edge():
    log = logged([[(1, (60, 90, 10, 60))]], zones=[zone(50, 100)])
    assert len(log.zones[0].visits) == 1


def test_masks_become_events_from_end_to_end():
    frames = [[] for _ in range(300)]
    for first, y in ((20, 30), (180, 80)):
        for t in range(60):
            frames[first + t] = [(2 + 3 * t, y, 12, 30)]
    log = Log(Fraction(2))
    for each, rows in watched(frames):
        log.add(each, rows)
    assert [(e.first.index, e.last.index, e.tracks) for e in log.events] == [(20, 79, [1]), (180, 239, [2])]
