"""Bad input and wrong usage: one line on stderr that says what and where, the exit code, and nothing in OUT."""

from __future__ import annotations

import os
import wave
from pathlib import Path

import cv2
import numpy as np
import pytest
from clip_kit import names, scene, write_video


def refused(outcome, code: int, *words: str) -> str:
    """Check that *outcome* is one line with all of *words*."""
    assert outcome.out == ""
    [line] = outcome.err.splitlines()
    assert line.startswith("bgsub: ")
    assert "unexpected" not in line
    assert [word for word in words if word not in line] == [], line
    assert outcome.code == code
    return line


def empty(folder: Path) -> Path:
    (folder / "empty.mp4").touch()
    return folder / "empty.mp4"


def text(folder: Path) -> Path:
    (folder / "text.mp4").write_text("This is no video.\n" * 100)
    return folder / "text.mp4"


def sound(folder: Path) -> Path:
    with wave.open(str(folder / "sound.wav"), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(16000))
    return folder / "sound.wav"


def headless(folder: Path) -> Path:
    whole = write_video(folder / "whole.mp4", scene(5).frames).read_bytes()
    (folder / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    return folder / "cut.mp4"


def no_pictures(folder: Path) -> Path:
    (folder / "docs").mkdir()
    (folder / "docs" / "notes.txt").write_text("none here")
    return folder / "docs"


def one_frame(folder: Path) -> Path:
    return write_video(folder / "one.mkv", scene(1).frames)


def two_frames(folder: Path) -> Path:
    return write_video(folder / "two.mp4", scene(2).frames)


def one_picture(folder: Path) -> Path:
    cv2.imwrite(str(folder / "one.png"), np.zeros((20, 30), np.uint8))
    return folder / "one.png"


def all_damaged(folder: Path) -> Path:
    (folder / "pics").mkdir()
    for number in range(3):
        (folder / "pics" / f"{number}.jpg").write_bytes(b"\xff\xd8 damaged")
    return folder / "pics"


CASES = {
    "missing": (lambda folder: folder / "no.mp4", ["no such file", "no.mp4"]),
    "missing folder": (lambda folder: folder / "no" / "such" / "folder", ["no such file", "folder"]),
    "empty file": (empty, ["empty.mp4", "empty"]),
    "text": (text, ["text.mp4"]),
    "no video stream": (sound, ["sound.wav", "no video"]),
    "cut off": (headless, ["cut.mp4"]),
    "no pictures": (no_pictures, ["no pictures", "docs"]),
    "one frame": (one_frame, ["one.mkv", "only 1 frame,", "at least 3"]),
    "two frames": (two_frames, ["two.mp4", "only 2 frames", "at least 3"]),
    "one picture": (one_picture, ["one.png", "only 1 frame,", "at least 3"]),
    "no wildcard match": (lambda folder: folder / "*.jpg", ["*.jpg"]),
    "no pattern match": (lambda folder: folder / "img%04d.png", ["img%04d.png"]),
    "damaged pictures": (all_damaged, ["pics"]),
    "empty name": (lambda folder: "", ["empty"]),
    "an address": (lambda folder: "rtsp://camera/1", ["rtsp://camera/1"]),
}


def test_footage_that_cannot_be_used_is_one_line_and_the_plan_says_it_too(call, tmp_path):
    for case, (make, words) in CASES.items():
        (tmp_path / case).mkdir()
        source = make(tmp_path / case)
        refused(call("separate", source, "-o", tmp_path / "a" / "out"), 1, *words)
        assert not (tmp_path / "a").exists()
        if source:
            refused(call("info", source), 1, *words)
            refused(call("separate", source, "--dry-run"), 1, *words)


@pytest.mark.slow
def test_a_program_of_its_own_says_no_more_than_that_line(spawn, tmp_path):
    make, words = CASES["cut off"]
    refused(spawn("separate", make(tmp_path), "-o", "out"), 1, *words)
    assert not (tmp_path / "out").exists()


def test_the_plan_counts_the_frames_of_the_part_as_the_run_does(call, clip, tmp_path):
    for part in (["--end", "2"], ["--start", "38"], ["--every", "20"], ["--start", "1:00"]):
        [line] = call("separate", clip, "-o", tmp_path / "out", "--quiet", *part).err.splitlines()
        assert " frame" in line
        assert call("info", clip, *part).err.splitlines() == [line]
        assert call("separate", clip, "--dry-run", *part).err.splitlines() == [line]


@pytest.mark.shared_data
def test_broken_files_from_the_field_are_one_line(call, shared_data, tmp_path):
    folder = shared_data / "videos" / "hard"
    for name in ("chunk_out_of_range.mp4", "empty.mp4", "text_renamed.mp4"):
        refused(call("separate", folder / name, "-o", tmp_path / "out"), 1, name)
        assert not (tmp_path / "out").exists()
    white = folder / "h264_white_frame_sar_16_9.mp4"
    refused(call("separate", white, "-o", tmp_path / "out"), 1, "only 1 frame,")


def test_pictures_of_different_sizes_are_named_with_their_sizes(call, tmp_path):
    for number in range(6):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.zeros((20, 30 + (number == 4)), np.uint8))
    words = ("differ in size", "0.png is 30 × 20", "4.png is 31 × 20")
    refused(call("separate", tmp_path, "-o", tmp_path / "out", "--quiet"), 1, *words)
    assert not (tmp_path / "out").exists()


