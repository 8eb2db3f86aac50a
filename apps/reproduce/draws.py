"""The planted matrices of both experiments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reproduce.experiments import Configuration, Plan

Matrix = NDArray[np.float64]

FIGURES, TABLE = 1, 2
"""Streams of random numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """M = L + S, and the norms of the planted parts: they are the radii of the sets, so that f* = 0.

    Attributes
    ----------
    low_rank, sparse
        L and S, ``(n, n)``; X* and Y* in the paper's table.
    nuclear_norm, sparse_norm
        ‖L‖_*, and ‖S‖₁ in the figures, ‖S‖_{1+δ} in the table.
    """

    low_rank: Matrix
    sparse: Matrix
    nuclear_norm: float
    sparse_norm: float

    @property
    def matrix(self) -> Matrix:
        """M."""
        return self.low_rank + self.sparse


def figure_draw(plan: Plan, number: int, configuration: Configuration, draw: int) -> Draw:
    """Return a draw of L = 10·U·Vᵀ and S = amplitude·N, both Gaussian, of which a share p of the entries is kept."""
    random = np.random.default_rng([plan.seed, FIGURES, number, draw])
    n, rank = plan.size, plan.rank(configuration)
    left, right = random.standard_normal((n, rank)), random.standard_normal((n, rank))
    sparse = plan.amplitude * random.standard_normal((n, n)) * (random.random((n, n)) < configuration.density)
    return Draw(10 * left @ right.T, sparse, 10 * _nuclear_norm(left, right), float(np.abs(sparse).sum()))


def table_draw(plan: Plan, delta: float, draw: int) -> Draw:
    """Return a draw of X* = U·Vᵀ with entries of variance 1/n, and Y* with entries ±1 with probability .05 each.

    The same matrices for every δ: only the norm of Y* differs.
    """
    random = np.random.default_rng([plan.seed, TABLE, draw])
    n, rank = plan.table_size, plan.table_rank
    left, right = random.standard_normal((2, n, rank)) / np.sqrt(n)
    uniform = random.random((n, n))
    sparse = (uniform < 0.05).astype(np.float64) - (uniform >= 0.95)
    count = float(np.abs(sparse).sum())
    return Draw(left @ right.T, sparse, _nuclear_norm(left, right), count ** (1 / (1 + delta)))


def _nuclear_norm(left: Matrix, right: Matrix) -> float:
    """Return ‖left·rightᵀ‖_* without forming the product."""
    core = np.linalg.qr(left).R @ np.linalg.qr(right).R.T
    return float(np.linalg.svd(core, compute_uv=False).sum())
