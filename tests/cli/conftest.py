"""The program, run in this process (fast) and as a process of its own (true)."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from clip_kit import scene, write_video

from bgsub.cli.main import main


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def call(capfd) -> Callable[..., Outcome]:
    """Call ``main`` with arguments; what FFmpeg and OpenCV print by themselves is captured too."""
    before = signal.getsignal(signal.SIGTERM)

    def run_main(*arguments: object) -> Outcome:
        capfd.readouterr()
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Outcome(int(stop.value.code or 0), captured.out, captured.err)

    yield run_main
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def spawn(tmp_path) -> Callable[..., Outcome]:
    """Run ``python -m bgsub`` in *tmp_path*."""

    def run_program(*arguments: object, limit: int | None = None) -> Outcome:
        command = [sys.executable, "-m", "bgsub", *map(str, arguments)]
        if limit is not None:
            script = (
                "import resource, runpy, sys; "
                f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY)); "
                "runpy.run_module('bgsub', run_name='__main__')"
            )
            command[1:3] = ["-c", script]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=120, cwd=tmp_path, encoding="utf-8"
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run_program


@pytest.fixture(scope="session")
def clip(tmp_path_factory) -> Path:
    """Forty frames of 64 × 48 pixels in which a square moves."""
    return write_video(tmp_path_factory.mktemp("clip") / "cam.mp4", scene().frames)
