"""Where a frame lies along the background's components, whatever stands in the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ROWS = 8_000
"""Rows looked at for a frame: enough for a handful of coefficients, and the same cost for any picture."""
STEPS = 8
"""Clipped least-squares steps."""


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Finds c of a frame m: min over c of Σ huber(m − offset − components·c) on a fixed set of rows.

    The Huber function of width *outlier* is what is left of ½r² + λ|y| once y has been minimised out, λ = outlier: the
    same problem as the fit's, with the components held. Solved by fixed-point steps c ← c + A⁺ clip(r, ±λ).

    Attributes
    ----------
    rows
        ``(m,)`` indices of the rows looked at.
    offset, basis
        ``(m,)`` and ``(m, k)`` float32: the model at those rows.
    inverse
        ``(k, m)`` float32 pseudo-inverse of *basis*.
    outlier
        Grey levels.
    """

    rows: NDArray[np.int64]
    offset: NDArray[np.float32]
    basis: NDArray[np.float32]
    inverse: NDArray[np.float32]
    outlier: float

    @classmethod
    def of(
        cls, offset: NDArray[np.float32], components: NDArray[np.float32], outlier: float, seed: int
    ) -> Coefficients:
        """Choose the rows (seeded, without replacement) and prepare the pseudo-inverse."""
        total = len(offset)
        rows = np.sort(np.random.default_rng(seed).choice(total, min(ROWS, total), replace=False))
        basis = np.ascontiguousarray(components[rows])
        inverse = np.linalg.pinv(basis.astype(np.float64)).astype(np.float32)
        return cls(rows, offset[rows], basis, np.ascontiguousarray(inverse), outlier)

    def __call__(self, frame: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return ``(k,)`` float32 coefficients of a frame's ``(rows,)`` uint8 vector."""
        rank = self.basis.shape[1]
        if rank == 0:
            return np.zeros(0, np.float32)
        residual = frame[self.rows] - self.offset
        # The plain least-squares start matters without a centre, where a clipped step could not climb from zero.
        found = self.inverse @ residual
        for _ in range(STEPS):
            found = found + self.inverse @ np.clip(residual - self.basis @ found, -self.outlier, self.outlier)
        return found.astype(np.float32)
