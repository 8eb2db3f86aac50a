"""Singular values and eigenvalues of dense matrices, and bounds on the extreme ones that hold despite rounding."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.sets.points import Real, finite, largest_modulus, real_array, real_matrix
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.spectra.lazy import LazyMatrix
from bgsub.solver.spectra.linalg import ROUNDING, one_eigenvalue, some_eigenpairs, spectral_norm_bound

Vector = NDArray[np.float64]


def spectral_norm(matrix: NDArray[Any]) -> float:
    """Return an upper bound on σ₁(matrix), tight up to rounding; 0 for an empty matrix, NaN if not finite.

    See :func:`.spectral_norm_bound`. Cost O(n p min(n, p)) in float64; memory for one block and the smaller Gram
    matrix.
    """
    matrix = real_matrix(matrix)
    if matrix.size == 0:
        return 0.0
    if not is_finite(matrix):
        return math.nan
    n, p = matrix.shape
    nothing = np.broadcast_to(np.zeros(()), (n, p))
    return spectral_norm_bound(LazyMatrix(matrix, nothing, 1.0, 0.0, np.zeros((n, 0)), np.zeros((p, 0))))


def nuclear_norm(point: LowRank | NDArray[Any]) -> float:
    """Return ‖point‖_* in float64, NaN if not finite; the offset of a :class:`LowRank` is excluded."""
    if isinstance(point, LowRank):
        return point.nuclear_norm() if is_finite(point) else math.nan
    matrix = real_matrix(point).astype(np.float64, copy=False)
    if not is_finite(matrix):
        return math.nan
    return float(np.linalg.svd(matrix, compute_uv=False).sum())


def map_singular_values(point: NDArray[Any], change: Any) -> Real:
    """Return ``U diag(change(σ)) Vᵀ`` from the SVD of *point*, in its dtype. A full SVD in float64.

    Raises
    ------
    InputError
        *point* is not a matrix of finite real numbers.
    """
    point = finite(real_matrix(point))
    u, values, vt = np.linalg.svd(point.astype(np.float64, copy=False), full_matrices=False)
    return np.asarray((u * change(values)) @ vt, dtype=point.dtype)


def map_factors(point: LowRank, change: Any, decomposition: str) -> LowRank:
    """Return the result of :func:`map_singular_values` in float64 factors, without forming the matrix.

    With the decomposition ``"eigen"`` instead of ``"singular"``, the eigenvalues of the symmetric part are changed. The
    offset is dropped. Cost O((n + p)k²).
    """
    left, right = point.left.astype(np.float64), point.right.astype(np.float64)
    if decomposition == "singular":
        found = LowRank(left, right).compress()
        values: Real = np.linalg.norm(found.left, axis=0)
        u, v = found.left / np.where(values > 0, values, 1.0), found.right
    else:
        basis = np.linalg.qr(np.concatenate([left, right], axis=1)).Q
        values, vectors = np.linalg.eigh(symmetric_part((basis.T @ left) @ (right.T @ basis)))
        values, u = values[::-1], basis @ vectors[:, ::-1]
        v = u
    changed = change(values)
    kept = changed != 0
    return LowRank((u * changed)[:, kept], v[:, kept])


def symmetric_part(matrix: NDArray[Any]) -> NDArray[np.float64]:
    """Return ``(A + Aᵀ)/2`` in float64.

    Raises
    ------
    InputError
        *matrix* is not square.
    """
    matrix = real_matrix(matrix, square=True).astype(np.float64, copy=False)
    return np.asarray((matrix + matrix.T) / 2)


def smallest_eigenvalue(symmetric: NDArray[np.float64]) -> float:
    """Return a lower bound on the smallest eigenvalue, tight up to rounding; 0 for an empty matrix.

    NaN if an entry is not finite.
    """
    size = len(symmetric)
    if size == 0:
        return 0.0
    if not is_finite(symmetric):
        return math.nan
    found = one_eigenvalue(symmetric, 0)
    return found - 16 * size * ROUNDING * float(np.linalg.norm(symmetric))


def smallest_eigenpair(symmetric: NDArray[np.float64]) -> tuple[float, Vector]:
    """Return the smallest eigenvalue and a unit eigenvector ``(n,)``."""
    values, vectors = some_eigenpairs(symmetric, 0, 0)
    return float(values[0]), vectors[:, 0]


def is_finite(point: Any) -> bool:
    """Return whether every entry of *point* (or of the factors of a :class:`LowRank`) is finite."""
    parts = (point.left, point.right) if isinstance(point, LowRank) else (real_array(point),)
    return all(math.isfinite(largest_modulus(part)) for part in parts)
