"""From sampled columns to a background: steady frames, the ground, the split, the components worth keeping."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bgsub.background.coefficients import Coefficients
from bgsub.background.data import Background
from bgsub.background.fit_report import FitReport
from bgsub.background.ground.given import with_given
from bgsub.background.ground.search import Ground, find_ground
from bgsub.background.light.components import Scene, select
from bgsub.background.light.replaced import lit_where_replaced
from bgsub.background.nbytes import automatic_columns, memory_reason
from bgsub.background.predict import predict
from bgsub.background.scene.judged import Judge, Judged
from bgsub.background.split.basis import Shown
from bgsub.background.split.method import components_of_scene
from bgsub.background.split.solution import Solution
from bgsub.background.split.split import Split, split
from bgsub.background.split.terms import Chosen
from bgsub.background.stabilise.steady import Steady, make_steady
from bgsub.frames.grid import Grid
from bgsub.frames.sample import Sample
from bgsub.frames.source import Image
from bgsub.options.table import Options

B = TypeVar("B", bound=Background)


def fit_background(
    sample: Sample,
    grid: Grid,
    options: Options,
    on_iteration: Callable[[], None] | None = None,
    kind: type[B] = Background,  # type: ignore[assignment]
    given: Image | None = None,
) -> B:
    """Fit one segment, as a background of this *kind*; see :meth:`bgsub.background.model.BackgroundModel.fit`."""
    began = time.perf_counter()
    threads = options.thread_count
    steady = make_steady(sample, grid, options.stabilise, threads)
    frames = sample.matrix.frames
    ground = find_ground(frames, sample.followers.frames, steady.pairs, grid, threads)
    if given is not None:
        ground = with_given(ground, given, frames, steady, grid, threads)
    shown = Shown(ground.used, ground.shown, np.repeat(ground.replaced.reshape(-1), grid.channels))
    found = split(frames, grid.channels, options, on_iteration, grid.inside, ground.centre, shown)
    kept = _kept(found, grid, options, steady)
    if options.centre == "median":
        lit = lit_where_replaced(kept.components, kept.coefficients, found.centre, ground.replaced)
        kept = _Kept(*lit, kept.reason)
    offset = found.centre if options.centre == "median" else np.zeros_like(found.centre)
    judged = _judged(frames, offset, kept.components, found.levels[1], ground, grid, options)
    confidence = 1.0 if ground.given else judged.confidence(grid.inside)
    sure = f"confidence {confidence:.1%}: so much of the picture is seen as background in a fifth of the frames or more"
    reasons = (found.why, steady.reason, *ground.reasons, sure, *found.reasons, kept.reason)
    reasons = (*reasons, *_memory(sample, grid, options))
    return kind(
        grid=grid,
        offset=offset,
        stabilise=steady.kind,
        reference=steady.reference,
        components=kept.components,
        typical=np.median(kept.coefficients, axis=0).astype(np.float32),
        outlier=found.levels[1],
        ordinary=judged.ordinary,
        shade=judged.shade,
        level=judged.level,
        threshold=options.threshold,
        sensitivity=options.sensitivity,
        shadows=options.shadows,
        min_area=options.min_area,
        seed=options.seed,
        report=_report(
            sample, found, options, reasons, (kept.components.shape[1], began, confidence, ground.given)
        ),
    )


def _judged(
    frames: NDArray[np.uint8],
    offset: NDArray[np.float32],
    components: NDArray[np.float32],
    outlier: float,
    ground: Ground,
    grid: Grid,
    options: Options,
) -> Judged:
    """Hold the frames that were looked at against the background, as every frame will be."""
    shape = (*grid.shape, 3) if grid.channels == 3 else grid.shape
    stack = np.ascontiguousarray(components.T)
    inside = None if grid.inside is None else np.repeat(grid.inside, grid.channels)
    coefficients = Coefficients.of(offset, components, outlier, options.seed, inside)

    def pair(j: int) -> tuple[Image, Image]:
        frame, picture = frames[ground.used[j]], np.empty(grid.rows, np.uint8)
        predict(offset, stack, coefficients(frame), picture)
        grid.blank(picture[None])
        return frame.reshape(shape), picture.reshape(shape)

    return Judge(pair, ground.shown, grid.shape, grid.inside, options.thread_count).judged()


def _report(
    sample: Sample,
    found: Split,
    options: Options,
    reasons: tuple[str, ...],
    result: tuple[int, float, float, bool],
) -> FitReport:
    """Return what is told of a fit; *result*: its rank, when it began, its confidence, whether the ground is given."""
    rank, began, confidence, given = result
    return FitReport(
        first=sample.first,
        frames=sample.frames,
        columns=len(sample.matrix),
        method=found.method,
        rank=rank,
        confidence=confidence,
        given=given,
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
    scene = Scene(found.centre, found.residual.rows, shape, components_of_scene(options.centre))
    followed = steady.reference is not None and options.rank is None
    rank = 0 if followed else options.rank
    kept, reason = select(right, found.residual, found.levels[1], rank, scene)
    if followed:
        reason = f"rank {len(kept)}: the light of each frame is found with its motion"
    components, coefficients = (np.ascontiguousarray(part[:, kept], np.float32) for part in (right, left))
    return _Kept(components, coefficients, reason)
