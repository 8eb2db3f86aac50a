"""One iteration of ALT-PGCG held against one copy of the matrix in float32."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from benchmark.footage import Footage
from benchmark.jobs import Job
from bgsub.background.scene.centre import temporal_median
from bgsub.background.scene.noise import noise_level, outlier_level, sample_residual
from bgsub.background.split.low_rank import choose_low_rank
from bgsub.background.split.sparse import choose_sparse
from bgsub.options.table import Options
from bgsub.solver import SplitProblem, Stopping, alt_pgcg, solve

ITERATIONS = 12
COPIES = 9


def iteration_over_copy(job: Job, footage: Footage) -> dict[str, Any]:
    """Return the median seconds of an iteration, and of a copy on one thread, measured before and after.

    The problem is the one that ``bgsub.fit`` poses, M in uint8, by the engine that streams; setting up and the
    certificate at the end do not count.
    """
    problem = split_problem(footage.matrix(job.frames), Options(threads=job.threads))
    # Nothing but the number of iterations ends it, and no proof is tried on the way.
    stop = Stopping(max_iterations=ITERATIONS, gap_tolerance=0, change_tolerance=-1)
    solve(problem, alt_pgcg(), stop=Stopping(2, 0, -1), threads=job.threads)
    source = problem.matrix.astype(np.float32)
    copies = _copies(source)
    trace = solve(problem, alt_pgcg(), stop=stop, threads=job.threads).trace
    copies += _copies(source)
    seconds = statistics.median(np.diff([row.seconds for row in trace]))
    return {"seconds": float(seconds), "copy_seconds": statistics.median(copies)}


def split_problem(frames: Any, options: Options) -> SplitProblem:
    """Return the problem of ``(n, pixels)`` gray frames: centre and radii as bgsub chooses them."""
    centre = temporal_median(frames, options.threads or 1)
    residual = sample_residual(frames, centre, 1, options.seed)
    noise = noise_level(residual)
    levels = noise, outlier_level(noise)
    low_rank = choose_low_rank(centre, residual, levels, options)
    return SplitProblem(frames, low_rank.term, choose_sparse(frames, centre, levels[1], options).term, centre)


def _copies(source: Any) -> list[float]:
    target = np.zeros_like(source)
    seconds = []
    for _ in range(COPIES):
        began = time.perf_counter()
        np.copyto(target, source)
        seconds.append(time.perf_counter() - began)
    return seconds
