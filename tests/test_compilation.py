from __future__ import annotations

import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

from bgsub import solver
from bgsub.jit import compiled

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


def test_a_cache_folder_that_cannot_be_made_does_not_fail_the_run(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    code = (
        "import numpy as np; from bgsub.solver import *;"
        "r = solve(SplitProblem(np.eye(3), NuclearNormBall(1), L1Ball(1)), alt_pgcg());"
        "print(r.gap >= 0)"
    )
    done = run(code, NUMBA_CACHE_DIR=str(blocked / "cache"))
    assert done.stdout.strip() == "True", done.stderr


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
