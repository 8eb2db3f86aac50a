"""Leading singular directions of matrices that change slowly: block power steps from the directions found last time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.spectra.linalg import full_svd

EXTRA = 5
"""Directions followed beyond those asked for: they carry the test of the rank, and speed up the others."""

MOST_STEPS = 30
"""Block power steps of one call at most."""

SMALLEST_FULL = 128
"""Up to this size of the smaller dimension a full decomposition is as fast, and exact."""


Product = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
"""A matrix product, for large matrices on several threads."""


@dataclass(frozen=True, slots=True)
class Leading:
    """Leading singular triples: ``left (n, k)``, ``values (k,)`` decreasing, ``right (p, k)``."""

    left: NDArray[Any]
    values: NDArray[Any]
    right: NDArray[Any]


class Subspace:
    """A block of right singular directions, kept from one matrix to the next.

    With V the directions of the last call one step is ``U = orth(A V)``, ``B = AᵀU``, followed by the decomposition of
    the small factor of B: two products with A, and the best triples that the span of U holds (Halko, Martinsson and
    Tropp, doi:10.1137/090771806, sections 4.5 and 5.1). The values increase from step to step towards the singular
    values of A, and a step tells how much it has gained, so that a warm start usually needs one.
    """

    def __init__(self, product: Product = np.matmul) -> None:
        self._product = product
        self._right: NDArray[Any] | None = None

    def leading(self, matrix: NDArray[Any], count: int, gain: float, most_steps: int = MOST_STEPS) -> Leading:
        """Return at least *count* leading triples of *matrix* ``(n, p)``, in its precision.

        Steps are taken until one raises the sum of the *count* leading values by less than the share *gain*. All
        directions that are followed are returned; those beyond *count* are less accurate.
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
        """Return ``(p, count)`` orthonormal: the directions kept, the last replaced or filled up by random ones.

        A fresh random direction in every call finds a leading direction orthogonal to all that came before.
        """
        kept = np.zeros((matrix.shape[1], 0)) if self._right is None else self._right[:, : count - 1]
        kept = kept.astype(matrix.dtype)
        shape = (matrix.shape[1], count - kept.shape[1])
        random = np.random.default_rng(count).standard_normal(shape).astype(matrix.dtype)
        # What is kept is orthonormal already; twice, for what rounding leaves of it the first time.
        for _ in range(2):
            random = np.linalg.qr(random - kept @ (kept.T @ random)).Q
        return np.concatenate([kept, random], axis=1)

    def _power_step(self, matrix: NDArray[Any], right: NDArray[Any], count: int) -> tuple[Leading, float]:
        """Return the triples after one step, and the relative gain of the sum of the leading *count* values."""
        first = np.linalg.qr(self._product(matrix, right))
        before = float(np.linalg.svd(first.R, compute_uv=False)[:count].sum())
        second = np.linalg.qr(self._product(matrix.T, first.Q))
        w, values, zt = np.linalg.svd(second.R.T)
        after = float(values[:count].sum())
        found = Leading(first.Q @ w, values, second.Q @ zt.T)
        return found, after / before - 1 if before > 0 else 0.0
