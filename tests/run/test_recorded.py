"""The time of day of a recording."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import av
import pytest
from clip_kit import scene

import bgsub
from bgsub import Options


def write(path: Path, created: str | None) -> Path:
    with av.open(str(path), "w") as container:
        if created is not None:
            container.metadata["creation_time"] = created
        stream = container.add_stream("mpeg4", rate=25)
        frames = scene(60, 72, 96).frames
        stream.height, stream.width = frames.shape[1:3]
        for image in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
        container.mux(stream.encode(None))
    return path


@pytest.mark.parametrize("suffix", ["mp4", "mkv", "mov"])
def test_what_the_file_says_is_told_of_every_event(suffix, tmp_path):
    path = write(tmp_path / f"a.{suffix}", "2024-05-06T07:08:09.000000Z")
    recorded = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert bgsub.open_source(path).info.recorded == recorded
    result = bgsub.separate(path, tmp_path / "out", Options(outputs="events,overlay", burn="time"))
    report = json.loads(result.outputs["events"].read_text())
    assert report["recorded"] == recorded.isoformat()
    [event] = report["events"]
    assert event["start"]["clock"].startswith("2024-05-06T07:08:09.")
    since = datetime.fromisoformat(event["end"]["clock"]) - recorded
    assert since.total_seconds() == pytest.approx(float(Fraction(event["end"]["exact"])), abs=0.001)
    assert (
        json.loads((tmp_path / "out" / "run.json").read_text())["input"]["recorded"] == recorded.isoformat()
    )


@pytest.mark.parametrize(
    "created", [None, "1970-01-01T00:00:00.000000Z", "1904-01-01T00:00:00Z", "yesterday"]
)
def test_a_clock_that_was_never_set_says_nothing(created, tmp_path):
    assert bgsub.open_source(write(tmp_path / "a.mkv", created)).info.recorded is None
