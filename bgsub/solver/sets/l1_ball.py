"""Matrices with a bounded entrywise ℓ1 norm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.sets.base import NormBall
from bgsub.solver.sets.points import (
    absolute_sum,
    finite,
    largest_modulus,
    real_array,
    real_matrix,
    require_entries,
    soft_threshold,
)
from bgsub.solver.sets.radius import first_guess, positive_radius
from bgsub.solver.spectra.atoms import Entry
from bgsub.solver.threshold import DenseShrinkage, S, Threshold, find_threshold


@dataclass(frozen=True, slots=True)
class L1Ball(NormBall):
    """``{Y : ‖Y‖₁ = Σ|y_ij| ≤ radius}``; Frobenius diameter 2s.

    Attributes
    ----------
    radius
        s > 0, in the units of the entries.

    Raises
    ------
    OptionError
        *radius* is not a finite positive number.
    """

    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", positive_radius(self.radius, "L1Ball"))

    def value(self, point: NDArray[Any]) -> float:
        """Return ‖point‖₁, summed in float64."""
        return absolute_sum(real_array(point))

    def support(self, peak: float) -> float:
        """Return ``max ⟨Y, G⟩`` over the ball for a G with ``max|g_ij| = peak``."""
        return self.radius * abs(peak)

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return ``max −⟨Y, gradient⟩`` over the ball: s·max|g_ij|. *level* is unused."""
        return self.support(largest_modulus(real_array(gradient)))

    def lmo(self, gradient: NDArray[Any] | Entry) -> Entry:
        """Return the vertex minimising ``⟨Y, gradient⟩``: one signed entry, where the gradient is largest in magnitude.

        *gradient* is an array ``(n, p)`` or just its entry of largest magnitude. A zero gradient gives a vertex, too.

        Raises
        ------
        InputError
            The array is empty, not two-dimensional or not finite.
        """
        if not isinstance(gradient, Entry):
            gradient = finite(real_matrix(gradient))
            require_entries(gradient)
            row, column = np.unravel_index(int(np.argmax(np.abs(gradient))), gradient.shape)
            gradient = Entry(int(row), int(column), float(gradient[row, column]))
        sign = 1.0 if gradient.value < 0 else -1.0
        return Entry(gradient.row, gradient.column, sign * self.radius)

    def project(self, point: NDArray[Any], start: float = 0.0) -> NDArray[Any]:
        """Return the projection ``soft(point, θ)``, with θ ≥ 0 such that the magnitudes sum to the radius.

        *start* is an initial guess for θ; it does not affect the result. float32 stays float32, other types become
        float64. Cost: a few passes over the array.
        """
        point = finite(real_array(point))
        start = first_guess(start, "L1Ball.project")
        theta = self.shrinkage(DenseShrinkage(point), start, np.dtype(np.float64)).theta
        return soft_threshold(point, theta)

    def shrinkage(
        self, evaluate: Callable[[float], S], start: float, dtype: np.dtype[Any], accept: float | None = None
    ) -> Threshold[S]:
        """Return the threshold θ ≥ 0 of the projection (zero inside the ball), found by calls to *evaluate*.

        Parameters are those of :func:`bgsub.solver.threshold.find_threshold`.
        """
        return find_threshold(evaluate, self.radius, start, dtype, accept)
