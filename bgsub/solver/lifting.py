"""Lifting: from known temporal directions, found on a few columns, to the best split of all columns that uses them.

Given the left factor of X, e.g. from a solution on a sample of the columns, the remaining problem is far
smaller than the data. With L ``(n, k)`` orthonormal, ``X = 1·offsetᵀ + L C`` and Y minimised out, it becomes ::

    min over ‖C‖_* ≤ τ of  F(C) = min over ‖Y‖₁ ≤ s of ½‖1·offsetᵀ + L C + Y − M‖²

whose smooth part has the 1-Lipschitz gradient ``−Lᵀ clip(R − L C, ±θ)``, where R = M − 1·offsetᵀ and θ is the
threshold at which soft(R − L C, θ) has norm s. It is minimised by proximal gradient steps with Nesterov momentum; θ
is tracked by Newton steps of its own. With an elastic net instead of the ball, θ = λ1 is fixed and Y = soft(R − L C,
λ1)/(1 + 2λ2). Each iteration is one pass over M in its own dtype; nothing else of that size is ever in memory.

The result is a point of the full problem, with a certificate for the full problem: its gap shows what
restricting X to the directions has cost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import IncompatibleProblem, InputError
from bgsub.solver.arrays import square_norm
from bgsub.solver.blas import one_blas_thread
from bgsub.solver.kernels.iteration import BLOCK, Span
from bgsub.solver.kernels.lift import settle
from bgsub.solver.kernels.tiles import Workers, chunk_bounds, tile_width
from bgsub.solver.losses.squared import SquaredLoss
from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.problem import SplitProblem
from bgsub.solver.proof.clipped import certify_clipped, kept_share
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.threshold import find_threshold

MOST_ITERATIONS = 12

SETTLED = 5e-4
"""The search ends with a step whose square is at most this share of ‖G‖²: it could lower f by no more than that."""

ORTHONORMAL = 1e-3
"""Tolerance on the entries of ``LᵀL − I``."""

PIECE = 1 << 16
"""Columns per float64 block of a Gram matrix."""

NORM_ACCURACY = 1e-4
"""Relative accuracy of the final ‖Y‖₁ ≤ s."""


@dataclass(frozen=True, slots=True, eq=False)
class Lifted:
    """A point (X, κ·soft(M − X, θ)) of the problem, and its certificate.

    Attributes
    ----------
    low_rank
        X, compressed.
    threshold
        θ, in the units of the data; Y is soft(M − X, θ), for an elastic net divided by 1 + 2λ2.
    kept
        κ: 1 for the ℓ1 ball, 1/(1 + 2λ2) for an elastic net.
    objective, initial_objective, gap
        f(X, Y), f₀ = f at X = 1·offsetᵀ and Y = 0, and the certified gap, for the full problem: all columns, any X.
    iterations
        Steps taken.
    passes
        Passes over the data, excluding the two of the certificate.
    """

    low_rank: LowRank
    threshold: float
    kept: float
    objective: float
    initial_objective: float
    gap: float
    iterations: int
    passes: int


@dataclass(frozen=True, slots=True)
class _Seen:
    """Σ|e|, #{e ≠ 0}, ‖G‖² and Σe², with e = soft(M − X, θ)."""

    total: float
    count: float
    square: float
    beyond: float


def lift(
    problem: SplitProblem,
    directions: NDArray[Any],
    threshold: float,
    threads: int | None = None,
    callback: Callable[[], None] | None = None,
) -> Lifted:
    """Return the best split of *problem* with X in the span of *directions*.

    Parameters
    ----------
    problem
        Squared loss, nuclear-norm ball, and an ℓ1 ball or an elastic net.
    directions
        ``(n, k)``, orthonormal columns, k ≥ 0.
    threshold
        Initial guess for θ; ignored for an elastic net.
    threads
        Number of threads; all processors by default. The result does not depend on it.
    callback
        Called after every iteration.

    Raises
    ------
    IncompatibleProblem
        Unsupported loss or terms.
    InputError
        *directions* are not of shape ``(n, k)`` with k ≤ n, or not orthonormal.

    Notes
    -----
    Cost: about five to ten passes of O(n p k), and O(n² p) for the certificate. Memory: O(p k), and n² for the
    certificate.
    """
    _check(problem, directions)
    with Workers(threads) as workers, one_blas_thread():
        search = _Search(problem, directions, workers)
        theta = search.settled(search.descend(threshold, callback))
        low_rank = search.low_rank()
        told = search.kept, search.start / 2, search.iterations, search.passes
        del search
        proof = certify_clipped(problem, low_rank, theta, workers)
    kept, start, iterations, passes = told
    return Lifted(low_rank.compress(), theta, kept, proof.objective, start, proof.gap, iterations, passes)


