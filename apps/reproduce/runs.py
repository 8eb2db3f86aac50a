"""Run one job and say what came out, in numbers that JSON can hold."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from bgsub.solver import (
    L1Ball,
    LpBall,
    NuclearNormBall,
    Result,
    SplitProblem,
    Stopping,
    alt_cgpg,
    alt_pgcg,
    alt_pgpg,
    cgcg,
    cgcg_p,
    fista,
    solve,
)
from reproduce import plain
from reproduce.draws import Draw, figure_draw, table_draw
from reproduce.experiments import CONFIGURATIONS, Plan
from reproduce.jobs import Job

FIRST_PHASE = 1000
"""Most iterations of ALT-CGPG in the table before ALT-PGPG finishes: by then it has chosen among the solutions."""

GAP_OF_NOTHING = 1e-14
"""A certified gap of so little of f₀ ends a run of the table: rounding is not far below."""

CHANGE_OF_NOTHING = 1e-9
"""So does an iteration that changes the objective by no more, relatively."""


def execute(plan: Plan, job: Job) -> dict[str, Any]:
    """Run a job. Seconds never include compilation: every method has run on a tiny problem before."""
    warm_up()
    # For full decompositions solve() leaves the number of threads to the linear algebra library.
    with threadpool_limits(plan.threads if job.experiment == "speed" else plan.threads_each(), "blas"):
        return {"figures": _figures, "table": _table, "speed": _speed}[job.experiment](plan, job)


def method(name: str, rank: int) -> Any:
    """Return a method by name; only ALT-CGPG is told the rank of L, as in the paper."""
    methods: dict[str, Callable[[], Any]] = {
        "alt-cgpg": lambda: alt_cgpg(rank),
        "alt-pgcg": alt_pgcg,
        "cgcg": cgcg,
        "cgcg-p": cgcg_p,
        "fista": fista,
        "alt-pgpg": alt_pgpg,
    }
    return methods[name]()


def plain_step(name: str, problem: plain.Problem, rank: int) -> plain.Step:
    """Return the same method in plain NumPy."""
    if name == "alt-cgpg":
        return plain.alt_cgpg(problem, rank)
    return {"alt-pgcg": plain.alt_pgcg, "cgcg": plain.cgcg, "cgcg-p": plain.cgcg_p, "fista": plain.fista}[
        name
    ](problem)


@cache
def warm_up() -> None:
    """Have every compiled function compiled, in this process."""
    matrix = np.random.default_rng(0).standard_normal((60, 60))
    for sparse in (L1Ball(50.0), LpBall(20.0, 1.2)):
        problem = SplitProblem(matrix, NuclearNormBall(20.0), sparse)
        for name in ("alt-cgpg", "alt-pgcg", "cgcg", "cgcg-p", "fista", "alt-pgpg"):
            solve(problem, method(name, 2), stop=exactly(3))


def exactly(iterations: int) -> Stopping:
    """Return limits under which so many iterations are made, whatever comes out."""
    return Stopping(max_iterations=iterations, gap_tolerance=0, change_tolerance=-1)


def _figures(plan: Plan, job: Job) -> dict[str, Any]:
    rank = plan.rank(CONFIGURATIONS[int(job.case)])
    draw, problem = _figure_problem(plan, job.case, job.draw)
    result = solve(
        problem, method(job.method, rank), stop=exactly(plan.iterations), threads=plan.threads_each()
    )
    start = result.trace[0].objective
    return {
        "start": start,
        "objective": [row.objective / start for row in result.trace],
        "seconds": [row.seconds for row in result.trace],
        "nuclear_norm": draw.nuclear_norm,
        "l1_norm": draw.sparse_norm,
        **_outcome(result, draw, start),
    }


def _table(plan: Plan, job: Job) -> dict[str, Any]:
    draw = table_draw(plan, job.case, job.draw)
    problem = SplitProblem(
        draw.matrix, NuclearNormBall(draw.nuclear_norm), LpBall(draw.sparse_norm, 1 + job.case)
    )
    threads, start, first, seconds = plan.threads_each(), None, 0, 0.0
    if job.method == "alt-cgpg":
        first = min(FIRST_PHASE, plan.table_iterations)
        start = solve(problem, method("alt-cgpg", plan.table_rank), stop=exactly(first), threads=threads)
        seconds = start.trace[-1].seconds
    last = "fista" if job.method == "fista" else "alt-pgpg"
    stop = Stopping(plan.table_iterations, GAP_OF_NOTHING, -1 if last == "fista" else CHANGE_OF_NOTHING)
    result = solve(problem, method(last, plan.table_rank), stop=stop, threads=threads, start=start)
    return {
        "iterations": first + result.iterations,
        "seconds": seconds + result.trace[-1].seconds,
        **_outcome(result, draw, problem.objective_at_zero()),
    }


def _outcome(result: Result, draw: Draw, scale: float) -> dict[str, Any]:
    return {
        "final_objective": result.objective / scale,
        "gap": result.gap / scale,
        "status": str(result.status),
        "rank": result.rank,
        "x_error": _relative_square(result.low_rank.dense(), draw.low_rank),
        "y_error": _relative_square(result.sparse, draw.sparse),
    }


def _relative_square(found: Any, planted: Any) -> float:
    """Return ‖found − planted‖²_F/‖planted‖²_F."""
    return float(np.sum((found - planted) ** 2) / np.sum(planted**2))


def _speed(plan: Plan, job: Job) -> dict[str, Any]:
    """Time both implementations on the first draw; who begins changes from round to round.

    The textbook runs with all threads of the linear algebra library and with one, and the faster counts: ``svds`` makes
    many small products, for which threads are a burden on a busy machine.
    """
    rank, length = plan.rank(CONFIGURATIONS[int(job.case)]), plan.speed_length(job.method)
    draw, problem = _figure_problem(plan, job.case, 0)

    def ours() -> tuple[float, float]:
        trace = solve(problem, method(job.method, rank), stop=exactly(length), threads=plan.threads).trace
        last = trace[-1]
        return (last.seconds - trace[0].seconds) / last.iteration, last.objective / trace[0].objective

    def textbook(threads: int | None) -> tuple[float, float]:
        same = plain.Problem(problem.matrix, draw.nuclear_norm, draw.sparse_norm)
        with threadpool_limits(threads, "blas"):
            found = plain.run(same, plain_step(job.method, same, rank), length)
        return (found.seconds[-1] - found.seconds[0]) / length, found.objective[-1] / found.objective[0]

    order: list[Callable[[], tuple[float, float]]] = [
        ours,
        partial(textbook, None),
        partial(textbook, 1),
    ]
    turn = 1 if job.draw % 2 == 0 else -1
    timed = [run() for run in order[::turn]][::turn]
    return {
        "iterations": length,
        "seconds_per_iteration": timed[0][0],
        "plain_seconds_per_iteration": min(timed[1][0], timed[2][0]),
        "plain_seconds_by_threads": {"all": timed[1][0], "1": timed[2][0]},
        "objective": timed[0][1],
        "plain_objective": timed[1][1],
    }


def _figure_problem(plan: Plan, number: float, index: int) -> tuple[Draw, SplitProblem]:
    draw = figure_draw(plan, int(number), CONFIGURATIONS[int(number)], index)
    return draw, SplitProblem(draw.matrix, NuclearNormBall(draw.nuclear_norm), L1Ball(draw.sparse_norm))
