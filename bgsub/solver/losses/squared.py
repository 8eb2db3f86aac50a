"""Half the squared distance to the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.atoms import LowRank
from bgsub.solver.lazy import LazyMatrix


@dataclass(frozen=True, slots=True)
class SquaredLoss:
    """``g(Z) = ½‖Z − M‖²_F``: 1-smooth and 1-strongly convex."""

    @property
    def alpha(self) -> float:
        """Modulus of strong convexity."""
        return 1.0

    @property
    def beta(self) -> float:
        """Lipschitz constant of the gradient."""
        return 1.0

    def value(self, residual_square: float) -> float:
        """Return g where ``‖Z − M‖²_F`` is *residual_square*."""
        return residual_square / 2

    def gradient(self, matrix: NDArray[Any], low_rank: LowRank, sparse: NDArray[Any]) -> LazyMatrix:
        """Return ``∇ = X + Y − M`` without forming it; X includes its offset."""
        left, right = with_offset(low_rank)
        return LazyMatrix(matrix, sparse, -1.0, 1.0, left, right)


def with_offset(low_rank: LowRank) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return factors ``(n, 1 + k)`` and ``(p, 1 + k)`` of X whose first columns make up the offset."""
    n, p = low_rank.shape
    dtype = low_rank.left.dtype
    offset = np.zeros(p, dtype) if low_rank.offset is None else low_rank.offset
    left = np.concatenate([np.ones((n, 1), dtype), low_rank.left], axis=1)
    return left, np.concatenate([offset[:, None], low_rank.right], axis=1)
