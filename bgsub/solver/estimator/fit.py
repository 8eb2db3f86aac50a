"""From data and terms to a solution: choice of method and start, treatment of missing entries."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bgsub.errors import OptionError, nearest
from bgsub.solver.capabilities import lacks
from bgsub.solver.checks import shown
from bgsub.solver.estimator.data import Observations
from bgsub.solver.estimator.terms import OWNER, Chosen
from bgsub.solver.loop import solve
from bgsub.solver.methods.accelerated import alt_pgpg, fista
from bgsub.solver.methods.alternating import alt_cgpg, alt_pgcg
from bgsub.solver.methods.auto import auto
from bgsub.solver.methods.conditional import cgcg, cgcg_p
from bgsub.solver.methods.method import Method
from bgsub.solver.problem import SplitProblem
from bgsub.solver.proof.certificate import certify
from bgsub.solver.result import Result
from bgsub.solver.stopping import Status, Stopping

METHODS: dict[str, Any] = {
    "alt-pgcg": alt_pgcg,
    "alt-cgpg": alt_cgpg,
    "cgcg": cgcg,
    "cgcg-p": cgcg_p,
    "fista": fista,
    "alt-pgpg": alt_pgpg,
}

MOST_REFILLS = 20

NEGLIGIBLE = 1e-5
"""Singular values of the low-rank part below this fraction of the largest are dropped if the gap allows it."""

FILLED = 1e-6
"""Missing entries have converged when refilling changes them by at most this, relative to the RMS of the data."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A solution, the problem it solves, its data, and the total number of iterations that led to it."""

    problem: SplitProblem
    data: Observations
    result: Result
    iterations: int


def check_method(method: object) -> None:
    """Raise unless *method* is one of the names.

    Raises
    ------
    OptionError
        It is not.
    """
    known = ("auto", *METHODS)
    if not isinstance(method, str) or method not in known:
        guess = nearest(method, known) if isinstance(method, str) else ""
        names = ", ".join(repr(name) for name in known)
        raise OptionError(f"method of {OWNER} must be one of {names}, but is {shown(method)}{guess}")


def fitted(data: Observations, chosen: Chosen, method: str, stop: Stopping) -> Fit:
    """Solve the problem with the chosen terms; append what was done to ``chosen.reasons``.

    The first estimate is the start if there is one and it is feasible, otherwise zero. Missing entries are refilled
    from X and the problem is solved again until nothing changes; the certificate is that of the last problem.
    """
    estimate, start = chosen.estimate, None
    if estimate is not None:
        data = estimate.data
        if _is_inside(chosen):
            start = estimate.result
        chosen.reasons.append(
            "start: the first estimate" if start else "start: zero, for the estimate is infeasible"
        )
    problem = data.problem(chosen.low_rank, chosen.sparse)
    runner = _method(method, problem, start)
    chosen.reasons.append(f"method: {runner.name}" + (", chosen for these terms" if method == "auto" else ""))
    result = solve(problem, runner, stop=stop, start=start)
    total = result.iterations + (0 if estimate is None else estimate.iterations)
    fit = Fit(problem, data, result, total)
    if data.observed is not None:
        fit = _completed(fit, chosen, _method(method, problem, result), stop)
    return _trimmed(fit, stop)


def _is_inside(chosen: Chosen) -> bool:
    if chosen.estimate is None:
        return False
    result = chosen.estimate.result
    return chosen.low_rank.is_feasible(result.low_rank) and chosen.sparse.is_feasible(result.sparse)


def _method(name: str, problem: SplitProblem, start: Result | None) -> Method:
    """Return the named method; "auto" is ALT-PGPG alone if warm-started, or if the terms lack an LMO."""
    if name != "auto":
        return METHODS[name]()  # type: ignore[no-any-return]
    polish, whole = alt_pgpg(None if start is None else max(start.rank, 1)), auto(problem)
    direct = start is not None or lacks(problem, whole.asks)
    return polish if direct and not lacks(problem, polish.asks) else whole


def _completed(fit: Fit, chosen: Chosen, runner: Method, stop: Stopping) -> Fit:
    """Refill the missing entries from X and solve again, until the fills settle or a limit is reached."""
    scale = float(np.sqrt(np.mean(np.square(fit.data.matrix, dtype=np.float64)))) or 1.0
    left, rounds = stop.max_iterations - fit.result.iterations, 0
    while True:
        rounds += 1
        data = fit.data.refilled(fit.result.low_rank)
        change = float(np.abs(data.matrix - fit.data.matrix).max()) / scale
        if change <= FILLED or left <= 0 or rounds == MOST_REFILLS:
            break
        problem = data.problem(chosen.low_rank, chosen.sparse)
        result = solve(problem, runner, stop=replace(stop, max_iterations=left), start=fit.result)
        fit, left = Fit(problem, data, result, fit.iterations + result.iterations), left - result.iterations
    turns = "1 round" if rounds == 1 else f"{rounds} rounds"
    said = f"missing: {1 - fit.data.density:.1%} of the entries, filled from the low-rank part in {turns}"
    if change > FILLED:
        said += f"; the fills still change by {change:.1e}, relative to the data"
        fit = replace(fit, result=replace(fit.result, status=Status.MAX_ITERATIONS))
    chosen.reasons.append(said)
    return fit


def _trimmed(fit: Fit, stop: Stopping) -> Fit:
    """Drop the negligible singular values, unless that worsens the certificate beyond the tolerance."""
    result = fit.result
    values = np.linalg.norm(result.low_rank.left.astype(np.float64), axis=0)
    kept = values > NEGLIGIBLE * values.max(initial=0.0)
    if kept.all():
        return fit
    left, right = result.low_rank.left[:, kept], result.low_rank.right[:, kept]
    low_rank = replace(result.low_rank, left=left, right=right)
    proof = certify(fit.problem, low_rank, result.sparse)
    if proof.gap > max(result.gap, stop.gap_tolerance * fit.problem.objective_at_zero()):
        return fit
    better = replace(result, low_rank=low_rank, objective=proof.objective, gap=proof.gap)
    return replace(fit, result=better)
