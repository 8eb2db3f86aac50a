"""run.json: what a run says of itself."""

from __future__ import annotations

import json
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgsub import Options
from bgsub.background.fit_report import FitReport
from bgsub.evaluation.predictions import recorded_numbers
from bgsub.frames.changes.change import Change
from bgsub.frames.grid import Grid
from bgsub.frames.source import VideoInfo
from bgsub.run.manifest import MOST_CHANGES, Manifest, runs

INFO = VideoInfo("cam é.mp4", "video", 64, 48, True, 100, Fraction(30000, 1001), Fraction(10, 3))
REPORT = FitReport(
    first=10, frames=6, columns=6, method="alt-pgcg", tau=1.0, sparsity=2.0, rank=1, noise=1.0, outlier=3.0,
    objective=1.0, initial_objective=2.0, gap=0.5, status="flat", iterations=3, seconds=0.1, reasons=("because",),
)  # fmt: skip
MODEL = SimpleNamespace(report=REPORT, reasons=("because", "and"), in_words=("plainly",))


def manifest(**options: object) -> Manifest:
    return Manifest(INFO, Options(**options), Grid(64, 48, True, scale=0.5, roi=(8, 4, 16, 20)))


@given(st.sets(st.integers(-1000, 1000)))
def test_runs_give_every_number_back_in_order(numbers):
    ordered = sorted(numbers)
    found = runs(ordered)
    assert [n for first, last, step in found for n in range(first, last + 1, step)] == ordered
    assert all(step > 0 for *_, step in found)


@given(st.integers(0, 10**6), st.integers(2, 5000), st.integers(1, 50))
def test_an_even_stride_is_one_run(first, count, step):
    numbers = list(range(first, first + count * step, step))
    assert runs(numbers) == [[first, numbers[-1], step]]


def test_no_numbers_are_no_runs():
    assert runs([]) == []


def test_the_report_is_json_and_keeps_exact_times():
    report = manifest(every=3, start="1/3s")
    for number, time in ((11, Fraction(1, 3)), (14, Fraction(13, 30))):
        report.add_frame(number, time, 0.25)
    read = json.loads(report.to_json())
    assert read["frames"]["count"] == 2
    assert Fraction(read["frames"]["first_time"]["exact"]) == Fraction(1, 3)
    assert Fraction(read["frames"]["last_time"]["exact"]) == Fraction(13, 30)
    assert Fraction(read["input"]["fps"]["exact"]) == Fraction(30000, 1001)
    assert read["input"]["name"] == "cam é.mp4"
    assert read["foreground_share"] == 0.25
    assert "é" in report.to_json()


def test_the_options_in_the_report_make_the_same_options_again():
    options = Options(roi=(8, 4, 16, 20), start="2s", threshold=20, outputs="mask", segment=0)
    report = Manifest(INFO, options, Grid(64, 48, True))
    assert Options(**json.loads(report.to_json())["options"]) == options


def test_the_picture_is_told_in_pixels_of_the_output():
    picture = manifest().to_dict()["picture"]
    assert picture == {"width": 32, "height": 24, "region": [4, 2, 8, 10]}


def test_a_run_without_frames_is_still_a_report():
    read = json.loads(manifest().to_json())
    assert read["frames"] == {
        "count": 0,
        "numbers": [],
        "first_time": None,
        "last_time": None,
        "unregistered": 0,
        "blind": [],
    }
    assert read["foreground_share"] == 0


def test_a_tail_that_keeps_the_model_before_it_tells_its_own_first_frame():
    report = manifest(every=2, start=10)
    report.add_segment(MODEL, 6)
    report.add_segment(MODEL, 2)
    assert [(part["first"], part["frames"]) for part in report.segments] == [(10, 6), (22, 2)]
    assert report.segments[0]["reasons"] == ["because", "and"]
    json.dumps(report.to_dict())


def test_changes_of_light_are_events_with_their_exact_time():
    report = manifest()
    report.add_change(Change("light", 80, Fraction(8, 3), gradual=False, share=0.9, gain=0.5, cut=True))
    [event] = json.loads(report.to_json())["changes"]
    assert (event["kind"], event["frame"], event["cut"], event["gain"]) == ("light", 80, True, 0.5)
    assert Fraction(event["time"]["exact"]) == Fraction(8, 3)


def test_a_lamp_that_blinks_all_night_does_not_fill_the_report():
    report = manifest()
    for frame in range(MOST_CHANGES + 10):
        report.add_change(Change("light", frame, Fraction(frame), False, 0.9, 0.5, False))
    assert len(report.to_dict()["changes"]) == MOST_CHANGES


def test_the_numbers_are_those_that_evaluate_reads(tmp_path):
    report = manifest()
    for number in (701, 702, 703, 710):
        report.add_frame(number, Fraction(number), 0)
    path = tmp_path / "run.json"
    path.write_text(report.to_json(), encoding="utf-8")
    assert recorded_numbers(path) == [701, 702, 703, 710]


def test_the_share_of_foreground_is_a_mean_over_frames():
    report = manifest()
    for number, share in enumerate((0.0, 0.5, 1.0)):
        report.add_frame(number, Fraction(number), share)
    assert report.to_dict()["foreground_share"] == pytest.approx(0.5)