def _check(problem: SplitProblem, directions: NDArray[Any]) -> None:
    known = isinstance(problem.loss, SquaredLoss) and isinstance(problem.low_rank, NuclearNormBall)
    if not (known and isinstance(problem.sparse, L1Ball | ElasticNet)):
        raise IncompatibleProblem(
            "lift needs the squared loss, a NuclearNormBall, and an L1Ball or an ElasticNet: use solve for others"
        )
    n = problem.shape[0]
    if directions.ndim != 2 or directions.shape[0] != n or directions.shape[1] > n:
        raise InputError(f"directions must have shape ({n}, k), k at most {n}, but have {directions.shape}")
    off = np.abs(directions.T @ directions - np.eye(directions.shape[1])).max(initial=0.0)
    if not off <= ORTHONORMAL:
        raise InputError(f"directions must be orthonormal, but their products are off by {off:.1e}")


class _Search:
    def __init__(self, problem: SplitProblem, directions: NDArray[Any], workers: Workers) -> None:
        n, p = problem.shape
        self._problem, self._workers = problem, workers
        self._k = directions.shape[1]
        size = -(-(self._k + 1) // BLOCK) * BLOCK
        self._left = np.zeros((n, size), problem.dtype)
        self._left[:, 0] = 1
        self._left[:, 1 : self._k + 1] = directions
        self._rows, self._image = np.zeros((size, p), problem.dtype), np.zeros((size, p), problem.dtype)
        self._rows[0] = problem.offset
        self._width = tile_width(n, p)
        self._chunks = chunk_bounds(p, self._width)
        self.start = 0.0
        self.passes = self.iterations = 0

    @property
    def kept(self) -> float:
        """κ."""
        return kept_share(self._problem.sparse)

    @property
    def _factor(self) -> NDArray[Any]:
        """C, a view of the rows that the kernel reads."""
        return self._rows[1 : self._k + 1]

    def descend(self, theta: float, callback: Callable[[], None] | None) -> float:
        """Minimise over C; return θ."""
        if isinstance(self._problem.sparse, ElasticNet):
            theta = self._problem.sparse.lambda1
        # With θ = ∞ nothing is clipped, so the first step jumps straight to changes of the whole picture.
        self.start = self._look(np.inf).square
        if self._k == 0:
            return theta
        # Reuse buffers: each of these arrays is as large as k pictures.
        point, factor = self._image[1 : self._k + 1], self._factor
        here = self._projected(point)
        before, t = here, 1.0
        for self.iterations in range(1, MOST_ITERATIONS + 1):
            t, last = (1 + np.sqrt(1 + 4 * t * t)) / 2, t
            np.subtract(here, before, out=factor)
            factor *= self._real((last - 1) / t)
            factor += here
            seen = self._look(theta)
            theta = self._newton(theta, seen)
            point += factor
            before, here = here, self._projected(point)
            if callback is not None:
                callback()
            if square_norm(np.subtract(here, factor, out=point)) <= SETTLED * seen.square:
                break
        self._factor[:] = here
        return theta

    def settled(self, theta: float) -> float:
        """Return θ for the final C: the threshold at which Y has norm s, or λ1 for an elastic net."""
        sparse = self._problem.sparse
        if isinstance(sparse, ElasticNet):
            return sparse.lambda1

        def evaluate(trial: float) -> _Seen:
            return self._look(trial, self._image[:, :0])

        radius = sparse.radius  # type: ignore[attr-defined]
        return find_threshold(evaluate, radius, theta, self._problem.dtype, NORM_ACCURACY).theta

    def _newton(self, theta: float, seen: _Seen) -> float:
        sparse = self._problem.sparse
        if isinstance(sparse, ElasticNet):
            return theta
        excess = seen.total - sparse.radius  # type: ignore[attr-defined]
        return float(max(theta + excess / max(seen.count, 1.0), 0.0))

    def low_rank(self) -> LowRank:
        """Return X."""
        return LowRank(self._left[:, 1 : self._k + 1], self._factor.T.copy(), self._problem.offset)

    def _look(self, theta: float, image: NDArray[Any] | None = None) -> _Seen:
        self.passes += 1
        image = self._image if image is None else image
        limits = (self._real(theta), self._real(self.kept))

        def task(index: int, worker: int) -> NDArray[np.float64]:
            sums = np.zeros(4)
            span = Span(*self._chunks[index], self._width, 1, False)
            settle(self._problem.matrix, self._left, self._rows, limits, span, image, sums)
            return sums

        return _Seen(*np.sum(self._workers.map(task, len(self._chunks)), axis=0).tolist())

    def _projected(self, point: NDArray[Any]) -> NDArray[Any]:
        """Return the projection of a ``(k, p)`` matrix onto the nuclear-norm ball, via its small Gram matrix."""
        gram = np.zeros((len(point), len(point)))
        for low in range(0, point.shape[1], PIECE):
            part = point[:, low : low + PIECE].astype(np.float64)
            gram += part @ part.T
        weights, vectors = np.linalg.eigh(gram)
        values = np.sqrt(np.maximum(weights[::-1], 0))
        shrunk, _ = self._problem.low_rank.shrink_values(values)  # type: ignore[attr-defined]
        share = np.divide(shrunk, values, out=np.zeros_like(values), where=values > 0)
        turned = vectors[:, ::-1]
        return np.asarray(((turned * share) @ turned.T).astype(point.dtype) @ point)

    def _real(self, value: float) -> Any:
        return self._problem.dtype.type(value)
