"""Averages over draws, as rows that go into JSON, CSV and the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reproduce.experiments import CONFIGURATIONS, METHODS, PAPER_ERRORS, TABLE_METHODS, Plan
from reproduce.jobs import PLAIN_METHODS, Job, figure_jobs, speed_jobs, table_jobs
from reproduce.store import Store

SHOWN_ITERATIONS = (0, 1, 10, 100)
"""At which the objective is reported."""

SOLVED = 1e-10
"""f/f₀ at which a run counts as solved."""

Results = list[dict[str, Any]]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Means over draws at iterations 0, 1, …: the objective relative to f₀, and the seconds since the call."""

    objective: NDArray[np.float64]
    seconds: NDArray[np.float64]


def results(store: Store, jobs: Iterable[Job]) -> dict[tuple[float, str], Results]:
    """Return the finished runs by case and method, in the order of their draws."""
    found: dict[tuple[float, str], Results] = {}
    for job in jobs:
        result = store.load(job)
        if result is not None:
            found.setdefault((job.case, job.method), []).append(result)
    return found


def curve(runs: Results, iterations: int) -> Curve:
    """Return the mean curve; a run that ended early stays where it ended."""
    return Curve(
        np.mean([_held(run["objective"], iterations) for run in runs], axis=0),
        np.mean([_held(run["seconds"], iterations) for run in runs], axis=0),
    )


def curves(plan: Plan, store: Store) -> dict[tuple[int, str], Curve]:
    """Return the mean curve of every configuration and method that has finished runs."""
    found = results(store, figure_jobs(plan))
    return {(int(case), method): curve(runs, plan.iterations) for (case, method), runs in found.items()}


def configuration_rows(plan: Plan, store: Store) -> list[Row]:
    """Return a row for every configuration and method that has finished runs."""
    found = results(store, figure_jobs(plan))
    order = [(number, method) for number in CONFIGURATIONS for method in METHODS]
    return [_configuration_row(plan, key, found[key]) for key in order if key in found]


def _configuration_row(plan: Plan, key: tuple[int, str], runs: Results) -> Row:
    mean = curve(runs, plan.iterations)
    shown = sorted({k for k in SHOWN_ITERATIONS if k <= plan.iterations} | {plan.iterations})
    middle = np.median([_held(run["objective"], plan.iterations) for run in runs], axis=0)
    solved = [_seconds_to(run, SOLVED) for run in runs]
    return {
        "config": key[0],
        "method": key[1],
        "objective": {str(k): float(mean.objective[k]) for k in shown},
        "objective_median": {str(k): float(middle[k]) for k in shown},
        "best_objective": fmean(min(run["objective"]) for run in runs),
        "gap": fmean(run["gap"] for run in runs),
        "seconds_per_iteration": fmean(_per_iteration(run) for run in runs),
        "seconds": fmean(run["seconds"][-1] for run in runs),
        "seconds_to_solved": None if None in solved else fmean(s for s in solved if s is not None),
        "x_error": fmean(run["x_error"] for run in runs),
        "y_error": fmean(run["y_error"] for run in runs),
        "rank": fmean(run["rank"] for run in runs),
        "status": _counts(run["status"] for run in runs),
        "nuclear_norm": fmean(run["nuclear_norm"] for run in runs),
        "l1_norm": fmean(run["l1_norm"] for run in runs),
        "draws": len(runs),
    }


def table_rows(plan: Plan, store: Store) -> list[Row]:
    """Return a row for every δ; errors without a prefix are those of the paper's algorithm, finished by ALT-PGPG."""
    found = results(store, table_jobs(plan))
    return [_table_row(delta, found) for delta in PAPER_ERRORS if (delta, TABLE_METHODS[0]) in found]


def _table_row(delta: float, found: dict[tuple[float, str], Results]) -> Row:
    runs = found[delta, TABLE_METHODS[0]]
    x_paper, y_paper = PAPER_ERRORS[delta]
    row = {
        "delta": delta,
        "x_error": fmean(run["x_error"] for run in runs),
        "y_error": fmean(run["y_error"] for run in runs),
        "paper_x_error": x_paper,
        "paper_y_error": y_paper,
        "draws": len(runs),
        "x_error_median": median(run["x_error"] for run in runs),
        "y_error_median": median(run["y_error"] for run in runs),
        "objective": fmean(run["final_objective"] for run in runs),
        "gap": fmean(run["gap"] for run in runs),
        "iterations": fmean(run["iterations"] for run in runs),
        "seconds": fmean(run["seconds"] for run in runs),
        "status": _counts(run["status"] for run in runs),
    }
    for method in TABLE_METHODS[1:]:
        others = found.get((delta, method), [])
        for name in ("x_error", "y_error", "final_objective") if others else ():
            row[f"{method.replace('-', '_')}_{name}"] = fmean(run[name] for run in others)
    return row


def speed_rows(plan: Plan, store: Store) -> list[Row]:
    """Return medians over rounds: seconds per iteration of both implementations, and ratio = plain/ours."""
    found = results(store, speed_jobs(plan))
    order = [(number, method) for number in CONFIGURATIONS for method in PLAIN_METHODS]
    return [_speed_row(key, found[key]) for key in order if key in found]


def _speed_row(key: tuple[int, str], runs: Results) -> Row:
    mine = [run["seconds_per_iteration"] for run in runs]
    theirs = [run["plain_seconds_per_iteration"] for run in runs]
    return {
        "config": key[0],
        "method": key[1],
        "seconds_per_iteration": median(mine),
        "plain_seconds_per_iteration": median(theirs),
        "ratio": median(plain / ours for plain, ours in zip(theirs, mine, strict=True)),
        "objective": runs[0]["objective"],
        "plain_objective": runs[0]["plain_objective"],
        "iterations": runs[0]["iterations"],
        "rounds": len(runs),
    }


def _held(values: list[float], iterations: int) -> list[float]:
    return values[: iterations + 1] + [values[-1]] * (iterations + 1 - len(values))


def _per_iteration(run: Row) -> float:
    made = len(run["seconds"]) - 1
    return float(run["seconds"][-1] - run["seconds"][0]) / max(made, 1)


def _seconds_to(run: Row, objective: float) -> float | None:
    pairs = zip(run["objective"], run["seconds"], strict=True)
    return next((seconds for value, seconds in pairs if value <= objective), None)


def _counts(words: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in words:
        found[word] = found.get(word, 0) + 1
    return found
