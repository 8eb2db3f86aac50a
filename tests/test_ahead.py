"""The second process that compiles ahead on the first run of a machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bgsub import ahead, jit

RUN = """
import numpy as np, bgsub
rng = np.random.default_rng(1)
clip = rng.integers(60, 80, (40, 48, 64, 3)).astype(np.uint8)
for index in range(40):
    clip[index, 10:20, index:index + 10] = 220
bgsub.fit(clip).apply(clip[0])
"""


def kept(cache: Path) -> set[str]:
    """Return the names of the functions that are in the cache."""
    return {file.name for file in cache.rglob("*.nbc")}


@pytest.mark.slow
@pytest.mark.timeout(500)
def test_what_is_compiled_ahead_is_what_a_run_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with ahead._start() as process:
        assert process.wait(timeout=240) == 0
    first = kept(tmp_path)
    subprocess.run([sys.executable, "-W", "error", "-c", RUN], check=True, timeout=240)
    both = kept(tmp_path)
    functions = {name.rsplit(".", 2)[0] for name in first}
    for kernel in ("ripples._put", "difference._largest", "lift_kernel.settle", "coefficients._reweighted"):
        assert any(kernel in name for name in functions), kernel
    # No second signature of anything: the run found what it needed.
    assert not [name for name in both - first if name.rsplit(".", 2)[0] in functions]


def test_a_process_is_started_by_the_first_compilation_and_stopped_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start = ahead._start
    monkeypatch.setattr(ahead, "_start", lambda: started.append(start()) or started[-1])
    with ahead.compiling_beside():
        pass
    started.clear()
    with ahead.compiling_beside():
        assert len(started) == 0, "everything that the run takes first is in the cache"
        jit._announce()
        jit._announce()
        assert len(started) == 1
        assert started[0].poll() is None
    assert started[0].poll() is not None


def test_a_process_that_cannot_be_started_does_not_fail_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with ahead.compiling_beside():
        jit._announce()


@pytest.mark.slow
def test_it_ends_with_a_run_that_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with ahead._start() as process:
        assert process.stdin is not None
        # As when the run is no more; it has not been told anything.
        process.stdin.close()
        assert process.wait(timeout=120) == 0
    assert not kept(tmp_path), "it went on"
