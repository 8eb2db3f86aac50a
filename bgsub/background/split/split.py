"""The sampled columns, split: terms and method chosen, the problem solved; once more, where light changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bgsub.background.scene.centre import temporal_median
from bgsub.background.scene.noise import Residual
from bgsub.background.split.basis import Basis, Shown
from bgsub.background.split.coarse_to_fine import solve_sampled
from bgsub.background.split.low_rank import choose_low_rank
from bgsub.background.split.method import SAMPLED, choose_method, make_method, stopping
from bgsub.background.split.solution import Solution
from bgsub.background.split.sparse import choose_sparse
from bgsub.background.split.terms import Chosen
from bgsub.options.table import Options
from bgsub.solver.loop import solve
from bgsub.solver.problem import SplitProblem

OnIteration = Callable[[], None]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """The sampled columns, split: X = 1·centreᵀ + X′ and Y.

    Attributes
    ----------
    basis
        Centre (whether or not the ball is centred there), residual and noise.
    terms
        Those of X′ and of Y.
    method, why
        What was taken, and the reason.
    solution
        What the solver has found.
    """

    basis: Basis
    terms: tuple[Chosen, Chosen]
    method: str
    why: str
    solution: Solution

    @property
    def centre(self) -> NDArray[np.float32]:
        """``(rows,)`` float32, grey levels."""
        return self.basis.centre

    @property
    def residual(self) -> Residual:
        """Sampled rows of frames − centre."""
        return self.basis.residual

    @property
    def levels(self) -> tuple[float, float]:
        """Noise σ and outlier level, grey levels."""
        return self.basis.levels

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the terms have their parameters."""
        of_terms = tuple(reason for part in self.terms for reason in part.reasons)
        return (self.basis.reason, *of_terms) if self.basis.reason else of_terms


def split(
    frames: NDArray[np.uint8],
    channels: int,
    options: Options,
    on_iteration: OnIteration | None = None,
    inside: NDArray[np.bool_] | None = None,
    centre: NDArray[np.float32] | None = None,
    shown: Shown | None = None,
) -> Split:
    """Choose terms and method for ``(n, rows)`` *frames*, and solve; only pixels *inside* count, if given.

    The centre is the temporal median if it is not given. Where the low-rank part proves to be light, the problem is
    solved once more about the median in one light, with the radii of what is then left (:meth:`.Basis.anew`); only
    frames that *shown* names count at each place.
    """
    centre = temporal_median(frames, options.thread_count) if centre is None else centre
    basis = Basis.of(frames, centre, channels, options.seed, inside)
    looked_at = 1.0 if inside is None else float(inside.mean())
    found = _solved(frames, basis, _terms(frames, basis, options, looked_at), options, on_iteration)
    if options.centre != "median":
        return found
    anew = basis.anew(found.solution.low_rank, frames, shown, options.thread_count)
    if anew is None:
        return found
    # What the first split has found is as large as what is to come.
    del found, basis
    terms, anew = _terms(frames, anew, options, looked_at), replace(anew, light=None)
    return _solved(frames, anew, terms, options, on_iteration)


def _terms(
    frames: NDArray[np.uint8], basis: Basis, options: Options, looked_at: float
) -> tuple[Chosen, Chosen]:
    low_rank = choose_low_rank(basis.centre, basis.residual, basis.levels, options, basis.light)
    return low_rank, _sparse(frames, basis, options, looked_at)


def _sparse(frames: NDArray[np.uint8], basis: Basis, options: Options, looked_at: float) -> Chosen:
    outlier, threads = basis.levels[1], options.thread_count
    if basis.light is None:
        return choose_sparse(frames, basis.centre, outlier, options, threads, looked_at)
    rows = basis.residual.rows
    lit = np.clip(np.rint(frames[:, rows] - basis.light), 0, 255).astype(np.uint8)
    share = len(rows) / basis.residual.total
    return choose_sparse(lit, basis.centre[rows], outlier, options, threads, share=share)


def _solved(
    frames: NDArray[np.uint8],
    basis: Basis,
    terms: tuple[Chosen, Chosen],
    options: Options,
    on_iteration: OnIteration | None,
) -> Split:
    method, why = choose_method(*terms, frames.shape, options)
    offset = basis.centre if options.centre == "median" else None
    problem = SplitProblem(frames, terms[0].term, terms[1].term, offset)
    if method == SAMPLED:
        solution = solve_sampled(problem, basis.residual, options.thread_count, on_iteration)
    else:
        solution = _solve(problem, method, options, on_iteration)
    return Split(basis, terms, method, why, solution)


def _solve(
    problem: SplitProblem, method: str, options: Options, on_iteration: OnIteration | None
) -> Solution:
    callback = None if on_iteration is None else lambda _: on_iteration()
    steps, stop = make_method(method, options), stopping(method, options)
    return Solution.of(solve(problem, steps, stop=stop, threads=options.thread_count, callback=callback))
