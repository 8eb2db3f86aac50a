"""Robust regression of rows on given components.

For components V ``(k, p)`` and a row m, the coefficients c minimise ::

    Σ_j φ(m_j − (c V)_j) + ½ Σ_i ρ_i c_i²

where φ is what remains of g once Y is optimal, and ``ρ_i = μ_i/σ_i`` is the nuclear norm's pull on component i, since
``‖X‖_* = min ½(‖C‖² + ‖V‖²)`` over ``X = C V`` splits into rows. At an optimal X the rows of its own factor solve this,
so training data get the coefficients they have in the fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.estimator.fit import Fit
from bgsub.solver.estimator.influence import Influence, influence_of

BATCH_ENTRIES = 1 << 21
"""Maximum number of entries of a temporary array: rows × components × columns."""

MOST_ITERATIONS = 1000

CLOSE = 1e-10
"""A row has converged when no coefficient changes by more than this, relative to its largest."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RowModel:
    """Model of a row, from a fit: ``offset (p,)``, ``components (k, p)``, the pull ``ρ (k,)``, and the influence."""

    offset: Matrix
    components: Matrix
    pull: Matrix
    influence: Influence

    def coefficients(self, rows: NDArray[Any]) -> Matrix:
        """Return the coefficients ``(m, k)`` of rows ``(m, p)`` with NaN where missing."""
        beyond = rows.astype(np.float64) - self.offset
        return robust_coefficients(beyond, self.components, self.pull, self.influence)


def row_model(fit: Fit, codes: NDArray[Any], components: NDArray[Any]) -> RowModel:
    """Return the row model of a solution ``X′ = codes·components``.

    ``μ_i = −u_iᵀ ∇g v_i`` for the singular vectors: the same for all i at an optimum of the nuclear-norm ball.
    """
    data, result = fit.data, fit.result
    codes, components = codes.astype(np.float64), components.astype(np.float64)
    matrix, low_rank = data.matrix.astype(np.float64), result.low_rank.dense().astype(np.float64)
    gradient = data.loss.gradient(matrix, low_rank + result.sparse)
    residual = matrix - low_rank
    if data.observed is not None:
        residual[~data.observed] = 0.0
    along = np.einsum("ik,ik->k", codes, -gradient @ components.T)
    squares = np.square(codes).sum(axis=0)
    influence = influence_of(fit.problem.sparse, gradient, residual, result.sparse)
    return RowModel(
        fit.problem.offset.astype(np.float64), components, np.maximum(along, 0.0) / squares, influence
    )


def robust_coefficients(rows: Matrix, components: Matrix, pull: Matrix, influence: Influence) -> Matrix:
    """Return the coefficients ``(m, k)``, by iteratively reweighted least squares, starting from plain least squares.

    Parameters
    ----------
    rows
        ``(m, p)``, NaN where missing; offset subtracted.
    components
        V, ``(k, p)``.
    pull
        ρ ≥ 0, ``(k,)``.
    influence
        Weight of an entry, given its residual.

    Notes
    -----
    Every iteration decreases the objective, which is convex in c for a convex sparse term. Rows are independent of each
    other. Cost per iteration and row O(p k²).
    """
    out = np.zeros((len(rows), len(components)))
    if not out.size:
        return out
    for part in _batches(rows.shape, len(components)):
        out[part] = _batch(rows[part], components, pull, influence)
    return out


def _batches(shape: tuple[int, ...], components: int) -> Iterator[slice]:
    step = max(1, BATCH_ENTRIES // (shape[1] * components))
    return (slice(start, start + step) for start in range(0, shape[0], step))


def _batch(rows: Matrix, components: Matrix, pull: Matrix, influence: Influence) -> Matrix:
    seen = ~np.isnan(rows)
    filled = np.where(seen, rows, 0.0)
    out = _weighted(filled, seen.astype(np.float64), components, pull)
    active = np.arange(len(rows))
    for _ in range(MOST_ITERATIONS):
        residual = (filled[active] - out[active] @ components) * seen[active]
        weights = influence.weights(residual) * seen[active]
        found = _weighted(filled[active], weights, components, pull)
        moves = np.abs(found - out[active]).max(axis=1) > CLOSE * np.abs(found).max(axis=1)
        out[active] = found
        active = active[moves]
        if not active.size:
            break
    return out


def _weighted(rows: Matrix, weights: Matrix, components: Matrix, pull: Matrix) -> Matrix:
    """Return the weighted least-squares coefficients of every row, each with its own weights."""
    scaled = weights[:, None, :] * components
    gram = scaled @ components.T
    diagonal = np.arange(len(components))
    # A row with no (or too few) observations is determined by the pull alone; without a pull, it is zero.
    gram[:, diagonal, diagonal] += pull + np.finfo(np.float64).eps * (
        weights.max(axis=1, keepdims=True) + 1e-300
    )
    right = scaled @ rows[:, :, None]
    return np.asarray(np.linalg.solve(gram, right)[:, :, 0])
