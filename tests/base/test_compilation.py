from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
import types
from pathlib import Path

import numba
import pytest
from clip_kit import scene, write_video
from numba.core.dispatcher import Dispatcher

import bgsub
from bgsub import solver
from bgsub.base.jit import compiled

ROOT = Path(__file__).resolve().parents[2]


def run(code, **environment):
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def test_importing_the_solver_imports_no_compiler():
    code = "import sys, bgsub.solver as s; s.SplitProblem, s.NuclearNormBall, s.Stopping; print('numba' in sys.modules)"
    assert run(code).stdout.strip() == "False"


def test_every_public_name_resolves_and_no_other():
    assert solver.__all__ == sorted(solver.__all__)
    for name in solver.__all__:
        assert getattr(solver, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = solver.nothing
    assert dir(solver) == solver.__all__


def test_a_function_without_a_place_for_a_cache_is_compiled_all_the_same():
    """numba finds no folder to cache a function that has no source file, as in a read-only installation."""
    module = types.ModuleType("nowhere")
    exec("def double(x):\n    return 2 * x\n", module.__dict__)
    assert compiled(module.double)(21) == 42


def test_a_cache_folder_that_cannot_be_made_does_not_fail_the_run(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    # NUMBA_CACHE_DIR, which is read once.
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(blocked / "cache"))
    (tmp_path / "blocked.py").write_text("def double(x):\n    return 2 * x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert compiled(importlib.import_module("blocked").double)(21) == 42


def test_machine_code_that_cannot_be_kept_does_not_stop_the_run(monkeypatch, tmp_path):
    source = tmp_path / "kept.py"
    source.write_text("def double(x):\n    return 2 * x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import kept

    function = compiled(kept.double)
    assert function._cache is not None

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(function._cache._impl), "reduce", full, raising=True)
    assert function(21) == 42


def kernels():
    """Return every compiled function of the package."""
    found = {}
    for module in pkgutil.walk_packages(bgsub.__path__, "bgsub."):
        if not module.name.endswith("__main__"):
            found |= {id(each): each for each in vars(importlib.import_module(module.name)).values()}
    return [each for each in found.values() if isinstance(each, Dispatcher)]


def test_damaged_machine_code_is_compiled_anew(tmp_path):
    (tmp_path / "damaged.py").write_text(
        "from bgsub.base.jit import compiled\n@compiled\ndef double(x):\n    return 2 * x\nprint(double(21))\n"
    )
    for cut in (False, True):
        for file in tmp_path.rglob("*.nb?") if cut else ():
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
        done = subprocess.run(
            [sys.executable, "damaged.py"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.stdout, done.stderr) == ("42\n", "")


def test_what_compiled_functions_call_is_a_part_of_them():
    """Else the process that compiles runs other machine code than those that find it on disk: see `inlined`."""
    called = {
        function
        for kernel in kernels()
        for name in kernel.py_func.__code__.co_names
        if isinstance(function := kernel.py_func.__globals__.get(name), Dispatcher)
    }
    assert len(called) > 30
    separate = [each.py_func.__qualname__ for each in called if not each.targetoptions.get("forceinline")]
    assert not separate, f"decorate with @inlined instead of @compiled: {', '.join(separate)}"


FIGURES = """
import contextlib, hashlib, sys, numpy as np, bgsub
from bgsub.cli.main import main
rng = np.random.default_rng(0)
gain = 1 + 0.2 * np.sin(np.arange(40) / 5)[:, None, None, None]
frames = (rng.normal(100, 30, (1, 48, 64, 3)) * gain + rng.normal(0, 2, (40, 48, 64, 3))).clip(0, 255)
frames = frames.astype(np.uint8)
for index in range(40):
    frames[index, 10:25, index:index + 15] = 230
for options in ({"rank": 2}, {"method": "alt-pgcg"}, {"stabilise": "affine"}):
    model = bgsub.fit(frames, bgsub.Options(threads=1, **options))
    parts = model.apply(frames[3])
    told = (model.components, model.typical, parts.background, parts.mask, parts.coefficients)
    print(model.report.objective.hex(), model.report.gap.hex())
    print(*(hashlib.sha256(each.tobytes()).hexdigest() for each in told))
"""
SEPARATE = """
with contextlib.suppress(SystemExit):
    main(["separate", "CLIP", "-o", "OUT", "--outputs", "mask"])
"""


@pytest.mark.slow
def test_the_run_that_compiles_says_so_and_gives_what_later_runs_give_to_the_last_bit(tmp_path):
    clip = write_video(tmp_path / "cam.mp4", scene(20).frames)
    imports, figures = FIGURES.split("rng = ", 1)
    program = SEPARATE.replace("CLIP", str(clip)).replace("OUT", str(tmp_path / "out"))
    code = f"{imports}{program}rng = {figures}"
    first, second = (run(code, NUMBA_CACHE_DIR=str(tmp_path / "cache")) for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert len(first.stdout.splitlines()) == 6
    said = [done.stderr.count("compiling what this machine has not run before") for done in (first, second)]
    assert said == [1, 0]
