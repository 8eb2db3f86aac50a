"""Gram matrices in float64, and QR decompositions of tall matrices from them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.spectra.lazy import BLOCK_ENTRIES

WELL_CONDITIONED = 10
"""A Gram matrix of unit columns needs no second pass if σ₁/σ_k is at most this."""

DEPENDENT = 1e-6
"""Singular values of a single-precision matrix of unit columns below this share of the largest count as zero."""

Array = NDArray[np.float64]


def gram(wide: NDArray[Any]) -> Array:
    """Return ``wide·wideᵀ`` ``(n, n)`` of a matrix ``(n, p)`` in float64, in blocks of BLOCK_ENTRIES."""
    size, columns = wide.shape
    out, step = np.zeros((size, size)), max(1, BLOCK_ENTRIES // max(size, 1))
    for start in range(0, columns, step):
        block = wide[:, start : start + step].astype(np.float64)
        out += block @ block.T
    return out


def triangle(factor: NDArray[Any]) -> Array:
    """Return R, ``(min(n, k), k)``, with ``RᵀR = factorᵀ·factor`` for a factor ``(n, k)``.

    From the QR decomposition, unless the factor is tall and in single precision. Then R is a square root of the
    float64 Gram matrix, in a tenth of the time: the singular values of the factor with its columns scaled to
    unit length are accurate to 3e-8 of the largest, as its entries are.
    """
    if not _is_tall(factor):
        return np.asarray(np.linalg.qr(factor.astype(np.float64)).R)
    values, vectors, lengths = _roots(gram(factor.T))
    return values[:, None] * vectors.T * lengths


def orthonormal(factor: NDArray[Any]) -> tuple[NDArray[Any], Array]:
    """Return ``(Q, R)`` with ``QᵀQ = I`` and ``factor = Q·R``, Q ``(n, r)`` in the precision of *factor*, r ≤ k.

    Where :func:`triangle` uses the Gram matrix, this uses it twice, as CholeskyQR2 does (Fukaya, Nakatsukasa,
    Yanagisawa and Yamamoto, 2014, with eigenvectors in place of the Cholesky factor), or once if the first is
    WELL_CONDITIONED: Q is orthonormal to a few float32 roundings. Directions below DEPENDENT are dropped.
    """
    if not _is_tall(factor):
        q, r = np.linalg.qr(factor)
        return q, r.astype(np.float64)
    q, r, spread = _scaled(factor)
    if spread <= WELL_CONDITIONED:
        return q, r
    once_more, turn, _ = _scaled(q)
    return once_more, turn @ r


def _scaled(factor: NDArray[Any]) -> tuple[NDArray[Any], Array, float]:
    values, vectors, lengths = _roots(gram(factor.T))
    kept = values > DEPENDENT * values[-1:]
    values, vectors = values[kept], vectors[:, kept]
    inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    q = factor @ (inverse[:, None] * vectors / values).astype(factor.dtype)
    spread = float(values[-1] / values[0]) if len(values) else 1.0
    return q, values[:, None] * vectors.T * lengths, spread


def _roots(square: Array) -> tuple[Array, Array, Array]:
    """Return (σ, W, d) with ``square = D W Σ² Wᵀ D``, σ increasing, D = diag(d) the root of the diagonal."""
    lengths = np.sqrt(np.diagonal(square))
    scale = np.where(lengths > 0, lengths, 1)
    weights, vectors = np.linalg.eigh(square / np.outer(scale, scale))
    return np.sqrt(np.maximum(weights, 0)), vectors, lengths


def _is_tall(factor: NDArray[Any]) -> bool:
    return factor.dtype == np.float32 and len(factor) > 2 * factor.shape[1]