def test_an_output_with_an_impossible_name_or_below_a_file_is_refused(call, clip, tmp_path):
    says = "cannot write into the folder"
    for flags in ([], ["--dry-run"]):
        for out in (tmp_path / ("x" * 300), tmp_path / "new" / ("x" * 300)):
            refused(call("separate", clip, "-o", out, *flags), 1, says, "too long")
            assert names(tmp_path) == []
        file = tmp_path / "file"
        file.write_text("mine")
        refused(call("separate", clip, "-o", file, *flags), 1, str(file), "is a file")
        for out in (file, file / "out", file / "a" / "b"):
            refused(call("separate", clip, "-o", out, *flags), 1, says, str(out), "-o")
        assert file.read_text() == "mine"
        file.unlink()


def test_an_output_where_one_may_not_write_is_refused(call, clip, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    tmp_path.chmod(0o500)
    for flags in ([], ["--dry-run"]):
        done = call("separate", clip, "-o", tmp_path / "out", *flags)
        refused(done, 1, "cannot write into the folder", "ermission")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that nobody can write into")
def test_an_output_where_nobody_can_write_is_refused(call, clip):
    for flags in ([], ["--dry-run"]):
        for out in ("/proc/out", "/proc/a/b"):
            refused(call("separate", clip, "-o", out, *flags), 1, f"cannot write into the folder {out}: ")


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_leaves_nothing(spawn, call, clip, tmp_path):
    pytest.importorskip("resource", reason="limits on the size of files need POSIX")
    outputs = ("--outputs", "mask,plate", "--quiet")
    call("separate", clip, "-o", tmp_path / "warm", *outputs)  # so that compiled code is cached
    outcome = spawn("separate", clip, "-o", "a/out", *outputs, limit=300)
    refused(outcome, 1, "cannot write", "a/out", "choose another folder")
    assert names(tmp_path) == ["warm"]


@pytest.mark.parametrize("flags", [[], ["--dry-run"]], ids=str)
def test_a_file_of_somebody_else_in_a_folder_of_masks_is_named_and_stays(call, clip, flags, tmp_path):
    asked = ("separate", clip, "-o", tmp_path, "--outputs", "mask-png", "--end", "5", "--quiet")
    assert call(*asked).code == 0
    (tmp_path / "mask-png" / "notes.txt").write_bytes(b"mine")
    refused(call(*asked, *flags), 1, "mask-png", "notes.txt", "move it away")
    assert (tmp_path / "mask-png" / "notes.txt").read_bytes() == b"mine"


@pytest.mark.parametrize("flags", [[], ["--dry-run"]], ids=str)
def test_a_file_of_somebody_else_in_out_is_named_and_stays(call, clip, flags, tmp_path):
    (tmp_path / "overlay.mp4").write_bytes(b"mine")
    refused(call("separate", clip, "-o", tmp_path, *flags), 1, "overlay.mp4", "not from an earlier run")
    assert names(tmp_path) == ["overlay.mp4"]


@pytest.mark.parametrize("flags", [[], ["--dry-run"]], ids=str)
def test_pictures_are_not_written_where_they_are_read(call, flags, tmp_path):
    for number in range(6):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.zeros((20, 30), np.uint8))
    refused(
        call("separate", tmp_path, "-o", tmp_path, *flags), 1, "the pictures are read from", str(tmp_path)
    )
    assert call("separate", tmp_path, "-o", tmp_path / "new" / "out", "--dry-run").code == 0
    assert len(names(tmp_path)) == 6


