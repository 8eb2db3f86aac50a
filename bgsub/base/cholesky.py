"""Cholesky solver for small symmetric systems, inlined into compiled kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import inlined


@inlined
def solve_in_place(matrix: NDArray[np.float64], right: NDArray[np.float64]) -> bool:
    """Solve matrix·x = right by Cholesky, overwriting both (*right* with x); False if not positive definite."""
    size = right.size
    for k in range(size):
        pivot = matrix[k, k]
        floor = 1e-9 * pivot
        for m in range(k):
            pivot -= matrix[k, m] ** 2
        if not pivot > floor:
            return False
        matrix[k, k] = pivot**0.5
        for i in range(k + 1, size):
            value = matrix[i, k]
            for m in range(k):
                value -= matrix[i, m] * matrix[k, m]
            matrix[i, k] = value / matrix[k, k]
    for k in range(size):
        for m in range(k):
            right[k] -= matrix[k, m] * right[m]
        right[k] /= matrix[k, k]
    for k in range(size - 1, -1, -1):
        for m in range(k + 1, size):
            right[k] -= matrix[m, k] * right[m]
        right[k] /= matrix[k, k]
    return True
