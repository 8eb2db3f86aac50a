"""Singular vectors, eigenpairs and norm bounds of dense and lazy matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.spectra.atoms import SingularPair
from bgsub.solver.spectra.gram import gram
from bgsub.solver.spectra.lazy import LazyMatrix

LARGEST_GRAM = 1500
"""Largest smaller dimension for which the Gram matrix and its eigenvectors are computed in full."""

SINGLE_ACCURACY = 3e-8
"""Relative accuracy of singular values from a float64 Gram matrix: the square root of its rounding error."""

ROUNDING = float(np.finfo(np.float64).eps)

Array = NDArray[np.float64]


def dense_leading_pair(matrix: NDArray[Any]) -> SingularPair:
    """Return the leading singular pair of an array by full SVD; any unit vectors for a zero array."""
    u, values, vt = np.linalg.svd(np.asarray(matrix, dtype=np.float64), full_matrices=False)
    return SingularPair(float(values[0]), u[:, 0], vt[0])


def full_svd(matrix: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return ``(U, σ, V)``, all singular triples, σ decreasing, in the precision of *matrix* ``(n, p)``.

    In single precision via the smaller Gram matrix in float64, blockwise: singular values are accurate to
    3e-8·σ₁, which float32 cannot resolve either, in a twentieth of the time for tall or wide matrices. Values
    below that accuracy are set to zero. In double precision via LAPACK's SVD.
    """
    if matrix.dtype != np.float32:
        u, values, vt = np.linalg.svd(matrix, full_matrices=False)
        return u, values, vt.T
    if matrix.shape[0] > matrix.shape[1]:
        v, values, u = full_svd(matrix.T)
        return u, values, v
    vectors, values = gram_vectors(matrix)
    values[values <= SINGLE_ACCURACY * values[0]] = 0
    u = vectors.astype(np.float32)
    v = matrix.T @ (u * np.divide(1, values, out=np.zeros_like(values), where=values > 0).astype(np.float32))
    return u, values.astype(np.float32), v


def gram_vectors(wide: NDArray[Any]) -> tuple[Array, Array]:
    """Return ``(U, σ)``, left singular vectors ``(n, n)`` and values of a matrix ``(n, p)``, n ≤ p, in float64.

    Via the Gram matrix, in a third of the time of an SVD: σ_i is accurate to ``ε·σ₁²/σ_i``, with ε the rounding
    of float64, and so is ``U f(Σ) Uᵀ·matrix`` for the values that f keeps.
    """
    weights, vectors = np.linalg.eigh(gram(wide))
    return vectors[:, ::-1], np.sqrt(np.maximum(weights[::-1], 0))


def leading_eigenpairs(matrix: NDArray[Any], count: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the *count* algebraically largest eigenvalues of the symmetric part, decreasing, and their vectors.

    *matrix* is square; values ``(count,)``, vectors ``(n, count)``, in its precision. Cost O(n³).
    """
    size = len(matrix)
    values, vectors = some_eigenpairs((matrix + matrix.T) / 2, size - min(count, size), size - 1)
    return values[::-1], vectors[:, ::-1]


def some_eigenpairs(symmetric: NDArray[Any], first: int, last: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return eigenvalues *first* to *last*, increasing and counted from 0, and their vectors as columns.

    LAPACK's subset driver fails on some matrices whose largest eigenvalues coincide, as those of a gradient do
    at an optimum: it raises, or silently finds fewer than requested. Then all of them are computed. Cost O(n³).
    """
    from scipy.linalg import LinAlgError, eigh

    try:
        values, vectors = eigh(symmetric, subset_by_index=(first, last))
        if len(values) == last - first + 1:
            return np.asarray(values), np.asarray(vectors)
    except LinAlgError:
        pass
    values, vectors = np.linalg.eigh(symmetric)
    return np.asarray(values[first : last + 1]), np.asarray(vectors[:, first : last + 1])


def one_eigenvalue(symmetric: NDArray[Any], index: int) -> float:
    """Return eigenvalue *index*, counted from 0 in increasing order; only the upper triangle is read.

    See :func:`some_eigenpairs` for the workaround for LAPACK's driver.
    """
    from scipy.linalg import LinAlgError, eigvalsh

    try:
        values = eigvalsh(symmetric, lower=False, subset_by_index=(index, index))
        if len(values) == 1:
            return float(values[0])
    except LinAlgError:
        pass
    return float(np.linalg.eigvalsh(symmetric, UPLO="U")[index])


def spectral_norm_bound(matrix: LazyMatrix) -> float:
    """Return an upper bound on σ₁ that is tight up to rounding.

    From the largest eigenvalue of the Gram matrix, both in float64, plus everything rounding can have removed.
    If the smaller dimension exceeds 1,500: ARPACK's value plus its residual, a bound provided that ARPACK found
    the leading pair and not another, and at most the Frobenius norm.
    """
    if min(matrix.shape) > LARGEST_GRAM:
        return _arpack_bound(matrix)
    return gram_bound(matrix.gram(), max(matrix.shape))


def gram_bound(gram: Array, terms: int) -> float:
    """Return an upper bound on the square root of the largest eigenvalue, given a Gram matrix in float64.

    *terms* is the number of products summed in each entry. Only the upper triangle is read.
    """
    largest = one_eigenvalue(gram, len(gram) - 1)
    # Rounding of the sums, and the eigensolver's backward error.
    operations = terms + 16 * gram.shape[0]
    return float(np.sqrt(max(largest, 0.0) + operations * ROUNDING * float(np.trace(gram))))


def _arpack(matrix: LazyMatrix) -> SingularPair:
    from scipy.sparse.linalg import LinearOperator, svds

    operator = LinearOperator(
        matrix.shape,
        dtype=np.float64,
        matvec=lambda v: matrix.matvec(np.ravel(v)),
        rmatvec=lambda u: matrix.rmatvec(np.ravel(u)),
    )
    # Fixed starting vector, for reproducible results.
    start = np.random.default_rng(0).standard_normal(min(matrix.shape))
    u, values, vt = svds(operator, k=1, v0=start)
    return SingularPair(float(values[0]), u[:, 0], vt[0])


def _arpack_bound(matrix: LazyMatrix) -> float:
    frobenius = float(np.sqrt(matrix.square_norm()))
    if frobenius == 0:
        return 0.0
    pair = _arpack(matrix)
    residual = matrix.rmatvec(pair.left) - pair.value * pair.right
    margin = max(matrix.shape) * ROUNDING * frobenius
    return min(pair.value + float(np.linalg.norm(residual)), frobenius) + margin