OUT_OF_RANGE = [
    ("--roi", "60,0,10,10", ["region 60,0,10,10", "outside the picture", "64 × 48"]),
    ("--roi", "0,0,0,5", ["--roi 0,0,0,5 is empty, 0 × 5 pixels"]),
    ("--tau", "0", ["--tau is 0", "must be > 0"]),
    ("--tau", "-3", ["--tau is -3", "must be > 0"]),
    ("--tau", "nan", ["--tau is nan"]),
    ("--scale", "1.5", ["--scale is 1.5", "≤ 1"]),
    ("--scale", "0.001", ["scale 0.001 leaves nothing of 64 × 48"]),
    ("--every", "0", ["--every is 0", "≥ 1"]),
    ("--columns", "2", ["--columns is 2", "≥ 3"]),
    ("--segment", "2", ["--segment is 2", "at least 3"]),
    ("--start", "900", ["no frame with --start 900"]),
    ("--outputs", ",", ["--outputs is empty"]),
]
USAGE = [
    (["--treshold", "3"], ["unknown option '--treshold'", "did you mean '--threshold'"]),
    (["--qqqqqq"], ["unknown option '--qqqqqq'", "see bgsub separate --help"]),
    (["-z"], ["unknown option '-z'"]),
    (["--tau"], ["--tau", "requires an argument", "see bgsub"]),
    (["--tau", "high"], ["--tau: cannot read 'high': expected a number"]),
    (["--rank", "1.5"], ["--rank: cannot read '1.5': expected a whole number"]),
    (["--rank", "inf"], ["--rank: cannot read 'inf': expected a whole number"]),
    (["--method", "pcp"], ["--method: no such choice 'pcp'"]),
    (["--outputs", "mask,ovrlay"], ["--outputs: no such choice 'ovrlay'; did you mean 'overlay'"]),
    (["--start", "soon"], ["--start: cannot read 'soon': expected frames (120)"]),
    (["--roi", "1,2,3"], ["--roi: cannot read '1,2,3': expected x,y,width,height"]),
    (["one.mp4", "two.mp4"], ["unexpected extra argument", "two.mp4"]),
]


def test_a_value_out_of_range_is_one_line(call, clip, tmp_path):
    for flag, value, words in OUT_OF_RANGE:
        refused(call("separate", clip, "-o", tmp_path / "out", flag, value), 1, *words)
        assert not (tmp_path / "out").exists()


def test_wrong_usage_is_one_line_and_exit_code_2(call, clip, tmp_path):
    for arguments, words in USAGE:
        outcome = call("separate", clip, "-o", tmp_path / "out", *arguments)
        [line] = outcome.err.splitlines()
        assert outcome.code == 2
        assert [word for word in words if word.lower() not in line.lower()] == [], line
        assert not (tmp_path / "out").exists()


def test_an_unknown_command_names_the_nearest(call):
    refused(call("seperate", "in.mp4"), 2, "unknown command 'seperate'", "did you mean 'separate'")
    refused(
        call("somewhere", "-o", "out"),
        2,
        "unknown command 'somewhere'",
        "no such file",
        "separate, frame, info",
    )
    refused(call("in.mp4", "-o", "out"), 1, "no such file: in.mp4")


def test_a_missing_input_is_asked_for(call):
    refused(call("separate", "-o", "out"), 2, "missing INPUT")
    refused(call("--gray"), 2, "missing INPUT")
    refused(call("info"), 2, "missing argument 'INPUT'")


def test_no_argument_at_all_shows_the_help(call):
    outcome = call()
    assert outcome.code == 2
    assert "Commands:" in outcome.out + outcome.err


def test_a_configuration_that_cannot_be_used_is_one_line(call, clip, tmp_path):
    file, out = tmp_path / "my.toml", tmp_path / "out"
    refused(call("separate", clip, "-o", out, "--config", file), 1, "cannot read the options file", "my.toml")
    for content, code, words in (
        ("treshold = 3", 2, ["unknown option 'treshold'", "did you mean 'threshold'"]),
        ("threshold = 'high'", 2, ["--threshold: cannot read 'high'"]),
        ("threshold", 2, ["is not a TOML file"]),
        ("tau = -1", 1, [f"{file}: --tau is -1"]),
    ):
        file.write_text(content)
        refused(call("separate", clip, "-o", out, "--config", file), code, *words)
        assert not out.exists()


def test_an_empty_name_is_never_the_current_folder(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in (
        ("info", "x", "--config", ""), ("separate", "x", "--config", " "), ("evaluate", "", "x"), ("evaluate", "x", ""),
        ("evaluate", "x", "x", "--json", ""), ("benchmark", ""), ("benchmark", "x", "-o", ""),
        ("benchmark", "x", "--json", ""), ("separate", "x", "-o", ""),
    ):  # fmt: skip
        done = call(*words)
        [line] = done.err.splitlines()
        assert done.code == 2
        assert "it is empty; give the name of a file or folder" in line or "-o is empty" in line
    assert names(tmp_path) == []
