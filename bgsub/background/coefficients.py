"""Where a frame lies along the background's components, whatever stands in the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgsub.base.cholesky import solve_in_place
from bgsub.base.jit import compiled, inlined

ROWS = 8_000
"""Rows looked at for a frame: enough for a handful of coefficients, and the same cost for any picture."""
STEPS = 30
"""Most reweighted least-squares steps; three to eight are usual."""
ACCURACY = 0.01
"""Grey levels (root mean square over the rows) that the last step may move the background by."""


@dataclass(frozen=True, slots=True, eq=False)
class Coefficients:
    """Finds c of a frame m: min over c of Σ huber(m − offset − components·c) on a fixed set of rows.

    The Huber function of width *outlier* is what is left of ½r² + λ|y| once y has been minimised out, λ = outlier: the
    same problem as the fit's, with the components held. Solved by iteratively reweighted least squares: a step Δ of
    (AᵀWA) Δ = AᵀW r, W = min(1, λ/|r|), never increases the sum, however far off the start. (Steps of A⁺ clip(r, ±λ)
    move by λ at most, too little to come back from the start when a bright object fills a third of the picture.)

    Attributes
    ----------
    rows
        ``(m,)`` indices of the rows looked at.
    offset
        ``(m,)`` float32: the model at those rows.
    basis
        ``(k′, m)`` float32: orthonormal rows that span the components there, k′ ≤ rank.
    back
        ``(rank, k′)`` float32: c = back·d for coefficients d along *basis*.
    outlier
        Grey levels.
    """

    rows: NDArray[np.int64]
    offset: NDArray[np.float32]
    basis: NDArray[np.float32]
    back: NDArray[np.float32]
    outlier: float

    @classmethod
    def of(
        cls,
        offset: NDArray[np.float32],
        components: NDArray[np.float32],
        outlier: float,
        seed: int,
        inside: NDArray[np.bool_] | None = None,
    ) -> Coefficients:
        """Choose the rows (seeded, without replacement, *inside* only) and orthogonalise the components on them."""
        total = len(offset) if inside is None else int(np.count_nonzero(inside))
        rows = np.sort(np.random.default_rng(seed).choice(total, min(ROWS, total), replace=False))
        if inside is not None:
            rows = np.flatnonzero(inside)[rows]
        u, values, vt = np.linalg.svd(components[rows].astype(np.float64), full_matrices=False)
        # Below single precision a direction is rounding: following it would blow noise up.
        seen = values > 1e-6 * values.max(initial=0)
        basis = np.ascontiguousarray(u[:, seen].T, np.float32)
        return cls(rows, offset[rows], basis, (vt[seen].T / values[seen]).astype(np.float32), outlier)

    def __call__(self, frame: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return ``(rank,)`` float32 coefficients of a frame's ``(rows,)`` uint8 vector; zero along unseen ones."""
        rank, count = self.basis.shape
        if rank == 0:
            return np.zeros(len(self.back), np.float32)
        found = np.zeros(rank)
        # Allocated here: that costs little, and much to compile.
        residual, weighted = np.empty((2, count), np.float32), np.empty_like(self.basis)
        scratch = (residual, weighted, np.empty((rank, rank)), np.empty(rank))
        _reweighted(frame, self.rows, self.offset, self.basis, np.float32(self.outlier), found, scratch)
        return np.asarray(self.back @ found, np.float32)


@compiled
def _reweighted(
    frame: NDArray[np.uint8],
    rows: NDArray[np.int64],
    offset: NDArray[np.float32],
    basis: NDArray[np.float32],
    limit: np.float32,
    found: NDArray[np.float64],
    scratch: tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float64], NDArray[np.float64]],
) -> None:
    """Add to *found* until it is the minimiser."""
    rank, count = basis.shape
    residual, weighted, matrix, right = scratch
    for i in range(count):
        residual[0, i] = np.float32(frame[rows[i]]) - offset[i]
    # Without any limit the first step is plain least squares, which also climbs from zero to an uncentred scene.
    outlier = np.float32(np.inf)
    for _ in range(STEPS):
        _normal_equations(residual, basis, found, outlier, weighted, matrix, right)
        if not solve_in_place(matrix, right):
            break
        length = 0.0
        for k in range(rank):
            found[k] += right[k]
            length += right[k] * right[k]
        if outlier < np.inf and length < ACCURACY * ACCURACY * count:
            break
        outlier = limit


@inlined
def _normal_equations(
    residual: NDArray[np.float32],
    basis: NDArray[np.float32],
    found: NDArray[np.float64],
    outlier: np.float32,
    weighted: NDArray[np.float32],
    matrix: NDArray[np.float64],
    right: NDArray[np.float64],
) -> None:
    """Fill AᵀWA and AᵀWr, r being what *found* leaves of the residual: row 1 of *residual*, of row 0."""
    whole, left = residual[0], residual[1]
    for i in range(len(left)):
        left[i] = whole[i]
    for k in range(len(found)):
        factor = np.float32(found[k])
        for i in range(len(left)):
            left[i] -= factor * basis[k, i]
    for k in range(len(found)):
        for i in range(len(left)):
            weighted[k, i] = basis[k, i] * min(np.float32(1), outlier / max(abs(left[i]), np.float32(1e-3)))
    for k in range(len(found)):
        right[k] = _inner(weighted[k], left)
        for other in range(k + 1):
            matrix[k, other] = matrix[other, k] = _inner(weighted[k], basis[other])


@inlined
def _inner(first: NDArray[np.float32], second: NDArray[np.float32]) -> np.float32:
    total = np.float32(0)
    for i in range(len(first)):
        total += first[i] * second[i]
    return total
