"""With ``--json`` standard output is for programs, and holds nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clip_kit import scene, write_video

from bgsub.cli.jsonlines import JsonLines


def events(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def named(found: list[dict], event: str) -> list[dict]:
    return [each for each in found if each["event"] == event]


def test_a_run_is_told_in_lines_and_ends_with_its_result(call, clip, tmp_path):
    done = call(clip, "-o", tmp_path / "out", "--outputs", "mask,events", "--json")
    assert (done.code, done.err) == (0, "")
    found = events(done.out)
    assert found[0]["event"] == "start"
    assert found[0]["schema"] == found[-1]["schema"] == 1
    assert {each["phase"] for each in named(found, "phase")} >= {"reading", "fitting", "separating", "events"}
    assert {"phase": "separating", "done": 40, "total": 40}.items() <= named(found, "progress")[-1].items()
    result = found[-1]
    assert result["event"] == "result"
    assert result["frames"] == 40
    written = json.loads((tmp_path / "out" / "events.json").read_text())
    assert result["events"] == len(written["events"]) == 1
    assert result["objects"] == len(written["tracks"])
    assert [Path(result["outputs"][name]).is_file() for name in ("mask", "events")] == [True, True]
    assert Path(result["report"]).is_file()


def test_progress_is_told_now_and_then_and_at_the_end(capsys):
    lines = JsonLines(False)
    lines.begin("reading", 5000)
    for _ in range(5000):
        lines.step()
    lines.end()
    lines.end()
    told = named(events(capsys.readouterr().out), "progress")
    assert 1 <= len(told) < 100
    assert [each["done"] for each in told].count(5000) == 1


@pytest.mark.filterwarnings("always::bgsub.BgsubWarning")
def test_a_quiet_one_tells_warnings_and_the_result(call, clip, tmp_path):
    words = ("--outputs", "mask", "--json", "--quiet", "--threshold", "30", "--sensitivity", "2")
    done = call("separate", clip, "-o", tmp_path / "out", *words)
    assert done.err == ""
    assert [each["event"] for each in events(done.out)] == ["start", "warning", "result"]


def test_errors_are_lines_with_the_same_exit_codes(call, clip, tmp_path):
    cases = [
        (["no.mp4"], 1),
        ([clip, "--tau", "0"], 1),
        ([clip, "--tau", "high"], 2),
        ([clip, "--nonsense"], 2),
        (["info", tmp_path / "a\u202eb\x7f.mp4"], 1),
    ]
    for words, code in cases:
        done = call(*words, "--json")
        assert (done.code, done.err) == (code, "")
        assert {"event": "error", "exit_code": code}.items() <= events(done.out)[-1].items()
        assert done.out.isascii()


def test_what_is_known_of_an_input_is_one_object_of_numbers(call, clip, tmp_path):
    for words in (["info", clip], [clip, "--dry-run"]):
        done = call(*words, "--gray", "--roi", "0,0,16,48", "--json")
        assert (done.code, done.err) == (0, "")
        [about] = events(done.out.replace("{", '{"event": "x", ', 1))
        expected = {
            "schema": 1, "input": str(clip), "width_pixels": 64, "height_pixels": 48, "is_color": True, "frames": 40,
            "frames_per_second": 25.0, "duration_seconds": 1.6, "recorded": None, "region_pixels": 768,
            "matrix_rows": 768, "matrix_columns": 40, "output": str(clip.with_name("cam_bgsub")),
        }  # fmt: skip
        assert expected.items() <= {key: value for key, value in about.items() if key != "event"}.items()
        assert about["fit_memory_bytes"] < about["peak_memory_bytes"] <= about["allowed_memory_bytes"]


def test_a_flag_of_that_name_that_takes_a_file_is_another(call, tmp_path):
    video = write_video(tmp_path / "a.mkv", scene(4).frames)
    done = call("evaluate", video, tmp_path / "no", "--json", tmp_path / "scores.json")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("bgsub: ")


def test_footage_that_is_no_command_and_not_there_is_told_in_a_line_too(call):
    done = call("nothere", "--json")
    assert (done.code, done.err) == (2, "")
    assert [each["event"] for each in events(done.out)] == ["error"]
