"""Principal component pursuit by the inexact augmented Lagrange multiplier method, as well as NumPy can do it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

GROWTH = 1.5
"""ρ: by how much μ grows in an iteration."""
FIRST = 1.25
"""μ of the first iteration, times ‖M‖₂."""
LARGEST = 1e7
"""μ grows to at most so many times the first."""


def pursuit_weight(shape: tuple[int, ...]) -> float:
    """Return λ = 1/√max(n, p)."""
    return 1 / math.sqrt(max(shape))


@dataclass(frozen=True, slots=True, eq=False)
class Iterate:
    """X and Y after an iteration, ½‖X + Y − M‖², and the rank of X; the next iteration overwrites the arrays."""

    low_rank: Matrix
    sparse: Matrix
    objective: float
    rank: int


def inexact_alm(matrix: Matrix, weight: float) -> Iterator[Iterate]:
    """Minimise ‖X‖_* + λ‖Y‖₁ subject to X + Y = M; yield every iterate, for ever.

    Algorithm 5 of Lin, Chen and Ma, *The Augmented Lagrange Multiplier Method for Exact Recovery of Corrupted Low-Rank
    Matrices* (arXiv:1009.5055)::

        X ← shrink the singular values of M − Y + Λ/μ by 1/μ
        Y ← shrink the entries of M − X + Λ/μ by λ/μ
        Λ ← Λ + μ(M − X − Y),  μ ← min(ρμ, μ_max)

    The singular values come from the small n × n Gram matrix, decomposed in float64; everything else is in float32,
    which is twice as fast as float64 and exact enough for the objectives that are asked for here. Of an iteration the
    two products take 4n²p operations, and the rest some ten passes, all in arrays that are allocated once.

    Parameters
    ----------
    matrix
        M, ``(n, p)`` with n ≤ p for the Gram matrix to be the small one, float32.
    weight
        λ.
    """
    spectral = math.sqrt(float(np.linalg.eigvalsh((matrix @ matrix.T).astype(np.float64))[-1]))
    multiplier = matrix / np.float32(max(spectral, float(np.abs(matrix).max()) / weight))
    mu, most = FIRST / spectral, LARGEST * FIRST / spectral
    low_rank, sparse, work = np.empty_like(matrix), np.zeros_like(matrix), np.empty_like(matrix)
    while True:
        np.multiply(multiplier, np.float32(1 / mu), out=work)
        work += matrix
        work -= sparse
        rank = shrink_values(work, 1 / mu, low_rank)
        # work + sparse − low_rank = M − X + Λ/μ.
        work += sparse
        work -= low_rank
        shrink(work, np.float32(weight / mu), sparse)
        # What the shrinking took off is Λ/μ of the next iteration, μ being the old one.
        np.subtract(work, sparse, out=work)
        work *= np.float32(mu)
        # The new Λ less the old one is μ(M − X − Y).
        np.subtract(work, multiplier, out=multiplier)
        flat = multiplier.reshape(-1)
        objective = 0.5 * float(flat @ flat) / mu**2
        multiplier, work = work, multiplier
        mu = min(GROWTH * mu, most)
        yield Iterate(low_rank, sparse, objective, rank)


def shrink_values(point: Matrix, threshold: float, out: Matrix) -> int:
    """Write the point with its singular values shrunk, and return its rank.

    That is V·diag(max(1 − threshold/σ, 0))·Vᵀ·P, with V and σ² the eigenvectors and eigenvalues of P·Pᵀ.
    """
    squares, vectors = np.linalg.eigh((point @ point.T).astype(np.float64))
    values = np.sqrt(np.maximum(squares, 0))
    kept = values > threshold
    basis = vectors[:, kept]
    small = (basis * (1 - threshold / values[kept])) @ basis.T
    np.matmul(small.astype(np.float32), point, out=out)
    return int(kept.sum())


def shrink(point: Matrix, threshold: np.float32, out: Matrix) -> None:
    """Write the point with its entries shrunk by *threshold*: P − clip(P, −threshold, threshold)."""
    np.clip(point, -threshold, threshold, out=out)
    np.subtract(point, out, out=out)
