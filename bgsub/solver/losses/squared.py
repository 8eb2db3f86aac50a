"""Half the squared distance to the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError
from bgsub.solver.arrays import square_norm


@dataclass(frozen=True, slots=True)
class SquaredLoss:
    """``g(Z) = ½‖Z − M‖²_F``: 1-smooth and 1-strongly convex.

    Its methods take the data M and a point Z, both ``(n, p)``.
    """

    @property
    def alpha(self) -> float:
        """Strong-convexity modulus."""
        return 1.0

    @property
    def beta(self) -> float:
        """Lipschitz constant of the gradient."""
        return 1.0

    @property
    def quadratic(self) -> bool:
        """True: :meth:`curvature` is exact."""
        return True

    @property
    def on_matrices(self) -> bool:
        """True: the data have the shape of Z."""
        return True

    def check(self, matrix: NDArray[Any]) -> None:
        """Raise :class:`bgsub.errors.InputError` unless the data are a matrix."""
        if matrix.ndim != 2:
            raise InputError(
                f"the data matrix must have two dimensions (frames, rows), but has {matrix.ndim}"
            )

    def shape(self, matrix: NDArray[Any]) -> tuple[int, int]:
        """Return the shape of Z: that of the data."""
        n, p = matrix.shape
        return int(n), int(p)

    def value(self, matrix: NDArray[Any], z: NDArray[Any]) -> float:
        """Return g(Z)."""
        return square_norm(z - matrix) / 2

    def gradient(self, matrix: NDArray[Any], z: NDArray[Any]) -> NDArray[Any]:
        """Return ``∇g(Z) = Z − M``."""
        return np.asarray(z - matrix)

    def curvature(self, direction: NDArray[Any]) -> float:
        """Return ``⟨D, ∇²g D⟩ = ‖D‖²_F``."""
        return square_norm(direction)
