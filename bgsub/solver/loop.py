"""The loop: every method runs in it, and timing, trace, stopping and status exist only here."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError
from bgsub.solver.atoms import LowRank
from bgsub.solver.certificate import Certificate, certify
from bgsub.solver.methods.state import Method, State
from bgsub.solver.passes import Passes
from bgsub.solver.problem import SplitProblem
from bgsub.solver.result import Result, TraceRow
from bgsub.solver.stopping import Status, Stopping
from bgsub.solver.tiles import Workers

Callback = Callable[[TraceRow], object]
"""Called after every iteration and once at the start; returning True ends the run."""


class Start(Protocol):
    """A point to start from, such as an earlier :class:`Result`."""

    @property
    def low_rank(self) -> LowRank:
        """X; its offset is not used."""
        ...

    @property
    def sparse(self) -> NDArray[Any]:
        """Y; it is copied."""
        ...


def solve(
    problem: SplitProblem,
    method: Method,
    *,
    stop: Stopping | None = None,
    callback: Callback | None = None,
    threads: int | None = None,
    start: Start | None = None,
) -> Result:
    """Run *method* on *problem* until the gap is certified small, nothing changes any more, or a limit is reached.

    Parameters
    ----------
    problem
        What to minimise.
    method
        For example ``alt_pgcg()``.
    stop
        The limits; ``Stopping()`` by default.
    callback
        Receives every row of the trace as it appears; the run ends when it returns True. What it raises goes through.
    threads
        Threads for the passes over the data; by default as many as there are processors. Results do not depend on it.
    start
        Any point of both sets; X′ = 0, Y = 0 by default.

    Returns
    -------
    Result
        With a certificate of the gap. Not converging is a status, never an exception.

    Raises
    ------
    IncompatibleProblem
        Before the first iteration, if a set lacks what the method needs.
    InputError
        A start of the wrong shape or outside of the sets.
    OptionError
        A number of threads below one.

    Notes
    -----
    Memory beyond the data: one matrix of its size in the working precision (Y), and O((n + p)·rank). Per iteration of
    ALT-PGCG three to four passes over both.
    """
    began = time.perf_counter()
    method.check(problem)
    with Workers(threads) as workers:
        passes = Passes(problem.matrix, problem.dtype, workers)
        state = method.init(problem, passes, *_start(problem, start))
        scale = state.objective if start is None else problem.objective_at_zero()
        run = _Run(problem, stop or Stopping(), callback, (began, scale, workers))
        while (status := run.verdict(state)) is None:
            state = method.update(problem, passes, state)
        return run.result(state, status)


class _Run:
    """The bookkeeping of one run."""

    def __init__(
        self,
        problem: SplitProblem,
        stop: Stopping,
        callback: Callback | None,
        start: tuple[float, float, Workers],
    ) -> None:
        self._problem = problem
        self._stop = stop
        self._callback = callback
        self._began, scale, self._workers = start
        self._trace: list[TraceRow] = []
        self._goal = stop.gap_tolerance * scale
        self._worth_a_proof = np.inf
        self._proof: tuple[int, Certificate] | None = None

    def verdict(self, state: State) -> Status | None:
        """Record the state; return why to stop here, or None to go on."""
        row = self._row(state)
        self._trace.append(row)
        if self._callback is not None and self._callback(row) is True:
            return Status.STOPPED
        if self._is_proven(state):
            return Status.CONVERGED
        if self._stop.seconds is not None and row.seconds >= self._stop.seconds:
            return Status.TIME_LIMIT
        if self._is_flat():
            return Status.FLAT
        return Status.MAX_ITERATIONS if state.iteration >= self._stop.max_iterations else None

    def result(self, state: State, status: Status) -> Result:
        """Return the result, with a certificate of exactly what is returned."""
        low_rank = state.low_rank.compress()
        proof = certify(self._problem, low_rank, state.sparse, self._workers)
        if status in (Status.FLAT, Status.MAX_ITERATIONS) and proof.gap <= self._goal:
            status = Status.CONVERGED
        elif status is Status.CONVERGED and proof.gap > self._goal:
            status = Status.FLAT
        return Result(
            low_rank,
            state.sparse,
            proof.objective,
            proof.gap,
            status,
            state.iteration,
            tuple(self._trace),
            state.guess.threshold,
        )

    def _row(self, state: State) -> TraceRow:
        seconds = time.perf_counter() - self._began
        rank = min(state.low_rank.columns, *state.low_rank.shape)
        return TraceRow(state.iteration, state.objective, state.gap, state.step, state.weight, rank, seconds)

    def _is_proven(self, state: State) -> bool:
        """Compute the certificate where the estimate gives hope, and after a failure only at half the estimate."""
        if state.gap > self._goal or state.gap > self._worth_a_proof:
            return False
        self._worth_a_proof = state.gap / 2
        return (
            certify(self._problem, state.low_rank.compress(), state.sparse, self._workers).gap <= self._goal
        )

    def _is_flat(self) -> bool:
        if len(self._trace) < 2:
            return False
        before, now = self._trace[-2].objective, self._trace[-1].objective
        return abs(before - now) <= self._stop.change_tolerance * before


def _start(problem: SplitProblem, start: Start | None) -> tuple[LowRank, NDArray[Any]]:
    if start is None:
        return problem.zero_low_rank(), np.zeros(problem.shape, problem.dtype)
    low_rank, sparse = start.low_rank, np.asarray(start.sparse)
    if low_rank.shape != problem.shape or sparse.shape != problem.shape:
        raise InputError(
            f"the start has shapes {low_rank.shape} and {sparse.shape}, but the problem has {problem.shape}"
        )
    for part, constraint, name in (
        (low_rank, problem.low_rank, "low-rank"),
        (sparse, problem.sparse, "sparse"),
    ):
        if not constraint.is_feasible(part, 1e-3):
            raise InputError(
                f"the {name} part of the start lies outside of its set: its norm is {constraint.value(part):.6g}"
            )
    left, right = low_rank.left.astype(problem.dtype), low_rank.right.astype(problem.dtype)
    return LowRank(left, right, problem.offset), sparse.astype(problem.dtype, order="C", copy=True)
