"""A certified bound on the suboptimality of a point, computed in float64 from the point alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.arrays import inner, square_norm
from bgsub.solver.checks import require_kind
from bgsub.solver.kernels.tiles import Workers, chunk_bounds, tile_width
from bgsub.solver.losses.squared import SquaredLoss
from bgsub.solver.parts import Part, full
from bgsub.solver.problem import SplitProblem, checked_point, require_problem
from bgsub.solver.proof.duals import Dual, dual_of
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.spectra.lazy import BLOCK_ENTRIES, LazyMatrix
from bgsub.solver.spectra.linalg import LARGEST_GRAM, ROUNDING, gram_bound, spectral_norm_bound

SMALL = 1 << 23
"""Entries up to which NumPy blocks are used; beyond, the multithreaded compiled pass repays its compilation."""

CHUNKS = 8
"""Maximum number of partial Gram matrices in memory; fixed, so that results do not depend on the number of
threads."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The objective at a point, and an upper bound on its suboptimality."""

    objective: float
    gap: float


@dataclass(frozen=True, slots=True)
class Sums:
    """⟨X′ + Y, G⟩, ‖G‖², ‖X′ + Y‖² and max|g|, with G = X + Y − M, and an upper bound on ‖G‖₂.

    *penalty*: R(Y) and a bound on R*(−G), if the term of Y is not the ℓ1 ball.
    """

    inner: float
    gradient_square: float
    point_square: float
    peak: float
    spectral: float
    penalty: tuple[float, float] | None = None


def certify(
    problem: SplitProblem, low_rank: LowRank, sparse: NDArray[Any], workers: Workers | None = None
) -> Certificate:
    """Return the objective f(X, Y) and the conditional-gradient (Frank–Wolfe) gap, an upper bound on ``f(X, Y) − f*``.

    For convex f and feasible (V, W), ``f(X, Y) − f(V, W) ≤ ⟨X′ + Y − V′ − W, ∇⟩``; the maximum of the right-hand side
    over both sets is ``⟨X′ + Y, ∇⟩ + τ‖∇‖₂ + s‖∇‖_∞`` for the nuclear-norm and ℓ1 balls (Garber, Kaplan and Sabach,
    remark on Theorem 1). ‖∇‖₂ comes from the largest eigenvalue of the Gram matrix (from ARPACK if the smaller
    dimension exceeds 1,500, see :func:`.spectral_norm_bound`), and everything rounding may have removed is added, so
    the gap is a bound and not an estimate. Since f ≥ 0, the objective is a bound too; the smaller of the two is
    returned, or 0 if the point is so far outside a set that f(X, Y) < f*.

    Parameters
    ----------
    problem, low_rank, sparse
        The problem and the point (X, Y); the offset of X is taken from the problem.
    workers
        Threads; only the calling one by default. The result does not depend on them.

    Raises
    ------
    OptionError
        A problem, low-rank part or workers of the wrong type.
    InputError
        A point of the wrong shape or with non-finite values.

    Notes
    -----
    Cost O(n p min(n, p)) in float64: on video about as much as a few iterations. Memory: a few blocks for the
    squared loss, the nuclear-norm ball and entrywise terms (ℓ1 and ℓp ball, elastic net); else two to three
    float64 arrays of the size of the data.
    """
    require_problem(problem, "certify")
    low_rank, sparse = checked_point(problem, low_rank, sparse, "certify")
    if workers is not None:
        require_kind(workers, Workers, "workers of certify", "a Workers or None")
    if not problem.is_blockwise:
        return _certify_in_full(problem, low_rank, sparse)
    gradient, dual = problem.gradient(low_rank, sparse), dual_of(problem.sparse)
    if gradient.is_wide and gradient.shape[0] <= LARGEST_GRAM and problem.matrix.size > SMALL:
        sums = _compiled_sums(problem, low_rank, sparse, dual, workers or Workers(1))
    else:
        sums = _sums(gradient, problem.beyond_offset(low_rank, sparse), dual)
    entry = _entry_rounding(gradient, sums.peak)
    return certificate_of(problem, replace(sums, penalty=dual.penalty(entry, problem.matrix.size)), entry)


def certificate_of(problem: SplitProblem, sums: Sums, entry: float) -> Certificate:
    """Return the certificate that follows from *sums*, each gradient entry having an error of up to *entry*."""
    root = float(np.sqrt(problem.matrix.size))
    spectral = sums.spectral + entry * root
    nuclear, entrywise = (problem.term(part) for part in Part)
    cost, dual = sums.penalty or (0.0, entrywise.support(sums.peak + entry) if sums.penalty is None else 0.0)
    gap = float(sums.inner + cost + nuclear.support(spectral) + dual)
    # ⟨X′ + Y, ∇⟩ is off by the rounding of the products and sums, and of the entries of both factors.
    length, slope = np.sqrt(sums.point_square), np.sqrt(sums.gradient_square)
    additions = _additions(problem.shape)
    gap += additions * ROUNDING * (length * slope + cost + dual) + entry * root * (2 * length + slope)
    # f ≥ 0, so f(X, Y) is itself a bound on f(X, Y) − f*.
    most = float(slope * (1 + additions * ROUNDING) + entry * root) ** 2 / 2 + cost * (
        1 + additions * ROUNDING
    )
    return Certificate(sums.gradient_square / 2 + cost, float(min(max(gap, 0.0), most)))


