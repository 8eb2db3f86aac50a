"""Without ``-o``, results lie beside the footage, under its name, and replace nothing else."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from clip_kit import names, scene, write_video

from bgsub.cli.beside import PICTURE, beside

MASK = ("--outputs", "mask", "--end", "6", "--quiet")


def test_results_are_called_after_what_was_named(tmp_path, monkeypatch):
    (tmp_path / "frames.d").mkdir()
    (tmp_path / "cam.1.mp4").touch()
    (tmp_path / "odd[1].mp4").touch()
    monkeypatch.chdir(tmp_path / "frames.d")
    cases = {
        str(tmp_path / "cam.1.mp4"): tmp_path / "cam.1_bgsub",
        str(tmp_path / "odd[1].mp4"): tmp_path / "odd[1]_bgsub",
        f"{tmp_path}/frames.d/": tmp_path / "frames.d_bgsub",
        ".": tmp_path / "frames.d_bgsub",
        "*.png": tmp_path / "frames.d_bgsub",
        str(tmp_path / "frames.d" / "*.jpg"): tmp_path / "frames.d_bgsub",
        "img_%04d.png": Path("img_bgsub"),
        "day?/a.png": Path("day_bgsub"),
        "0": Path("camera0_bgsub"),
        "-": Path("stdin_bgsub"),
        "rtsp://admin:pass/word@10.0.0.5:554/live/cam%202?token=abc": Path("cam_202_bgsub"),
        "http://host/a/cam.mp4#t=1": Path("cam_bgsub"),
        "rtsp://admin:secret@gate:554": Path("gate_bgsub"),
    }
    assert {source: beside(source) for source in cases} == cases


def test_a_still_never_becomes_a_frame_of_a_pattern(tmp_path):
    (tmp_path / "a").mkdir()
    for pattern in ("img*.png", "img%04d.png", "*.png"):
        assert beside(str(tmp_path / "a" / pattern), PICTURE) == tmp_path / "a_frame.png"


@pytest.mark.parametrize(
    "words",
    [
        ["VIDEO", *MASK],
        ["-qs", "1e6", *MASK, "VIDEO"],
        ["-qs1e6", *MASK, "VIDEO"],
        [*MASK, "VIDEO"],
        ["-q", "separate", "VIDEO", *MASK[:4]],
        [*MASK, "--", "VIDEO"],
    ],
)
def test_a_video_alone_is_separated_beside_itself(call, clip, tmp_path, words):
    (tmp_path / "mask.mp4").write_bytes(clip.read_bytes())
    done = call(*(tmp_path / "mask.mp4" if word == "VIDEO" else word for word in words))
    assert (done.code, done.out, done.err) == (0, "", "")
    assert names(tmp_path) == ["mask.mp4", "mask_bgsub"]
    assert names(tmp_path / "mask_bgsub") == ["mask.mkv", "run.json"]


def test_a_command_is_one_though_a_file_has_its_name(call, clip, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "info").write_bytes(clip.read_bytes())
    assert "cam_bgsub" in call("info", clip).out
    assert call("./info", *MASK).code == 0
    assert names(tmp_path) == ["info", "info_bgsub"]


@pytest.mark.parametrize("within", ["", "*.png"])
def test_a_folder_of_pictures_is_not_written_into(call, within, tmp_path):
    (tmp_path / "frames").mkdir()
    for number, frame in enumerate(scene(6).frames):
        cv2.imwrite(str(tmp_path / "frames" / f"{number}.png"), frame)
    assert call(tmp_path / "frames" / within, *MASK).code == 0
    assert names(tmp_path) == ["frames", "frames_bgsub"]
    assert len(names(tmp_path / "frames")) == 6


def test_results_of_another_video_of_that_name_are_not_replaced_unasked(call, tmp_path):
    for name in ("cam.mp4", "cam.mkv"):
        write_video(tmp_path / name, scene(6).frames)
    for _ in range(2):
        assert call(tmp_path / "cam.mp4", *MASK).code == 0
    before = (tmp_path / "cam_bgsub" / "run.json").read_bytes()
    for more in ([], ["--dry-run"]):
        refused = call(tmp_path / "cam.mkv", *MASK, *more)
        assert refused.code == 1
        assert "cam.mp4" in refused.err
        assert "-o" in refused.err
    assert (tmp_path / "cam_bgsub" / "run.json").read_bytes() == before
    assert call(tmp_path / "cam.mkv", *MASK, "-o", tmp_path / "cam_bgsub").code == 0
