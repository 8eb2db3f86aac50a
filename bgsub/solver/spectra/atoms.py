"""Building blocks of the steps: factored low-rank matrices, single entries, singular pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError
from bgsub.solver.checks import matrix_shape
from bgsub.solver.spectra.gram import orthonormal, triangle

Real = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class SingularPair:
    """An (approximate) leading singular triple: ``value ≥ 0``, unit vectors ``left (n,)`` and ``right (p,)``."""

    value: float
    left: Real
    right: Real


@dataclass(frozen=True, slots=True)
class Entry:
    """A matrix with at most one nonzero entry."""

    row: int
    column: int
    value: float

    def dense(self, shape: tuple[int, int]) -> NDArray[np.float64]:
        """Return the matrix as a dense array."""
        out = np.zeros(shape)
        out[self.row, self.column] = self.value
        return out


@dataclass(frozen=True, slots=True, eq=False)
class LowRank:
    """``X = 1·offsetᵀ + left·rightᵀ``, never formed.

    Attributes
    ----------
    left
        ``(n, k)``.
    right
        ``(p, k)``.
    offset
        ``(p,)``, shared by all n rows, or None for zero. Norms and singular values exclude it.

    Raises
    ------
    InputError
        The factors are not two matrices with the same number of columns, or the offset has a length other than p.
    """

    left: Real
    right: Real
    offset: Real | None = None

    def __post_init__(self) -> None:
        # Shapes only, as a step creates several of these; values are checked where they are used.
        left, right = _shape(self.left), _shape(self.right)
        if not (len(left) == len(right) == 2 and left[1] == right[1]):
            raise InputError(
                f"left and right of LowRank must be arrays of shapes (n, k) and (p, k), but have {left} and {right}"
            )
        if self.offset is not None and _shape(self.offset) != right[:1]:
            raise InputError(f"offset of LowRank must be an array of shape {right[:1]}, one value per column")

    @classmethod
    def zeros(cls, shape: tuple[int, int], offset: Real | None = None, dtype: Any = np.float64) -> LowRank:
        """Return the matrix of *shape* whose low-rank part is zero."""
        n, p = matrix_shape(shape, "shape of LowRank.zeros")
        return cls(np.zeros((n, 0), dtype), np.zeros((p, 0), dtype), offset)

    @property
    def shape(self) -> tuple[int, int]:
        """Shape ``(n, p)`` of X."""
        return self.left.shape[0], self.right.shape[0]

    @property
    def columns(self) -> int:
        """Number k of columns of the factors: an upper bound on the rank without the offset."""
        return int(self.left.shape[1])

    def inner(self, other: LowRank) -> float:
        """Return ⟨X, other⟩, excluding the offsets. Cost O((n + p)·k·k')."""
        left, right = self.left.T @ other.left, self.right.T @ other.right
        return float(np.vdot(left, right))

    def mix(self, step: float, end: LowRank) -> LowRank:
        """Return ``(1 − step)·X′ + step·end``, X′ being the part without the offset; the offset stays.

        The factors are concatenated: their numbers of columns add up (only *end*'s at step 1).
        """
        if step == 0:
            return self
        dtype = self.left.dtype
        left = [(1 - step) * self.left, step * end.left] if step != 1 else [end.left]
        right = [self.right, end.right] if step != 1 else [end.right]
        return LowRank(
            np.concatenate(left, axis=1).astype(dtype),
            np.concatenate(right, axis=1).astype(dtype),
            self.offset,
        )

    def compress(self) -> LowRank:
        """Return the same matrix with ``left`` orthogonal, ``right`` orthonormal, and no zero singular value.

        At most ``min(n, p)`` columns remain, in decreasing order of the singular values, which are the column norms
        of ``left``; its columns are orthogonal up to rounding relative to the longest. Cost O((n + p) k²).
        """
        if self.columns == 0:
            return self
        basis, right = orthonormal(self.right)
        _, values, vt = np.linalg.svd(triangle(self.left) @ right.T)
        dtype = self.left.dtype
        cutoff = 8 * float(np.finfo(dtype).eps) * values[:1]
        vt = vt[: np.count_nonzero(values > cutoff)]
        # X V, V being the right singular vectors.
        return LowRank(self.left @ (right.T @ vt.T).astype(dtype), basis @ vt.T.astype(dtype), self.offset)

    def singular_values(self) -> NDArray[np.float64]:
        """Return the singular values, excluding the offset, in decreasing order; at most ``min(k, n, p)`` of them.

        For single-precision factors they are accurate to 3e-8 of the largest. Cost O((n + p) k²).
        """
        if self.columns == 0:
            return np.zeros(0)
        left, right = triangle(self.left), triangle(self.right)
        return np.asarray(np.linalg.svd(left @ right.T, compute_uv=False))

    def nuclear_norm(self) -> float:
        """Return the nuclear norm, excluding the offset."""
        return float(self.singular_values().sum())

    def dense(self) -> Real:
        """Return X as a dense array ``(n, p)``, for tests and small matrices."""
        product = self.left @ self.right.T
        return product if self.offset is None else product + self.offset


def _shape(factor: object) -> tuple[int, ...]:
    return factor.shape if isinstance(factor, np.ndarray) else ()
