"""``--memory`` on the command line: what is said, and that it is kept."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from clip_kit import names, write_video

WATCH = """
import os, subprocess, sys
process = subprocess.Popen([sys.executable, "-m", "bgsub", *sys.argv[1:]], stderr=subprocess.PIPE, text=True)
said = process.stderr.read()
_, status, used = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), used.ru_maxrss * 1024)
print(said)
"""


def lines_of_plan(text: str) -> list[str]:
    """Return what is said of the run, without what is free on the machine."""
    return [line for line in text.splitlines()[6:] if "may be used" not in line]


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    """Some frames of 640 × 480 pixels."""
    frames = np.full((24, 480, 640, 3), 90, np.uint8)
    return write_video(tmp_path_factory.mktemp("large") / "large.mp4", frames)


def peak_of(*arguments: object) -> tuple[int, str]:
    """Run the program; return its peak in bytes and what it said."""
    # A process starts with the peak of the one that starts it, and this one is large: a small one goes between.
    command = [sys.executable, "-c", WATCH, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=280, encoding="utf-8")
    first, _, said = done.stdout.partition("\n")
    code, peak = map(int, first.split())
    assert code == 0, said
    return peak, said


def test_info_and_a_dry_run_print_the_same_plan(call, clip):
    flags = (clip, "--memory", "1.5G", "--outputs", "mask,plate")
    about, dry = call("info", *flags), call("separate", *flags, "--dry-run")
    assert (about.code, about.err, dry.code, dry.err) == (0, "", 0, "")
    assert about.out == dry.out
    assert "of 1500 MB that may be used\n" in about.out
    assert re.search(
        r"\d+ MB program \(\d+ threads?\), \d+ MB frames being read and written, \d+ MB background, and the fit",
        about.out,
    )
    assert ": mask.mkv, background.png, run.json\n" in about.out


def test_without_a_limit_that_is_said(call, clip):
    assert re.search(r"of \d+ MB that may be used \(no --memory is given\)\n", call("info", clip).out)


def test_a_dry_run_writes_nothing_and_makes_no_folder(call, clip, tmp_path):
    done = call("separate", clip, "-o", tmp_path / "new" / "out", "--dry-run", "--memory", "1G")
    assert done.code == 0
    assert names(tmp_path) == []
    assert f"writes     {tmp_path / 'new' / 'out'}/: background.mp4" in done.out


WRONG = [
    (
        "1.5X",
        2,
        "--memory: cannot read '1.5X': expected a size such as 1.5G, 800M, 2GiB or a whole number of bytes",
    ),
    ("nan", 2, "--memory: cannot read 'nan': expected a size"),
    ("0", 1, "--memory is 0, but must be > 0 bytes"),
    ("-1", 1, "--memory is -1, but must be > 0 bytes"),
    ("1M", 1, "but --memory is 1 MB: the program by itself takes 350 MB; give --memory "),
]


def test_a_wrong_size_is_one_clear_line(call, clip, tmp_path):
    out = tmp_path / "out"
    for size, code, says in WRONG:
        for command in (["info"], ["separate", "--dry-run"], ["separate", "-o", out]):
            done = call(*command, clip, "--memory", size)
            assert (done.code, done.out) == (code, "")
            assert done.err.startswith("bgsub: ")
            assert says in done.err
            assert done.err.count("\n") == 1
            assert not out.exists()


def test_too_little_says_the_least_and_the_least_is_enough(call, large):
    clip = large
    done = call("info", clip, "--memory", "365M", "--scale", "1")
    found = re.fullmatch(
        r"bgsub: 640 × 480 pixels need at least (\d+) MB \(24 columns\), but --memory is 365 MB: look at less "
        r"\(--scale, --gray, --roi\), write less \(--outputs\), or give more \(--memory\)\n",
        done.err,
    )
    assert found is not None, done.err
    least = int(found[1])
    assert call("info", clip, "--memory", f"{least}M", "--scale", "1").code == 0
    assert call("info", clip, "--memory", f"{least - 1}M", "--scale", "1").code == 1


def test_a_unit_that_was_forgotten_is_asked_for(call, clip):
    for size, says in (
        ("300", "but --memory is 300 bytes (did you mean 300M?): the program"),
        ("1", "but --memory is 1 byte (did you mean 1G?): the program"),
        ("2", "but --memory is 2 bytes (did you mean 2G?): the program"),
        ("300K", "but --memory is 300000 bytes: the program"),
        ("1000000", "but --memory is 1 MB: the program"),
    ):
        assert says in call("info", clip, "--memory", size).err


@pytest.mark.filterwarnings("always::bgsub.BgsubWarning")
def test_more_than_there_is_is_told_and_not_planned_with(call, clip, monkeypatch):
    monkeypatch.setattr("bgsub.run.budget.machine_bytes", lambda: 600_000_000)
    monkeypatch.setattr("bgsub.run.advice.machine_bytes", lambda: 600_000_000)
    words = "--memory is 999999000 MB, more than the 600 MB that this machine has: these are planned with"
    for command in (["info"], ["separate", "--dry-run"]):
        done = call(*command, clip, "--memory", "999999G")
        assert (done.code, done.err) == (0, f"bgsub: warning: {words}\n")
        assert "of 600 MB that may be used, all that there are\n" in done.out
        assert call(*command, clip, "--memory", "600M").err == ""


def test_a_picture_that_no_memory_of_the_machine_holds_needs_no_larger_limit(call, large, monkeypatch):
    clip = large
    monkeypatch.setattr("bgsub.run.budget.machine_bytes", lambda: 395_000_000)
    done = call("info", clip, "--memory", "999999G", "--scale", "1", "--threads", "1")
    assert done.code == 1
    assert (
        "but there are 395 MB only: look at less (--scale, --gray, --roi), write less (--outputs)\n"
        in done.err
    )


def test_what_is_said_to_be_needed_is_what_the_plan_then_says(call, large):
    for flags in (["--scale", "1"], ["--scale", "1", "--threads", "2"]):
        least = re.search(r"need at least (\d+) MB", call("info", large, *flags, "--memory", "365M").err)[1]
        assert f", {least} MB in all at most\n" in call("info", large, *flags, "--memory", f"{least}M").out


@pytest.mark.parametrize(
    ("flags", "size"),
    [([], 1), (["--scale", "1"], 349), (["--method", "fista"], 1), (["--threads", "2"], 349)],
    ids=str,
)
def test_less_than_the_program_itself_needs_says_so_and_what_to_give(call, clip, flags, size):
    done = call("info", clip, *flags, "--memory", f"{size}M")
    program = "354 MB with 2 threads" if "--threads" in flags else "350 MB"
    found = re.fullmatch(
        rf"bgsub: .*pixels need at least (\d+) MB \(\d+ columns\), but --memory is {size} MB: the program by "
        rf"itself takes {program}; give --memory (\d+)M or more(?: \((\d+)M for all 64 × 48 pixels\))?\n",
        done.err,
    )
    assert found is not None, done.err
    assert found[1] == found[2]
    assert call("info", clip, *flags, "--memory", f"{found[2]}M").code == 0
    if found[3]:
        assert "--scale 0." in call("info", clip, *flags, "--memory", f"{int(found[3]) - 1}M").out
        assert "--scale 0." not in call("info", clip, *flags, "--memory", f"{found[3]}M").out


def test_where_the_smallest_picture_does_not_fit_nobody_is_told_to_look_at_less(call, large):
    clip = large
    least = int(re.search(r"give --memory (\d+)M", call("info", clip, "--memory", "1M").err)[1])
    assert (
        f"is {least - 1} MB: give --memory {least}M or more"
        in call("info", clip, "--memory", f"{least - 1}M").err
    )
    assert call("info", clip, "--memory", f"{least}M").code == 0


def test_a_run_at_a_reduced_scale_says_so_even_when_quiet(call, tmp_path, large):
    clip = large
    flags = ("--memory", "405M", "--outputs", "mask")
    words = re.search(
        r"(?:\d+ threads? and )?--scale 0\.\d+ \((\d+) × (\d+) pixels\), since .*",
        call("info", clip, *flags).out,
    )
    assert words is not None
    done = call("separate", clip, "-o", tmp_path / "out", *flags, "--quiet")
    assert done.code == 0
    assert f"memory: {words[0]}\n" in done.err
    report = json.loads((tmp_path / "out" / "run.json").read_text())
    assert [report["picture"][side] for side in ("width", "height")] == [int(words[1]), int(words[2])]


def test_a_scale_of_one_in_a_printed_file_is_no_wish_but_another_is(call, tmp_path, large):
    clip = large
    (tmp_path / "my.toml").write_text(call("separate", "--print-config").out)
    flags = ("--memory", "405M", "--outputs", "mask", "--config", tmp_path / "my.toml")
    assert "--scale 0." in call("info", clip, *flags).out
    (tmp_path / "my.toml").write_text("scale = 0.99")
    assert "need at least" in call("info", clip, *flags).err


def moving(count: int, modes: int) -> np.ndarray:
    """Return frames of 640 × 480 pixels of which everything changes, along so many directions."""
    rng = np.random.default_rng(3)
    pictures = rng.normal(0, 6, (modes, 480, 640, 3)).astype(np.float32)
    factors = np.linalg.qr(rng.normal(size=(count, modes)))[0].astype(np.float32) * count**0.5
    frames = np.empty((count, 480, 640, 3), np.uint8)
    for index, row in enumerate(factors):
        picture = 120 + np.tensordot(row, pictures, 1) + rng.normal(0, 2, (480, 640, 3))
        frames[index] = np.clip(picture, 0, 255)
        frames[index, 100:200, 4 * index : 4 * index + 80] = 240
    return frames


@pytest.mark.slow
@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="peak memory is read from wait4 in kB on Linux"
)
def test_a_run_stays_below_the_memory_given(tmp_path):
    clip = write_video(tmp_path / "in.mkv", moving(100, 10))
    peak, said = peak_of("separate", clip, "-o", tmp_path / "out", "--memory", "700M", "--segment", "45")
    assert 300e6 < peak <= 700e6, said
    assert json.loads((tmp_path / "out" / "run.json").read_text())["frames"]["count"] == 100
