"""Run a program and watch it: seconds and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

# A process starts with the peak of the one that starts it, so a small one goes between.
WATCH = (
    "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL); "
    "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)
UNIT = 1 << 20 if sys.platform == "darwin" else 1 << 10
"""Units of ``ru_maxrss`` in a MB: macOS counts bytes, other systems KiB."""


def watched(command: list[str], settings: dict[str, str] | None = None) -> tuple[float, float]:
    """Run *command*, its output discarded; return its seconds and its peak memory in MB.

    *settings* are environment variables on top of those of this process.

    Raises
    ------
    SystemExit
        It failed; what it wrote to its standard error has been passed on.
    """
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", WATCH, *command],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, **(settings or {})},
    )
    seconds = time.perf_counter() - began
    code, peak = map(int, done.stdout.split())
    if code:
        raise SystemExit(f"{' '.join(command)} failed")
    return seconds, peak / UNIT


def separate(
    target: Path, out: Path, *words: str, settings: dict[str, str] | None = None
) -> tuple[float, float]:
    """Run ``bgsub separate``; return its seconds and its peak memory in MB."""
    command = [sys.executable, "-m", "bgsub", "separate", str(target), "-o", str(out), "--quiet", *words]
    return watched(command, settings)
