"""From sampled columns to a background: centre, noise, radii, Algorithm 1, the components worth keeping."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bgsub.background.centre import temporal_median
from bgsub.background.components import select
from bgsub.background.model import BackgroundModel
from bgsub.background.noise import Residual, noise_level, outlier_level, sample_residual
from bgsub.background.radii import Radii, choose_radii
from bgsub.background.report import FitReport
from bgsub.frames.grid import Grid
from bgsub.frames.sample import Sample
from bgsub.masks.threshold import flicker
from bgsub.options import Options
from bgsub.solver.loop import solve
from bgsub.solver.methods.alternating import Alternating, alt_cgpg, alt_pgcg
from bgsub.solver.problem import SplitProblem
from bgsub.solver.result import Result
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall
from bgsub.solver.stopping import Stopping
from bgsub.solver.tiles import available_threads

STOPPING = Stopping(max_iterations=12, gap_tolerance=1e-3, change_tolerance=2e-3)
"""The background is flat to a fraction of a grey level after 3–12 iterations; the certificate says how far f is."""


def thread_count(options: Options) -> int:
    """Return the threads to compute with: as asked for, else what this process may use."""
    return options.threads or available_threads()


def fit_background(
    sample: Sample, grid: Grid, options: Options, on_iteration: Callable[[], None] | None = None
) -> BackgroundModel:
    """Fit one segment; see :meth:`bgsub.background.model.BackgroundModel.fit`."""
    began = time.perf_counter()
    frames = sample.matrix.frames
    centre = temporal_median(frames, thread_count(options))
    residual = sample_residual(frames, centre, grid.channels, options.seed)
    noise = noise_level(residual)
    levels = (noise, outlier_level(noise))
    radii = choose_radii(frames, centre, residual, levels, options)
    method, why_method = choose_method(radii, options)
    result = _solve(frames, centre, radii, method, options, on_iteration)
    components, typical, why_rank = _components(result, residual, levels[1], options)
    return BackgroundModel(
        grid=grid,
        offset=centre if options.centre == "median" else np.zeros_like(centre),
        components=components,
        typical=typical,
        outlier=levels[1],
        flicker=flicker(sample.differences.frames, grid.shape),
        threshold=options.threshold,
        min_area=options.min_area,
        seed=options.seed,
        report=FitReport(
            first=sample.first,
            frames=sample.frames,
            columns=len(frames),
            method=method,
            tau=radii.tau,
            sparsity=radii.sparsity,
            rank=components.shape[1],
            noise=noise,
            outlier=levels[1],
            objective=result.objective,
            initial_objective=result.trace[0].objective,
            gap=result.gap,
            status=str(result.status.value),
            iterations=result.iterations,
            seconds=time.perf_counter() - began,
            reasons=(why_method, *radii.reasons, why_rank),
        ),
    )


def choose_method(radii: Radii, options: Options) -> tuple[str, str]:
    """Apply the paper's rule of thumb (section 4): project the block with the larger ball."""
    if options.method != "auto":
        return options.method, f"method {options.method}: as asked for{_better(radii, options.method)}"
    sign, method = ("≥", "alt-pgcg") if radii.sparsity >= radii.tau else ("<", "alt-cgpg")
    block = "foreground" if method == "alt-pgcg" else "background"
    return method, f"method {method}: s {sign} τ, so the {block} takes the projected step"


def _better(radii: Radii, method: str) -> str:
    if method == "alt-cgpg" and radii.sparsity > radii.tau:
        return (
            "; alt-pgcg is better where s > τ, since alt-cgpg moves one entry of the foreground an iteration"
        )
    return ""


def _solve(
    frames: NDArray[np.uint8],
    centre: NDArray[np.float32],
    radii: Radii,
    method: str,
    options: Options,
    on_iteration: Callable[[], None] | None,
) -> Result:
    problem = SplitProblem(
        frames,
        NuclearNormBall(radii.tau),
        L1Ball(radii.sparsity),
        offset=centre if options.centre == "median" else None,
    )
    rank = max(options.rank or 1, 1) + _always(options)
    steps: Alternating = alt_pgcg() if method == "alt-pgcg" else alt_cgpg(rank)
    callback = None if on_iteration is None else lambda _: on_iteration()
    return solve(problem, steps, stop=STOPPING, threads=thread_count(options), callback=callback)


def _components(
    result: Result, residual: Residual, outlier: float, options: Options
) -> tuple[NDArray[np.float32], NDArray[np.float32], str]:
    """Return the kept right singular vectors, the median coefficients along them, and the reason."""
    # Compressed factors: right is orthonormal, and left holds every frame's coefficients along it.
    left, right = result.low_rank.left, result.low_rank.right
    kept, reason = select(right, residual, outlier, options.rank, _always(options))
    typical = np.median(left[:, kept], axis=0)
    return np.ascontiguousarray(right[:, kept], np.float32), typical.astype(np.float32), reason


def _always(options: Options) -> int:
    """Return how many components the background itself takes when nothing is taken off beforehand."""
    return 1 if options.centre == "none" else 0
