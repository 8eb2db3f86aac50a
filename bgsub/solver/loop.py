"""The main loop, shared by all methods: timing, trace, stopping and status."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError
from bgsub.solver.blas import one_blas_thread
from bgsub.solver.capabilities import require
from bgsub.solver.engines.dense import DenseEngine
from bgsub.solver.engines.engine import Engine
from bgsub.solver.engines.streamed import StreamedEngine
from bgsub.solver.kernels.tiles import Workers
from bgsub.solver.methods.method import Method, Move
from bgsub.solver.problem import SplitProblem
from bgsub.solver.proof.certificate import certify
from bgsub.solver.result import Result, TraceRow
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.start import Start, check_kinds, starting_point
from bgsub.solver.stopping import Status, Stopping

LARGEST_DENSE = 1 << 22
"""Entries up to which the dense engine is preferred; its cost per iteration does not grow with the rank."""

SMALLEST_SCALE = 1e-280
"""If the objective at zero is below this for nonzero data, their squares have underflowed."""

PATIENCE = 3
"""Flat iterations in a row that end a run with momentum, which has to build up, or with a warm start, which may
be close to a solution already; otherwise one is enough."""

MOST_UNSETTLED = 8
"""After this many unsettled steps in a row the test for flatness applies regardless."""

Callback = Callable[[TraceRow], object]
"""Called at the start and after every iteration; returning True ends the run."""


def solve(
    problem: SplitProblem,
    method: Method,
    *,
    stop: Stopping | None = None,
    callback: Callback | None = None,
    threads: int | None = None,
    start: Start | None = None,
) -> Result:
    """Run *method* on *problem* until the certified gap is small, the objective stalls, or a limit is reached.

    Parameters
    ----------
    problem
        The problem to solve.
    method
        For example ``alt_pgcg()``.
    stop
        Stopping rule; ``Stopping()`` by default.
    callback
        Receives each trace row as it is produced; returning True ends the run. Exceptions propagate.
    threads
        Threads for the passes over the data; all processors by default. Results do not depend on it.
    start
        Warm start: any point, such as a :class:`Result` for a problem of the same shape, whatever its radii,
        offset or precision; X′ = 0, Y = 0 by default. A part outside its set is projected onto it, or scaled if
        the set has no projection.

    Returns
    -------
    Result
        Includes a certified gap. Failure to converge is a status, never an exception.

    Raises
    ------
    IncompatibleProblem
        Before the first iteration, if a term lacks what the method needs.
    InputError
        The start has the wrong shape or non-finite values, or is outside a set that has no projection and does
        not contain zero; or the objective at zero is too small to compute with.
    OptionError
        Fewer than one thread, or a problem, method, stopping rule, callback or start of the wrong type.

    Notes
    -----
    Memory beyond the data: on video (single precision, nuclear-norm and ℓ1 balls, ALT-PGCG, CGCG or CGCG-P;
    ALT-PGCG also with an ℓp ball or an elastic net) one matrix of the same size in the working precision (Y)
    plus O((n + p)·rank); otherwise six to ten such matrices, and two or three in double precision for the
    certificate of other losses and terms. An ALT-PGCG iteration takes three to five passes over the data.
    """
    began = time.perf_counter()
    check_kinds(problem, method, stop, callback)
    require(problem, method.asks, method.name)
    with Workers(threads) as workers, one_blas_thread():
        engine = _engine(problem, method, starting_point(problem, start), workers)
        scale = _scale(problem, engine.objective if start is None else problem.objective_at_zero())
        patience = PATIENCE if method.anywhere or start is not None else 1
        run = _Run(problem, stop or Stopping(), callback, (began, scale, workers), patience)
        steps = method.begin(engine)
        move = Move(0.0, 0.0, "start")
        while (status := run.verdict(engine, move)) is None:
            move = steps.advance()
        point = engine.result()
        # Free the engine's arrays before the final certificate.
        del engine, steps
        return run.result(point, status)


def _engine(
    problem: SplitProblem, method: Method, start: tuple[LowRank, NDArray[Any]], workers: Workers
) -> DenseEngine | StreamedEngine:
    """Return the engine: streamed if it supports the problem and the data are large or in single precision."""
    if method.anywhere or not StreamedEngine.takes(problem, method.asks):
        return DenseEngine(problem, *start, workers, method.rank, method.adapts)
    if problem.dtype == np.float64 and problem.matrix.size <= LARGEST_DENSE:
        return DenseEngine(problem, *start, workers, method.rank, method.adapts)
    return StreamedEngine(problem, *start, workers)


def _scale(problem: SplitProblem, scale: float) -> float:
    """Return f₀, the scale of every relative tolerance; raise if the squares behind it have underflowed."""
    if scale < SMALLEST_SCALE and any((row != problem.offset).any() for row in problem.matrix):
        raise InputError(
            f"the objective at zero is {scale:.1e}, too small to be computed with: scale the data or the loss up"
        )
    return scale


def inside(term: Any, point: Any) -> Any:
    """Return a part scaled back into its ball, if accumulated rounding has taken it outside.

    It is divided by the ratio of its norm to the radius and, if rounding still leaves it outside, by 1 + ε more
    each time.
    """
    if not hasattr(term, "radius"):
        return point
    excess, least = term.value(point) / term.radius, 1.0
    while excess > 1:
        factors = point.left if isinstance(point, LowRank) else point
        smaller = factors / factors.dtype.type(excess * least)
        point = replace(point, left=smaller) if isinstance(point, LowRank) else smaller
        excess, least = term.value(point) / term.radius, 1 + float(np.finfo(smaller.dtype).eps)
    return point


class _Run:
    """Bookkeeping for one run."""

    def __init__(
        self,
        problem: SplitProblem,
        stop: Stopping,
        callback: Callback | None,
        start: tuple[float, float, Workers],
        patience: int,
    ) -> None:
        self._problem = problem
        self._stop = stop
        self._callback = callback
        self._began, scale, self._workers = start
        self._trace: list[TraceRow] = []
        self._goal = stop.gap_tolerance * scale
        self._worth_a_proof = np.inf
        self._unsettled = 0
        self._patience = patience

    def verdict(self, engine: Engine, move: Move) -> Status | None:
        """Record the point and the move that led to it; return why to stop here, or None to go on."""
        row = self._row(engine, move)
        self._trace.append(row)
        self._unsettled = self._unsettled + 1 if move.unsettled else 0
        if self._callback is not None and _is_true(self._callback(row)):
            return Status.STOPPED
        if self._is_proven(engine):
            return Status.CONVERGED
        if self._stop.seconds is not None and row.seconds >= self._stop.seconds:
            return Status.TIME_LIMIT
        if self._is_flat():
            return Status.FLAT
        return Status.MAX_ITERATIONS if row.iteration >= self._stop.max_iterations else None

    def result(self, point: tuple[LowRank, NDArray[Any], float], status: Status) -> Result:
        """Return the result, with a certificate of exactly the point returned."""
        low_rank, sparse, threshold = point
        low_rank = inside(self._problem.low_rank, low_rank.compress())
        sparse = inside(self._problem.sparse, sparse)
        proof = certify(self._problem, low_rank, sparse, self._workers)
        if status in (Status.FLAT, Status.MAX_ITERATIONS) and proof.gap <= self._goal:
            status = Status.CONVERGED
        elif status is Status.CONVERGED and proof.gap > self._goal:
            status = Status.FLAT
        return Result(
            low_rank,
            sparse,
            proof.objective,
            proof.gap,
            status,
            self._trace[-1].iteration,
            tuple(self._trace),
            threshold,
        )

    def _row(self, engine: Engine, move: Move) -> TraceRow:
        objective, gap = engine.objective, engine.gap
        seconds = time.perf_counter() - self._began
        return TraceRow(
            len(self._trace), objective, gap, move.step, move.weight, engine.rank, seconds, move.action
        )

    def _is_proven(self, engine: Engine) -> bool:
        """Certify once the estimated gap is within tolerance; after a failure, only once the estimate has halved."""
        gap = self._trace[-1].gap
        if gap > self._goal or gap > self._worth_a_proof:
            return False
        self._worth_a_proof = gap / 2
        low_rank, sparse, _ = engine.result()
        return certify(self._problem, low_rank.compress(), sparse, self._workers).gap <= self._goal

    def _is_flat(self) -> bool:
        if len(self._trace) <= self._patience or 0 < self._unsettled < MOST_UNSETTLED:
            return False
        recent = [row.objective for row in self._trace[-self._patience - 1 :]]
        return all(abs(a - b) <= self._stop.change_tolerance * a for a, b in pairwise(recent))


def _is_true(answer: object) -> bool:
    return isinstance(answer, (bool, np.bool_)) and bool(answer)
