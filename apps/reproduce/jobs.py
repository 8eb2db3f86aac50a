"""One run: what it is, and everything that its numbers depend on."""

from __future__ import annotations

import ast
import hashlib
import json
import platform
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import scipy
from common.machine import machine

import bgsub
from reproduce.experiments import CONFIGURATIONS, METHODS, PAPER_ERRORS, TABLE_METHODS, Plan

Experiment = Literal["figures", "table", "speed"]

PLAIN_METHODS = ("alt-cgpg", "alt-pgcg", "cgcg", "cgcg-p", "fista")
"""Methods that plain.py has."""


@dataclass(frozen=True, slots=True)
class Job:
    """A method on one draw of one case: the number of a configuration, or δ; in ``speed`` *draw* is the round."""

    experiment: Experiment
    case: float
    method: str
    draw: int

    @property
    def name(self) -> str:
        """What bars and files call it."""
        return f"{self.experiment}-{self.case:g}-{self.method}-{self.draw:02d}"


def figure_jobs(plan: Plan, figure: int | None = None) -> list[Job]:
    """Return the runs behind one figure, or both; draw by draw, so that a part of them is balanced."""
    numbers = [number for number, row in CONFIGURATIONS.items() if figure in (None, row.figure)]
    jobs = [
        Job("figures", number, method, draw)
        for draw in range(plan.draws)
        for number in numbers
        for method in METHODS
    ]
    return [job for job in jobs if job.draw < plan.draws_of(job.method)]


def table_jobs(plan: Plan) -> list[Job]:
    """Return the runs behind the ℓ_{1+δ} table."""
    return [
        Job("table", delta, method, draw)
        for draw in range(plan.table_draws)
        for delta in PAPER_ERRORS
        for method in TABLE_METHODS
    ]


def speed_jobs(plan: Plan) -> list[Job]:
    """Return the runs of the comparison with plain NumPy, round by round."""
    return [
        Job("speed", number, method, turn)
        for turn in range(plan.speed_rounds)
        for number in CONFIGURATIONS
        for method in PLAIN_METHODS
    ]


def identity(plan: Plan, job: Job) -> dict[str, Any]:
    """Return all that the numbers and the seconds of a run depend on: runs that differ in any of it never mix."""
    jobs = 1 if job.experiment == "speed" else plan.jobs
    size: dict[str, float]
    if job.experiment == "table":
        size = {"size": plan.table_size, "rank": plan.table_rank, "iterations": plan.table_iterations}
    else:
        configuration = CONFIGURATIONS[int(job.case)]
        size = {
            "size": plan.size,
            "rank": plan.rank(configuration),
            "density": configuration.density,
            "amplitude": plan.amplitude,
            "iterations": plan.iterations if job.experiment == "figures" else plan.speed_length(job.method),
        }
    return {
        "experiment": job.experiment,
        "case": job.case,
        "method": job.method,
        "draw": job.draw,
        "seed": plan.seed,
        **size,
        "threads": replace(plan, jobs=jobs).threads_each(),
        "jobs": jobs,
        **surroundings(),
    }


@cache
def surroundings() -> dict[str, str]:
    """Return machine and versions, and a digest of the sources: the version alone does not tell two checkouts apart."""
    return {
        "machine": machine(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "bgsub": bgsub.__version__,
        "sources": _digest(),
    }


def digest(found: dict[str, Any]) -> str:
    """Return a short name for an identity."""
    return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()[:12]


def _digest() -> str:
    """Return a digest of the code that runs here, without comments, docstrings and layout."""
    here = Path(__file__).parent
    files = sorted((Path(bgsub.__file__).parent / "solver").rglob("*.py"))
    files += [here / f"{name}.py" for name in ("draws", "plain", "runs")]
    code = hashlib.sha256()
    for file in files:
        code.update(f"{file.name}\n{ast.dump(_bare(file))}\n".encode())
    return code.hexdigest()[:12]


def _bare(file: Path) -> ast.Module:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [line for line in node.body if not _is_text(line)]
    return tree


def _is_text(line: ast.stmt) -> bool:
    """Tell whether a statement is a docstring, also one that follows an attribute."""
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
