"""Leading singular directions of slowly changing matrices: block power steps, warm-started from the last ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.spectra.linalg import full_svd

EXTRA = 5
"""Oversampling: extra directions that serve the rank test and speed up convergence of the others."""

MOST_STEPS = 30
"""Maximum number of block power steps per call."""

SMALLEST_FULL = 128
"""Up to this size of the smaller dimension a full decomposition is as fast, and exact."""


Product = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
"""A matrix product, multithreaded for large matrices."""


@dataclass(frozen=True, slots=True)
class Leading:
    """Leading singular triples: ``left (n, k)``, ``values (k,)`` decreasing, ``right (p, k)``."""

    left: NDArray[Any]
    values: NDArray[Any]
    right: NDArray[Any]


class Subspace:
    """A block of right singular directions, kept from one matrix to the next.

    With V the directions of the last call, one step is ``U = orth(A V)``, ``B = AᵀU``, followed by the SVD of
    the small factor of B: two products with A, and the best triples in the span of U (Halko, Martinsson and
    Tropp, doi:10.1137/090771806, sections 4.5 and 5.1). The values increase from step to step towards the
    singular values of A, and each step reports its gain, so a warm start usually needs only one.
    """

    def __init__(self, product: Product = np.matmul) -> None:
        self._product = product
        self._right: NDArray[Any] | None = None

    def leading(self, matrix: NDArray[Any], count: int, gain: float, most_steps: int = MOST_STEPS) -> Leading:
        """Return at least *count* leading triples of *matrix* ``(n, p)``, in its precision.

        Steps are taken until one raises the sum of the *count* leading values by at most the fraction *gain*.
        All directions tracked are returned; those beyond *count* are less accurate.
        """
        smaller = min(matrix.shape)
        if smaller <= SMALLEST_FULL or 2 * (count + EXTRA) >= smaller:
            u, values, v = full_svd(matrix)
            self._right = v[:, : count + EXTRA]
            return Leading(u, values, v)
        right = self._basis(matrix, count + EXTRA)
        for _ in range(most_steps):
            found, gained = self._power_step(matrix, right, count)
            right = found.right
            if gained <= gain:
                break
        self._right = right
        return found

    def _basis(self, matrix: NDArray[Any], count: int) -> NDArray[Any]:
        """Return an orthonormal basis ``(p, count)``: the directions kept, completed by at least one random vector.

        The random vector finds a leading direction orthogonal to all previous ones.
        """
        kept = np.zeros((matrix.shape[1], 0)) if self._right is None else self._right[:, : count - 1]
        kept = kept.astype(matrix.dtype)
        shape = (matrix.shape[1], count - kept.shape[1])
        random = np.random.default_rng(count).standard_normal(shape).astype(matrix.dtype)
        # The kept part is orthonormal already; orthogonalise twice, against rounding.
        for _ in range(2):
            random = np.linalg.qr(random - kept @ (kept.T @ random)).Q
        return np.concatenate([kept, random], axis=1)

    def _power_step(self, matrix: NDArray[Any], right: NDArray[Any], count: int) -> tuple[Leading, float]:
        """Return the triples after one step, and the relative gain in the sum of the *count* leading values."""
        first = np.linalg.qr(self._product(matrix, right))
        before = float(np.linalg.svd(first.R, compute_uv=False)[:count].sum())
        second = np.linalg.qr(self._product(matrix.T, first.Q))
        w, values, zt = np.linalg.svd(second.R.T)
        after = float(values[:count].sum())
        found = Leading(first.Q @ w, values, second.Q @ zt.T)
        return found, after / before - 1 if before > 0 else 0.0
