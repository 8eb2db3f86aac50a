"""A full-size matrix that is never formed: weighted data + weighted sparse part + a low-rank product.

Everything needed beyond the compiled passes (the certificate, tests) is computed here in float64, block by
block, with memory for one block only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK_ENTRIES = 1 << 19
"""Entries per block: 4 MiB of float64."""

Array = NDArray[np.float64]
Block = tuple[slice, slice, Array]


@dataclass(frozen=True, slots=True, eq=False)
class LazyMatrix:
    """``A = a·M + b·Y + left·rightᵀ``, ``(n, p)``, in float64.

    Attributes
    ----------
    matrix, sparse
        M and Y, ``(n, p)``, any real dtype.
    matrix_weight, sparse_weight
        a and b.
    left, right
        ``(n, k)`` and ``(p, k)``.
    """

    matrix: NDArray[Any]
    sparse: NDArray[Any]
    matrix_weight: float
    sparse_weight: float
    left: NDArray[Any]
    right: NDArray[Any]

    @property
    def shape(self) -> tuple[int, int]:
        """Shape ``(n, p)``."""
        n, p = self.matrix.shape
        return int(n), int(p)

    @property
    def is_wide(self) -> bool:
        """True if n ≤ p; blocks then hold whole columns, otherwise whole rows."""
        return self.shape[0] <= self.shape[1]

    def tile(self, rows: slice, columns: slice) -> Array:
        """Return the block ``A[rows, columns]``; the slices have a start, a stop and no step."""
        out = self.left[rows].astype(np.float64) @ self.right[columns].T.astype(np.float64)
        out += self.matrix_weight * self.matrix[rows, columns].astype(np.float64)
        out += self.sparse_weight * self.sparse[rows, columns].astype(np.float64)
        return out

    def blocks(self) -> Iterator[Block]:
        """Yield ``(rows, columns, block)`` over the whole matrix, always in the same order."""
        n, p = self.shape
        short, long = min(n, p), max(n, p)
        step = max(1, BLOCK_ENTRIES // short)
        for start in range(0, long, step):
            part, whole = slice(start, min(start + step, long)), slice(0, short)
            rows, columns = (whole, part) if self.is_wide else (part, whole)
            yield rows, columns, self.tile(rows, columns)

    def matvec(self, v: NDArray[Any]) -> Array:
        """Return ``A v`` for ``v (p,)`` or ``(p, k)``."""
        out = np.zeros((self.shape[0], *v.shape[1:]))
        for rows, columns, block in self.blocks():
            out[rows] += block @ v[columns]
        return out

    def rmatvec(self, u: NDArray[Any]) -> Array:
        """Return ``Aᵀ u`` for ``u (n,)`` or ``(n, k)``."""
        out = np.zeros((self.shape[1], *u.shape[1:]))
        for rows, columns, block in self.blocks():
            out[columns] += block.T @ u[rows]
        return out

    def gram(self) -> Array:
        """Return the smaller Gram matrix: ``A Aᵀ`` of a wide matrix, ``Aᵀ A`` of a tall one. Cost O(n p min(n, p))."""
        size = min(self.shape)
        out = np.zeros((size, size))
        for _, _, block in self.blocks():
            out += block @ block.T if self.is_wide else block.T @ block
        return out

    def square_norm(self) -> float:
        """Return ‖A‖²_F."""
        return sum(float(np.vdot(block, block)) for _, _, block in self.blocks())

    def dense(self) -> Array:
        """Return A as a dense array, for tests and small matrices."""
        n, p = self.shape
        return self.tile(slice(0, n), slice(0, p))
