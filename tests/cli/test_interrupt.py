"""A run that is stopped from outside leaves nothing half-written, and what was there before stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from clip_kit import names, scene, write_video

import bgsub

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")]


@pytest.fixture(scope="module")
def long_clip(tmp_path_factory) -> Path:
    """Enough frames that the run is still busy when the signal arrives."""
    frames = np.concatenate([scene(60, 96, 128).frames] * 30)
    return write_video(tmp_path_factory.mktemp("long") / "long.mp4", frames)


HEED_SIGINT = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL);"
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)
"""Where the tests are a background job of a shell they ignore SIGINT, and so would what they start."""


@contextmanager
def running(clip: Path, out: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HEED_SIGINT, "-m", "bgsub", "separate", str(clip), "-o", str(out)]
    process = subprocess.Popen([*command, "--segment", "300"], stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for(condition, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 60
    while not condition():
        assert process.poll() is None, "the run was over before it could be stopped"
        assert time.monotonic() < until
        time.sleep(0.005)


def is_writing(out: Path) -> bool:
    """Whether every video of the run is in the making: hidden, and none under its final name but old ones."""
    return len(list(out.glob(".bgsub-*/*"))) >= 4


def test_a_signal_to_end_in_the_middle_leaves_nothing(long_clip, tmp_path):
    with running(long_clip, tmp_path / "out") as process:
        wait_for(lambda: is_writing(tmp_path / "out"), process)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 143
    assert "Traceback" not in err
    assert names(tmp_path) == []


def test_a_signal_during_the_fit_leaves_nothing(long_clip, tmp_path):
    with running(long_clip, tmp_path / "out") as process:
        wait_for((tmp_path / "out").is_dir, process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 130
    assert names(tmp_path) == []


def test_ctrl_c_is_said_in_one_line_and_the_results_of_an_earlier_run_stay(long_clip, tmp_path):
    out = tmp_path / "out"
    bgsub.separate(scene(6).frames, out)
    before = {name: (out / name).read_bytes() for name in names(out)}
    with running(long_clip, out) as process:
        wait_for(lambda: is_writing(out), process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert err.splitlines()[-1] == "bgsub: interrupted; no file is left half-written"
    assert {name: (out / name).read_bytes() for name in names(out)} == before
