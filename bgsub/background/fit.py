"""From sampled columns to a background: centre, noise, terms, the solver, the components worth keeping."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.background.centre import temporal_median
from bgsub.background.components import Scene, select
from bgsub.background.ground import find_ground
from bgsub.background.low_rank import choose_low_rank
from bgsub.background.methods import SAMPLED, choose_method, components_of_scene, make_method, stopping
from bgsub.background.model import BackgroundModel
from bgsub.background.noise import Residual, noise_level, outlier_level, sample_residual
from bgsub.background.replaced import lit_where_replaced
from bgsub.background.report import FitReport
from bgsub.background.sampled import solve_sampled
from bgsub.background.solution import Solution
from bgsub.background.sparse import choose_sparse
from bgsub.background.spread import spread
from bgsub.background.steady import Steady, make_steady
from bgsub.background.terms import Chosen, unused
from bgsub.frames.grid import Grid
from bgsub.frames.sample import Sample
from bgsub.masks.unrest import Unrest, restless
from bgsub.memory import automatic_columns, memory_reason
from bgsub.options import Options
from bgsub.solver.loop import solve
from bgsub.solver.problem import SplitProblem
from bgsub.solver.tiles import available_threads


def thread_count(options: Options) -> int:
    """Return the threads to compute with: as asked for, else what this process may use."""
    return options.threads or available_threads()


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """The sampled columns, split: X = 1·offsetᵀ + X′ and Y.

    Attributes
    ----------
    centre
        ``(rows,)`` float32: the temporal median, whether or not the ball is centred there.
    residual
        Sampled rows of frames − centre.
    levels
        Noise σ and outlier level, grey levels.
    terms
        Those of X′ and of Y.
    method, why
        What was taken, and the reason.
    solution
        What the solver has found.
    """

    centre: NDArray[np.float32]
    residual: Residual
    levels: tuple[float, float]
    terms: tuple[Chosen, Chosen]
    method: str
    why: str
    solution: Solution

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the terms have their parameters."""
        return tuple(reason for part in self.terms for reason in part.reasons)


def split(
    frames: NDArray[np.uint8],
    channels: int,
    options: Options,
    on_iteration: Callable[[], None] | None = None,
    inside: NDArray[np.bool_] | None = None,
    centre: NDArray[np.float32] | None = None,
) -> Split:
    """Choose terms and method for ``(n, rows)`` *frames*, and solve; only pixels *inside* count, if given.

    The centre is the temporal median if it is not given.
    """
    centre = temporal_median(frames, thread_count(options)) if centre is None else centre
    residual = sample_residual(frames, centre, channels, options.seed, inside)
    noise = noise_level(residual)
    levels = (noise, outlier_level(noise))
    low_rank = choose_low_rank(centre, residual, levels, options)
    looked_at = 1.0 if inside is None else float(inside.mean())
    sparse = choose_sparse(frames, centre, levels[1], options, thread_count(options), looked_at)
    method, why = choose_method(low_rank, sparse, frames.shape, options)
    problem = SplitProblem(frames, low_rank.term, sparse.term, centre if options.centre == "median" else None)
    if method == SAMPLED:
        solution = solve_sampled(problem, residual, thread_count(options), on_iteration)
    else:
        solution = _solve(problem, method, options, on_iteration)
    return Split(centre, residual, levels, (low_rank, sparse), method, why, solution)


