"""Singular vectors and norms of matrices that are never formed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.spectra.atoms import SingularPair
from bgsub.solver.spectra.gram import gram
from bgsub.solver.spectra.lazy import LazyMatrix

LARGEST_GRAM = 1500
"""Up to this size of the smaller dimension the Gram matrix and its eigenvectors are computed in full."""

SINGLE_ACCURACY = 3e-8
"""Relative accuracy of singular values from a Gram matrix in float64: the square root of its rounding."""

ROUNDING = float(np.finfo(np.float64).eps)

Array = NDArray[np.float64]


def dense_leading_pair(matrix: NDArray[Any]) -> SingularPair:
    """Return the leading singular pair of an array by a full SVD; any unit vectors for a zero array."""
    u, values, vt = np.linalg.svd(np.asarray(matrix, dtype=np.float64), full_matrices=False)
    return SingularPair(float(values[0]), u[:, 0], vt[0])


def full_svd(matrix: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return ``(U, σ, V)``, all singular triples, σ decreasing, in the precision of *matrix* ``(n, p)``.

    In single precision through the smaller Gram matrix in float64, block by block: its singular values are right to
    3e-8·σ₁, which float32 cannot tell either, in a twentieth of the time where one side is much the longer. What lies
    below that accuracy comes out as zero. In double precision LAPACK's decomposition.
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
    """Return ``(U, σ)``, the left singular vectors ``(n, n)`` and values of a matrix ``(n, p)``, n ≤ p, in float64.

    From the Gram matrix, in a third of the time of a singular value decomposition: a value σ_i is right to
    ``ε·σ₁²/σ_i``, with ε the rounding of float64, and with it ``U f(Σ) Uᵀ·matrix`` for what f leaves.
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
    """Return the eigenvalues *first* to *last*, increasing and counted from 0, and their vectors in columns.

    LAPACK's driver for some of the eigenvalues fails on some matrices whose largest ones coincide, as those of a
    gradient do at an optimum: with an exception, or by finding fewer than were asked for without a word. Then all of
    them are computed. Cost O(n³).
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
    """Return the eigenvalue number *index*, counted from 0 in increasing order; only the upper triangle is read.

    See :func:`some_eigenpairs` for the way around LAPACK's driver.
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
    """Return an upper bound on σ₁ that is tight but for rounding.

    The largest eigenvalue of the Gram matrix, both in float64, plus everything rounding can have taken from it. Beyond
    a smaller dimension of 1,500: ARPACK's value plus its residual, a bound if ARPACK found the leading pair and not
    another one, but never more than the Frobenius norm.
    """
    if min(matrix.shape) > LARGEST_GRAM:
        return _arpack_bound(matrix)
    return gram_bound(matrix.gram(), max(matrix.shape))


def gram_bound(gram: Array, terms: int) -> float:
    """Return an upper bound on the square root of the largest eigenvalue, given a Gram matrix in float64.

    *terms* is the number of products that make up an entry. Only the upper triangle is read.
    """
    largest = one_eigenvalue(gram, len(gram) - 1)
    # The rounding of the sums, and the eigenvalue solver's backward error.
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
    # A fixed start makes the result the same in every run.
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
