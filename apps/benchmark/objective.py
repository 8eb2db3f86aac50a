"""Robust PCA of a gray clip to a given objective: bgsub sets it, the others are held to it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmark.alm import inexact_alm, pursuit_weight
from benchmark.footage import Footage
from benchmark.jobs import Job
from benchmark.stages import Score
from benchmark.subtractors import THRESHOLD
from bgsub.masks.clean import clean, default_min_area

Matrix = NDArray[np.float32]

ENOUGH = 100_000
"""Iterations that no peer ends with: the objective, or the limit, ends it before."""


TOLERANCE = 1e-6
"""‖X + Y − M‖_F relative to ‖M‖_F at which the inexact ALM has ended: its authors take 1e-7, below float32's noise."""
BLOCK = 4096
"""Rows that are looked at together: what is looked at is not to need memory."""
RANK = 1e-3
"""Singular values below this share of the largest one do not count."""
SAME = 0.01
"""F that is lower by less is the same."""


class LimitReached(Exception):
    """A peer has used up its time."""


class Follower:
    """The clock of a run that is looked at after every iteration, off the clock, until it is as good as bgsub's.

    As good is: ½‖X+Y−M‖² at most that of bgsub, and F within SAME of its F. The objective alone is not enough: a
    method that keeps X + Y close to M has a small one from the start, all of M being in Y.
    """

    def __init__(self, job: Job, footage: Footage, frames: NDArray[np.uint8], last: float = np.inf) -> None:
        self._job, self._footage, self._frames, self._last = job, footage, frames, last
        self.trace: list[dict[str, float]] = []
        self._seconds, self._since = 0.0, time.perf_counter()

    def go_on(self) -> None:
        """Let the clock run again."""
        self._since = time.perf_counter()

    def is_over(self, low_rank: NDArray[Any], objective: float, rank: int | None = None) -> bool:
        """Stop the clock, note how good the ``(n, p)`` X is, and tell whether to end here.

        That is at the limit, or when it is as good as bgsub and its objective is at most *last*.
        """
        self._seconds += time.perf_counter() - self._since
        found = f_measure(self._footage, self._frames, low_rank.__getitem__)
        rank = rank_of(low_rank) if rank is None else rank
        self.trace.append({"seconds": self._seconds, "objective": objective, "f": found, "rank": rank})
        ended = objective <= self._last and self._reached() is not None
        return ended or self._seconds >= self._job.limit

    def outcome(self) -> dict[str, Any]:
        """Return the result: at the first iteration that is as good, else at the last one.

        ``seconds_to_objective`` and ``seconds_to_f`` are those to the objective or F alone, ``seconds_to_end`` those to
        the very last iteration; None where it was not reached.
        """
        reached = self._reached()
        index = len(self.trace) - 1 if reached is None else reached
        by_objective = (row["seconds"] for row in self.trace if row["objective"] <= self._job.target)
        by_f = (row["seconds"] for row in self.trace if row["f"] >= self._job.f - SAME)
        return {
            **self.trace[index],
            "iterations": index + 1,
            "at_least": reached is None,
            "seconds_to_objective": next(by_objective, None),
            "seconds_to_f": next(by_f, None),
            "seconds_to_end": self._seconds if self.trace[-1]["objective"] <= self._last else None,
            "trace": self.trace,
        }

    def _reached(self) -> int | None:
        """Return the first iteration, from 0, that is as good as bgsub."""
        target, f = self._job.target, self._job.f - SAME
        good = (k for k, row in enumerate(self.trace) if row["objective"] <= target and row["f"] >= f)
        return next(good, None)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise LimitReached when the body takes longer: between two of its Python instructions, so a product is ended."""

    def ring(*_: object) -> None:
        raise LimitReached

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def to_objective(job: Job, footage: Footage) -> dict[str, Any]:
    """Run a system; return seconds, iterations, objective, and F of the masks |M − X| > THRESHOLD, cleaned.

    ``at_least`` is true where the limit came first: seconds are then those it took without getting there.
    """
    frames = footage.matrix(job.frames)
    run = {"bgsub": run_bgsub, "alm": run_alm, "tensorly": run_tensorly, "sporco": run_sporco}[job.system]
    return run(job, footage, frames)


def f_measure(
    footage: Footage, frames: NDArray[np.uint8], background: Callable[[int], NDArray[Any]]
) -> float:
    """Return F of the masks of all frames; *background* gives the background of one."""
    score = Score()
    area = default_min_area(footage.width * footage.height)
    for index, truth in enumerate(footage.masks(len(frames))):
        moved = np.abs(frames[index] - background(index)) > THRESHOLD
        mask = np.where(moved, 255, 0).astype(np.uint8).reshape(footage.shape)
        score.add(clean(mask, area), truth)
    return score.f_measure


def rank_of(matrix: NDArray[Any]) -> int:
    """Return the number of singular values of ``(n, p)`` that matter, from the Gram matrix."""
    squares = np.linalg.eigvalsh((matrix @ matrix.T).astype(np.float64))
    return int(np.sum(squares > RANK**2 * squares[-1]))


def run_bgsub(job: Job, footage: Footage, frames: NDArray[np.uint8]) -> dict[str, Any]:
    """Split as ``bgsub.fit`` does: median, noise, radii, the default method, its stop, the certificate."""
    from bgsub.background.split.split import split
    from bgsub.options.table import Options

    options = Options(threads=job.threads)
    split(np.ascontiguousarray(frames[:, :2000]), 1, options)
    began = time.perf_counter()
    found = split(frames, 1, options)
    seconds = time.perf_counter() - began
    low_rank = found.solution.low_rank
    left, right = low_rank.left, np.ascontiguousarray(low_rank.right.T)
    return {
        "seconds": seconds,
        "iterations": found.solution.iterations,
        "objective": found.solution.objective,
        "relative_gap": found.solution.gap / found.solution.initial_objective,
        "rank": low_rank.columns + 1,
        "at_least": False,
        "f": f_measure(footage, frames, lambda index: left[index] @ right + low_rank.offset),
    }


def run_alm(job: Job, footage: Footage, frames: NDArray[np.uint8]) -> dict[str, Any]:
    """Run the inexact ALM until it is as good as bgsub, and on to its own end."""
    matrix = frames.astype(np.float32)
    weight = pursuit_weight(matrix.shape)
    next(inexact_alm(matrix[:, :2000].copy(), weight))
    last = 0.5 * (TOLERANCE * float(np.linalg.norm(matrix))) ** 2
    follower = Follower(job, footage, frames, last)
    for point in inexact_alm(matrix, weight):
        if follower.is_over(point.low_rank, point.objective, point.rank):
            break
        follower.go_on()
    return follower.outcome()


def run_sporco(job: Job, footage: Footage, frames: NDArray[np.uint8]) -> dict[str, Any]:
    """Run ``admm.rpca.RobustPCA``, default options, in float32, until it is as good as bgsub."""
    from sporco.admm import rpca

    matrix = frames.T.astype(np.float32)

    def look(solver: Any) -> bool:
        squares = 0.0
        for low in range(0, len(matrix), BLOCK):
            rows = slice(low, low + BLOCK)
            squares += float(np.sum((solver.X[rows] + solver.Y[rows] - matrix[rows]) ** 2, dtype=np.float64))
        is_over = follower.is_over(solver.X.T, squares / 2)
        follower.go_on()
        return is_over

    options = {"Verbose": False, "MaxMainIter": ENOUGH, "RelStopTol": 0.0, "Callback": look}
    follower = Follower(job, footage, frames)
    rpca.RobustPCA(matrix, pursuit_weight(matrix.shape), rpca.RobustPCA.Options(options)).solve()
    return follower.outcome()


def run_tensorly(job: Job, footage: Footage, frames: NDArray[np.uint8]) -> dict[str, Any]:
    """Run ``robust_pca`` until its own test holds: ‖X + Y − M‖_F and the distance of its copies of X at most *tol*.

    With tol = √(2·target) the first is the objective. For a matrix both its unfoldings have the same nuclear norm,
    which it counts twice, so λ doubles too. All else is its default; float32, as it keeps the type it is given.

    ``seconds_to_objective`` are those to the first iteration with that objective, whatever its own test says: their
    share of the seconds, as every iteration takes the same decompositions.
    """
    from tensorly.decomposition import robust_pca

    matrix = frames.astype(np.float32)
    words = {"reg_E": 2 * pursuit_weight(matrix.shape), "return_errors": True, "verbose": 0}
    robust_pca(matrix[:20, :100].copy(), n_iter_max=2, **words)
    low_rank = None
    began = time.perf_counter()
    try:
        with limited(job.limit):
            low_rank, _, errors = robust_pca(matrix, tol=(2 * job.target) ** 0.5, n_iter_max=ENOUGH, **words)
    except LimitReached as late:
        # It hands its errors over only when it ends by itself.
        errors = local_of(late, "rec_X") or []
    seconds = time.perf_counter() - began
    objectives = [float(error) ** 2 / 2 for error in errors]
    sooner = (k for k, objective in enumerate(objectives, 1) if objective <= job.target)
    share = next(sooner, None)
    return {
        "seconds": seconds,
        "seconds_to_objective": None if share is None else seconds * share / len(objectives),
        "iterations": len(objectives),
        "objective": objectives[-1] if objectives else None,
        "objectives": objectives,
        "rank": None if low_rank is None else rank_of(low_rank),
        "at_least": low_rank is None,
        "f": None if low_rank is None else f_measure(footage, frames, low_rank.__getitem__),
    }


def local_of(error: BaseException, name: str) -> Any:
    """Return the variable of that name where *error* came through, of the innermost function that has one, or None."""
    found, trace = None, error.__traceback__
    while trace is not None:
        found = trace.tb_frame.f_locals.get(name, found)
        trace = trace.tb_next
    return found
