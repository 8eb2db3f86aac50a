"""``bgsub separate``: flags, files and configuration reach the run; what it says goes to the right place."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import pytest
from clip_kit import DEFAULT, names, read_video, scene, write_video

import bgsub
from bgsub import Options
from bgsub.options import toml

DEFAULT_IN_ORDER = [
    "background.mp4",
    "foreground.mp4",
    "mask.mkv",
    "overlay.mp4",
    "background.png",
    "events.json",
    "tracks.csv",
    "run.json",
]


def test_a_run_writes_the_default_outputs_and_explains_itself_on_stderr(call, clip, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = call("separate", clip, "-o", "out")
    assert (done.code, done.out) == (0, "")
    assert names(tmp_path / "out") == DEFAULT
    assert "τ" not in done.err
    # A guard reads them all.
    assert len(done.err.splitlines()) <= 6
    assert done.err.splitlines()[-1].startswith("1 event: ")
    lines = call("separate", clip, "-o", "more", "--verbose").err.splitlines()
    assert lines[0].startswith("frames 0–39: background fitted on 40 of 40 in ")
    assert set(done.err.splitlines()[1:-2]) <= set(lines)
    for reason in (
        "camera: ",
        "objects: ",
        "method alt-pgpg on a sample of the rows",
        "τ′ = ",
        "s = ",
        "rank 0: ",
        "threshold ",
        "ground: ",
        "objective ",
    ):
        assert [line for line in lines if line.strip().startswith(reason)], reason
    assert lines[-2].startswith("40 frames in ")
    assert f"→ more{os.sep}: " in lines[-2]
    assert "mask.mkv" in lines[-2]
    assert "\r" not in done.err


def test_flags_reach_the_run(call, clip, tmp_path):
    flags = [
        "--outputs",
        "mask,mask-png",
        "--roi",
        "10,6,40,36",
        "--start",
        "0.2s",
        "--end",
        "35",
        "--every",
        "2",
    ]
    flags += [
        "-s",
        "1e5",
        "--tau",
        "500",
        "--rank",
        "1",
        "--columns",
        "9",
        "--segment",
        "12",
        "--min-area",
        "0",
    ]
    flags += [
        "--threshold",
        "30",
        "--gray",
        "--scale",
        "0.5",
        "--seed",
        "4",
        "--threads",
        "1",
        "--method",
        "alt-pgcg",
    ]
    done = call("separate", clip, "-o", tmp_path / "out", "--centre", "median", *flags)
    assert done.code == 0, done.err
    assert names(tmp_path / "out") == ["mask-png", "mask.mkv", "run.json"]
    report = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    assert Options(**report["options"]) == Options(
        outputs="mask,mask-png", roi=(10, 6, 40, 36), start="0.2s", end=35, every=2, sparsity=1e5, tau=500, rank=1,
        columns=9, segment=12, min_area=0, threshold=30, gray=True, scale=0.5, seed=4, threads=1, method="alt-pgcg",
    )  # fmt: skip
    assert report["frames"]["numbers"] == [[6, 34, 2]]
    assert report["picture"] == {"width": 32, "height": 24, "region": [5, 3, 20, 18]}
    assert read_video(tmp_path / "out" / "mask.mkv", "gray")[0].shape == (15, 24, 32)


def test_the_program_gives_what_the_function_gives(call, clip, tmp_path):
    call("separate", clip, "-o", tmp_path / "out", "--outputs", "mask", "--quiet")
    stored, stamps = read_video(tmp_path / "out" / "mask.mkv", "gray")
    expected = bgsub.separate(clip, options=Options(outputs="mask"))
    assert (stored == expected.layers["mask"]).all()
    assert stamps == read_video(clip)[1]


def test_a_configuration_is_used_and_a_flag_overrides_it(call, clip, tmp_path):
    (tmp_path / "my.toml").write_text('outputs = "mask"\nthreshold = 99\nseed = 7')
    done = call(
        "separate", clip, "-o", tmp_path / "out", "--config", tmp_path / "my.toml", "--threshold", "31"
    )
    assert done.code == 0, done.err
    options = json.loads((tmp_path / "out" / "run.json").read_text())["options"]
    assert (options["outputs"], options["threshold"], options["seed"]) == (["mask"], 31.0, 7)


def test_a_printed_configuration_gives_the_same_options_again(call, tmp_path):
    flags = ["--tau", "3.5", "--roi", "1,2,3,4", "--segment", "90s", "--gray", "--outputs", "plate"]
    first = call("separate", "--print-config", *flags)
    assert first.code == 0
    (tmp_path / "my.toml").write_text(first.out, encoding="utf-8")
    assert call("separate", "--print-config", "--config", tmp_path / "my.toml").out == first.out
    expected = Options(tau=3.5, roi=(1, 2, 3, 4), segment="90s", gray=True, outputs="plate")
    assert Options(**toml.load(tmp_path / "my.toml")) == expected


def test_a_dry_run_writes_nothing_and_says_what_a_run_would(call, clip, tmp_path):
    done = call("separate", clip, "-o", tmp_path / "out", "--dry-run", "--outputs", "mask,plate,overlay-png")
    assert (done.code, done.err) == (0, "")
    assert names(tmp_path) == []
    assert f"{tmp_path / 'out'}/: mask.mkv, background.png, overlay-png/, run.json" in done.out
    assert "MB for the fit" in done.out


def test_a_dry_run_needs_no_output_folder(call, clip):
    done = call("separate", clip, "--dry-run")
    assert done.code == 0
    out = f"{clip.with_name('cam_bgsub')}{os.sep}"
    assert f"\nwrites     {out}: {', '.join(DEFAULT_IN_ORDER)}\n" in done.out


def test_a_model_is_saved_and_applied(call, clip, tmp_path):
    model = tmp_path / "cam.npz"
    flags = ("--outputs", "mask", "--scale", "0.5", "--save-model", model)
    done = call(clip, "-o", tmp_path / "one", *flags)
    assert done.code == 0
    assert f"model → {model}" in done.err
    assert "is a saved model" in call("info", clip, "--model", model).out
    assert (
        call(clip, "-o", tmp_path / "two", "--outputs", "mask", "--model", model, "--memory", "4G").code == 0
    )
    first, second = (read_video(tmp_path / each / "mask.mkv", "gray")[0] for each in ("one", "two"))
    assert (first == second).all()


def test_a_name_that_looks_like_an_option_is_taken_after_two_dashes(call, clip, tmp_path, monkeypatch):
    shutil.copy(clip, tmp_path / "-cam é.mp4")
    monkeypatch.chdir(tmp_path)
    done = call("separate", "-o", "out", "--outputs", "mask", "--end", "5", "--quiet", "--", "-cam é.mp4")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert names(tmp_path / "out") == ["mask.mkv", "run.json"]


def test_a_folder_a_wildcard_and_a_pattern_are_footage(call, tmp_path):
    for number, frame in enumerate(scene(6).frames):
        cv2.imwrite(str(tmp_path / f"img{number:04d}.png"), frame[..., ::-1])
    for index, source in enumerate((tmp_path, tmp_path / "*.png", tmp_path / "img%04d.png")):
        done = call("separate", source, "-o", tmp_path / f"out{index}", "--outputs", "mask-png", "--quiet")
        assert (done.code, done.err) == (0, "")
        assert names(tmp_path / f"out{index}" / "mask-png") == [f"img{n:04d}.png" for n in range(6)]


@pytest.mark.filterwarnings("always::bgsub.BgsubWarning")
def test_a_quiet_run_says_its_warning_in_one_line_and_nothing_else(call, tmp_path):
    for number, frame in enumerate(scene(6).frames):
        cv2.imwrite(str(tmp_path / f"{number}.png"), frame)
    (tmp_path / "4.png").write_bytes(b"damaged")
    done = call("separate", tmp_path, "-o", tmp_path / "out", "--outputs", "mask", "--quiet")
    assert (done.code, done.out) == (0, "")
    [line] = done.err.splitlines()
    assert line.startswith("bgsub: warning: ")
    assert "4.png" in line


def test_output_can_be_left_to_python_s_debugging(call, tmp_path):
    done = call("separate", tmp_path / "no.mp4", "-o", tmp_path / "out", "--debug")
    assert done.code == 1
    assert "Traceback (most recent call last)" in done.err
    assert done.err.splitlines()[-1].startswith("bgsub: no such file")


def on_a_terminal(*words: object) -> str:
    """Run the program with a terminal as standard error; return what is seen there."""
    termios = pytest.importorskip("termios", reason="needs pseudo-terminals")
    main, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (24, 100))
    process = subprocess.Popen([sys.executable, "-m", "bgsub", *map(str, words)], stderr=terminal, stdout=-1)
    os.close(terminal)
    seen = b""
    try:
        while chunk := os.read(main, 65536):
            seen += chunk
    except OSError:  # Linux reports the other end's closing as an error
        pass
    finally:
        os.close(main)
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, b"")
    return seen.decode()


@pytest.mark.slow
@pytest.mark.parametrize("quiet", [[], ["--quiet"]], ids=str)
def test_on_a_terminal_each_phase_has_a_bar_unless_it_is_to_be_quiet(quiet, clip, tmp_path):
    text = on_a_terminal("separate", clip, "-o", tmp_path / "out", "--outputs", "mask", *quiet)
    if quiet:
        assert text == ""
        return
    for phase in ("reading", "fitting", "separating"):
        assert f"{phase}:" in text
    assert "40/40" in text
    assert "40 frames in " in text.splitlines()[-2]


def test_a_file_that_says_gray_can_be_overruled(call, clip, tmp_path):
    (tmp_path / "q.toml").write_text("gray = true\n")
    done = call("separate", "--config", tmp_path / "q.toml", "--no-gray", "--print-config")
    assert "gray = false" in done.out


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["separate", "--print-config"], ["--version"]], ids=str)
def test_standard_output_that_is_full_is_one_line(arguments):
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "bgsub", *arguments]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "bgsub: cannot write to standard output: No space left on device\n"


@pytest.mark.slow
@pytest.mark.parametrize("end", ["2>/dev/full", "2>&-"])
def test_a_job_is_done_though_nobody_reads_its_words(end, clip, tmp_path):
    command = f'exec "{sys.executable}" -m bgsub separate "{clip}" -o "{tmp_path}/out" --outputs plate {end}'
    done = subprocess.run(["sh", "-c", command], check=False, capture_output=True)
    assert done.returncode == 0
    assert names(tmp_path / "out") == ["background.png", "run.json"]


def test_footage_that_is_too_short_is_refused_by_a_dry_run_too(call, tmp_path):
    for number, frame in enumerate(scene().frames[:2]):
        cv2.imwrite(str(tmp_path / f"{number}.png"), frame)
    done = call("separate", tmp_path, "--dry-run")
    assert done.code == 1
    assert "only 2 frames" in done.err


def test_what_stays_in_the_folder_and_is_not_of_this_run_is_named(call, tmp_path):
    out, clip = tmp_path / "out", write_video(tmp_path / "in.mp4", scene(5).frames)
    assert "not of this run" not in call("separate", clip, "-o", out, "--outputs", "mask,plate,mask-png").err
    (out / "notes.txt").write_text("mine")
    dry = call("separate", clip, "-o", out, "--outputs", "overlay", "--dry-run")
    assert "\nleaves     background.png, mask-png/, mask.mkv (not of this run)\n" in dry.out
    said = call("separate", clip, "-o", out, "--outputs", "overlay").err.splitlines()
    assert said[-2] == f"not of this run, and left in {out}: background.png, mask-png/, mask.mkv"
    assert len(said) > 2
    # Of what a deleted report listed, the names still tell.
    (out / "run.json").unlink()
    (out / "overlay.mp4").unlink()
    assert call("separate", clip, "-o", out, "--outputs", "overlay").err.splitlines()[-2] == said[-2]
    assert call("separate", clip, "-o", out, "--outputs", "overlay", "--quiet").err == ""
