"""The fit from coarse to fine: directions in time from a sample of the rows, then every row with these directions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bgsub.background.scene.noise import Residual
from bgsub.background.split.solution import Solution
from bgsub.solver.lifting import lift
from bgsub.solver.loop import solve
from bgsub.solver.methods.accelerated import alt_pgpg
from bgsub.solver.problem import SplitProblem
from bgsub.solver.result import Result
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall
from bgsub.solver.stopping import Status, Stopping

ROWS = 4000
"""Rows of the sample. The directions of a few components are then right to about 1 %, and the certificate of all rows
tells what that costs: 0.01–0.2 % of the starting objective on real footage."""

STOPPING = Stopping(max_iterations=60, gap_tolerance=1e-3, change_tolerance=1e-4)

LEAST = 0.005
"""Directions with less than this share of the largest singular value are left out. Beside a large change of light small
ones count: with 0.02 the certificate of the demo clip was 0.5 % of the start, and is 0.03 %."""

MOST_DIRECTIONS = 7
"""Most directions, one fewer than a multiple of four: the pass takes them four by four, the centre included."""

COARSE_BYTES = 60
"""Bytes an entry of the sample, whose arrays are whole."""

PROVEN = 1e-3
"""Gap, relative to the starting objective, at which a fit counts as converged."""


def solve_sampled(
    problem: SplitProblem, residual: Residual, threads: int, on_iteration: Callable[[], None] | None = None
) -> Solution:
    """Return a solution of *problem*, a nuclear-norm and an ℓ1 ball or an elastic net, of a video's frames.

    With a share q of the rows the singular values are √q of those of all rows, and the ℓ1 norm is q of it: the sample's
    problem has the radii √q·τ and q·s. The weights of an elastic net are the same for a sample.

    Parameters
    ----------
    problem
        All rows; the centre is its offset.
    residual
        Names the sampled pixels, of which every k-th is taken.
    threads
        To compute with.
    on_iteration
        Called after every iteration.
    """
    rows = sampled_rows(residual)
    share = len(rows) / residual.total
    small = SplitProblem(
        np.ascontiguousarray(problem.matrix[:, rows]),
        NuclearNormBall(problem.low_rank.radius * share**0.5),  # type: ignore[attr-defined]
        L1Ball(problem.sparse.radius * share) if isinstance(problem.sparse, L1Ball) else problem.sparse,
        problem.offset[rows],
    )
    callback = None if on_iteration is None else lambda _: on_iteration()
    coarse = solve(small, alt_pgpg(), stop=STOPPING, threads=threads, callback=callback)
    start, steps = (directions(coarse), threshold(small, coarse)), coarse.iterations
    # Its arrays are not to be there beside those of all rows.
    del coarse, small
    found = lift(problem, *start, threads, on_iteration)
    proven = found.gap <= PROVEN * found.initial_objective
    status = Status.CONVERGED if proven else Status.FLAT
    return Solution.lifted(found, status, steps + found.iterations)


def sampled_rows(residual: Residual) -> NDArray[np.int64]:
    """Return about ROWS of the sampled rows: whole pixels, evenly spread over the sample."""
    pixels = residual.rows.reshape(-1, residual.channels)
    every = max(1, round(residual.rows.size / ROWS))
    return pixels[::every].ravel()


def directions(coarse: Result) -> NDArray[np.float32]:
    """Return the ``(n, k)`` orthonormal temporal directions of a solution that matter."""
    values = np.linalg.norm(coarse.low_rank.left, axis=0)
    kept = np.flatnonzero(values > LEAST * values.max(initial=0.0))[:MOST_DIRECTIONS]
    return np.asarray(coarse.low_rank.left[:, kept] / values[kept], np.float32)


def threshold(problem: SplitProblem, coarse: Result) -> float:
    """Return θ of a solution: where Y is not zero the gradient has this modulus, and nowhere a larger one."""
    gradient = coarse.low_rank.dense() + coarse.sparse - problem.matrix
    return float(np.abs(gradient).max())


def nbytes(rows: int, columns: int) -> int:
    """Return the most bytes that a fit takes beside M: the arrays of the sample, or what the lift of all rows does.

    The lift keeps k directions and the centre, padded to fours, twice; a step of it keeps 3k more.
    """
    k = min(MOST_DIRECTIONS, columns)
    padded = 4 * -(-(k + 1) // 4)
    # The stride of the sample is a whole number: there may be half as many rows again.
    coarse = columns * COARSE_BYTES * min(rows, 3 * ROWS // 2)
    return max(coarse, rows * (12 + 8 * padded + 12 * k))
