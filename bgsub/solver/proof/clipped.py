"""The certificate of a point whose sparse part is the minimiser for its X, without forming that part."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.kernels.lift import gradient_tile
from bgsub.solver.kernels.passes import packed
from bgsub.solver.kernels.tiles import Workers, chunk_bounds
from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.problem import SplitProblem, Term
from bgsub.solver.proof.certificate import Certificate, Sums, certificate_of, entry_rounding
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.spectra.linalg import gram_bound

WIDTH = 256
"""Columns per tile of the gradient; BLAS forms the Gram matrix of a tile in single precision."""

CHUNKS = 8
"""Maximum number of partial Gram matrices in memory; fixed, so that results do not depend on the number of
threads."""

SINGLE = float(np.finfo(np.float32).eps)


def certify_clipped(
    problem: SplitProblem, low_rank: LowRank, theta: float, workers: Workers | None = None
) -> Certificate:
    """Return the certificate of (X, κ·soft(M − X, θ)), as :func:`bgsub.solver.proof.certificate.certify` would.

    κ = 1 for the ℓ1 ball; θ = λ1 and κ = 1/(1 + 2λ2) for the elastic net, where Y minimises f for this X.

    All sums are taken in float64. The Gram matrix of the gradient is accumulated tile by tile in single
    precision, and a bound on its rounding error is added, ``WIDTH·ε·‖G‖²`` in the spectral norm and ε·‖G‖ for
    the rounding of G itself: the gap is a bound.

    Parameters
    ----------
    problem
        Squared loss, nuclear-norm ball, ℓ1 ball or elastic net.
    low_rank
        X, with the offset.
    theta
        θ ≥ 0.
    workers
        Threads; only the calling one by default.

    Notes
    -----
    Cost O(n² p) in float32, O(n p) in float64. Memory O(n²).
    """
    workers = workers or Workers(1)
    left, rows = packed(low_rank)
    n, p = problem.shape
    chunks = chunk_bounds(p, WIDTH, CHUNKS)
    limits = (float(theta), kept_share(problem.sparse))

    def task(index: int, worker: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        gram, sums = np.zeros((n, n)), np.zeros(6)
        first, last = chunks[index]
        tile = np.empty((n, WIDTH), np.float32)
        for lo in range(first, last, WIDTH):
            hi = min(lo + WIDTH, last)
            gradient_tile(problem.matrix, left, rows, limits, (lo, hi), tile, sums)
            part = tile[:, : hi - lo]
            gram += part @ part.T
        return gram, sums

    parts = workers.map(task, len(chunks))
    gram = np.sum([part[0] for part in parts], axis=0)
    inner, square, length, total, beyond = np.sum([part[1][:5] for part in parts], axis=0).tolist()
    peak = float(max(part[1][5] for part in parts))
    spectral = np.sqrt(gram_bound(gram, p) ** 2 + (WIDTH + 2) * SINGLE * square) + SINGLE * np.sqrt(square)
    penalty = penalty_of(problem.sparse, total, beyond)
    sums = Sums(inner, square, length, peak, float(spectral), penalty)
    return certificate_of(problem, sums, entry_rounding(problem.matrix, (left, rows.T), peak))


def kept_share(sparse: Term) -> float:
    """Return κ, the share of the excess over θ that goes into Y."""
    return 1 / (1 + 2 * sparse.lambda2) if isinstance(sparse, ElasticNet) else 1.0


def penalty_of(sparse: Term, total: float, beyond: float) -> tuple[float, float] | None:
    """Return R(Y) and R*(−G) of an elastic net from Σ|e| and Σe², e being the excess over θ; None for a ball.

    y = κe, and ``|g| − λ1 = (1 − κ)|e| = 2λ2·κ|e|`` where e ≠ 0, so ``R*(−G) = Σ(|g| − λ1)²/(4λ2) = λ2·κ²·Σe²``.
    """
    if not isinstance(sparse, ElasticNet):
        return None
    squares = sparse.lambda2 * kept_share(sparse) ** 2 * beyond
    return sparse.lambda1 * kept_share(sparse) * total + squares, squares