def _certify_in_full(problem: SplitProblem, low_rank: LowRank, sparse: NDArray[Any]) -> Certificate:
    """Return the certificate for any loss and terms; two float64 arrays of the data's size, three for a general g."""
    shape, double = problem.shape, np.dtype(np.float64)
    low_rank = LowRank(low_rank.left.astype(double), low_rank.right.astype(double))
    z = full(low_rank, shape, double)
    z += sparse
    smooth, gradient, peak = _smooth(problem, z)
    terms = (problem.low_rank, low_rank), (problem.sparse, sparse)
    cost = float(sum(term.cost(block) for term, block in terms))
    objective = smooth + cost
    gradient, missed = dual_point(problem, gradient)
    conjugates = sum(term.conjugate(gradient, objective) for term, _ in terms)
    length, slope = np.sqrt(square_norm(z)), np.sqrt(square_norm(gradient))
    # The rounding of z is amplified by β in the gradient, and enters both factors of every inner product.
    entry = ROUNDING * (low_rank.columns + 4) * problem.loss.beta * peak
    reach = sum(min(term.diameter, 2 * length) for term, _ in terms) + length + slope
    margin = _additions(shape) * ROUNDING * (length * slope + abs(conjugates))
    margin += entry * np.sqrt(z.size) * reach
    gap = inner(z, gradient) + cost + conjugates + missed + float(margin)
    return Certificate(objective, float(min(max(gap, 0.0), objective)))


def dual_point(problem: SplitProblem, gradient: NDArray[Any]) -> tuple[NDArray[Any], float]:
    """Return a gradient G at which the conjugates of both terms may be finite, and what it adds to the gap.

    That is ∇g itself, at no cost, except for cones. For all E and every feasible U = V + W, strong convexity of
    g gives ``g(U) ≥ g(Z) + ⟨∇, U − Z⟩ + ½α‖U − Z‖² ≥ g(Z) + ⟨∇ + E, U − Z⟩ − ‖E‖²/(2α)``, so G = ∇ + E may
    replace ∇ at the cost of the last term.
    """
    dual = gradient
    for part in Part:
        nearest = getattr(problem.term(part), "dual", None)
        dual = dual if nearest is None else nearest(dual)
    if dual is gradient:
        return gradient, 0.0
    return dual, square_norm(dual - gradient) / (2 * problem.loss.alpha)


def _smooth(problem: SplitProblem, z: NDArray[np.float64]) -> tuple[float, NDArray[np.float64], float]:
    """Return g(Z), its gradient, and the sum of the largest magnitudes of Z and the data."""
    data = np.array(problem.centred(np.float64))
    peak = sum(max(float(part.max()), -float(part.min())) for part in (z, data))
    if isinstance(problem.loss, SquaredLoss):
        gradient = np.subtract(z, data, out=data)
        return square_norm(gradient) / 2, gradient, peak
    return problem.loss.value(data, z), problem.loss.gradient(data, z), peak


def _additions(shape: tuple[int, int]) -> int:
    """Return the longest chain of additions behind one sum: within a block or tile, then across all of them."""
    return min(shape[0] * shape[1], BLOCK_ENTRIES + 4 * sum(shape))


def _sums(gradient: LazyMatrix, point: LazyMatrix, dual: Dual) -> Sums:
    inner = gradient_square = point_square = peak = 0.0
    for rows, columns, g in gradient.blocks():
        z = point.tile(rows, columns)
        inner += float(np.vdot(z, g))
        gradient_square += float(np.vdot(g, g))
        point_square += float(np.vdot(z, z))
        peak = max(peak, float(g.max()), -float(g.min()))
        dual.add_block(g, point.sparse[rows, columns])
    return Sums(inner, gradient_square, point_square, peak, spectral_norm_bound(gradient))


def _compiled_sums(
    problem: SplitProblem, low_rank: LowRank, sparse: NDArray[Any], dual: Dual, workers: Workers
) -> Sums:
    from bgsub.solver.kernels.iteration import BLOCK, Point, Span
    from bgsub.solver.kernels.passes import packed
    from bgsub.solver.kernels.proof import prove

    n, p = problem.shape
    padded = -(-n // BLOCK) * BLOCK
    width = tile_width(2 * n, p)
    chunks = chunk_bounds(p, width, CHUNKS)
    scratch = [np.zeros((padded, width)) for _ in range(workers.threads)]
    point = Point(problem.matrix, sparse, *packed(low_rank))

    def task(index: int, worker: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        gram, sums = np.zeros((padded, padded)), np.zeros(9)
        prove(point, Span(*chunks[index], width, 1, False), scratch[worker], gram, sums, dual.constants)
        return gram, sums

    parts = workers.map(task, len(chunks))
    gram = np.sum([part[0] for part in parts], axis=0)[:n, :n]
    inner, gradient_square, point_square = (float(v) for v in np.sum([part[1][:3] for part in parts], axis=0))
    for _, found in parts:
        dual.add_sums(found[4:])
    peak = max(float(part[1][3]) for part in parts)
    return Sums(inner, gradient_square, point_square, peak, gram_bound(gram, p))


def _entry_rounding(gradient: LazyMatrix, peak: float) -> float:
    """Return a bound on the rounding error of one entry of the gradient as computed blockwise."""
    if peak == 0 and gradient.left.shape[1] == 1 and not gradient.sparse.any():
        # Just offset − data: a floating-point difference is zero only if the exact one is.
        return 0.0
    return entry_rounding(gradient.matrix, (gradient.left, gradient.right), peak)


def entry_rounding(matrix: NDArray[Any], factors: tuple[NDArray[Any], NDArray[Any]], peak: float) -> float:
    """Return a bound on the rounding error of ``x + y − m`` in float64, x from *factors* ``(n, k)`` and ``(p, k)``.

    *peak* is the largest magnitude of ``x + y − m``.
    """
    left, right = factors
    largest = np.abs(left).max(axis=0) @ np.abs(right).max(axis=0)
    data = max(float(matrix.max()), -float(matrix.min()))
    return float(ROUNDING * (left.shape[1] + 4) * (2 * largest + 2 * data + peak))