def fit_background(
    sample: Sample, grid: Grid, options: Options, on_iteration: Callable[[], None] | None = None
) -> BackgroundModel:
    """Fit one segment; see :meth:`bgsub.background.model.BackgroundModel.fit`."""
    began = time.perf_counter()
    threads = thread_count(options)
    steady = make_steady(sample, grid, options.stabilise, threads)
    frames = sample.matrix.frames
    moving = restless(steady.changes.flicker, grid.inside)
    ground = find_ground(frames, temporal_median(frames, threads), grid, moving, threads)
    flickering = np.where(ground.crowded, np.float32(0), steady.changes.flicker)
    moving = restless(flickering, grid.inside)
    found = split(frames, grid.channels, options, on_iteration, grid.inside, ground.centre)
    kept = _kept(found, grid, options, steady)
    if options.centre == "median":
        lit = lit_where_replaced(kept.components, kept.coefficients, found.centre, ground.replaced)
        kept = _Kept(*lit, kept.reason)
    offset = found.centre if options.centre == "median" else np.zeros_like(found.centre)
    scene = offset, np.ascontiguousarray(kept.components.T), kept.coefficients
    unrest = Unrest(
        flickering, steady.changes.swell, spread(frames, grid, scene, moving), steady.changes.grain
    )
    reasons = (found.why, steady.reason, *ground.reasons, *found.reasons, kept.reason)
    reasons = (*reasons, *unused(options), *_memory(sample, grid, options))
    return BackgroundModel(
        grid=grid,
        offset=offset,
        stabilise=steady.kind,
        reference=steady.reference,
        components=kept.components,
        typical=np.median(kept.coefficients, axis=0).astype(np.float32),
        outlier=found.levels[1],
        unrest=unrest,
        threshold=options.threshold,
        sensitivity=options.sensitivity,
        shadows=options.shadows,
        min_area=options.min_area,
        seed=options.seed,
        report=_report(sample, found, options, reasons, (kept.components.shape[1], began)),
    )


def _report(
    sample: Sample, found: Split, options: Options, reasons: tuple[str, ...], result: tuple[int, float]
) -> FitReport:
    """Return what is told of a fit; *result* is its rank and the time when it began."""
    rank, began = result
    return FitReport(
        first=sample.first,
        frames=sample.frames,
        columns=len(sample.matrix),
        method=found.method,
        rank=rank,
        noise=found.levels[0],
        outlier=found.levels[1],
        **_outcome(found.solution),
        seconds=time.perf_counter() - began,
        reasons=reasons,
        low_rank=options.low_rank,
        sparse=options.sparse,
        **_parameters(found.terms),
    )


def _outcome(found: Solution) -> dict[str, Any]:
    return {
        "objective": found.objective,
        "initial_objective": found.initial_objective,
        "gap": found.gap,
        "status": str(found.status.value),
        "iterations": found.iterations,
    }


def _parameters(terms: Iterable[Chosen]) -> dict[str, Any]:
    return {name: value for part in terms for name, value in part.values.items()}


def _solve(
    problem: SplitProblem, method: str, options: Options, on_iteration: Callable[[], None] | None
) -> Solution:
    callback = None if on_iteration is None else lambda _: on_iteration()
    steps, stop = make_method(method, options), stopping(method, options)
    return Solution.of(solve(problem, steps, stop=stop, threads=thread_count(options), callback=callback))


def _memory(sample: Sample, grid: Grid, options: Options) -> tuple[str, ...]:
    """Return what the fit keeps in memory, if that is worth a line, and whether columns were left out for it.

    As it was planned: of the columns that there was room for, a few may not have been needed.
    """
    wanted = options.columns or automatic_columns(grid)
    columns = min(sample.matrix.capacity, sample.frames)
    # Where the segment is longer than there is room for, the room was not cut to the segment.
    cut = sample.matrix.capacity < wanted and sample.frames > sample.matrix.capacity
    reason = memory_reason(grid, options, columns, min(wanted, sample.frames) if cut else columns)
    return (f"memory: {reason}",) if reason else ()


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """Components ``(rows, rank)``, the frames' coefficients along them ``(n, rank)``, float32, and the reason."""

    components: NDArray[np.float32]
    coefficients: NDArray[np.float32]
    reason: str


def _kept(found: Split, grid: Grid, options: Options, steady: Steady) -> _Kept:
    """Return the right singular vectors that belong to the background."""
    # Compressed factors: right is orthonormal, and left holds every frame's coefficients along it.
    left, right = found.solution.low_rank.left, found.solution.low_rank.right
    shape = (*grid.shape, grid.channels)
    scene = Scene(found.centre, found.residual.rows, shape, components_of_scene(options))
    followed = steady.reference is not None and options.rank is None
    rank = 0 if followed else options.rank
    kept, reason = select(right, found.residual, found.levels[1], rank, scene)
    if followed:
        reason = f"rank {len(kept)}: the light of each frame is found with its motion"
    components, coefficients = (np.ascontiguousarray(part[:, kept], np.float32) for part in (right, left))
    return _Kept(components, coefficients, reason)
