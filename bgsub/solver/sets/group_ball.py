"""Matrices with a bounded sum of Euclidean row (or column) norms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.sets.base import NormBall
from bgsub.solver.sets.groups import ROWS, check_groups, group_norms, shrink_groups
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.points import Real, finite, real_matrix, require_entries
from bgsub.solver.sets.radius import positive_radius
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.threshold import DenseShrinkage


@dataclass(frozen=True, slots=True)
class GroupBall(NormBall):
    """``{Y : Σ_g ‖Y_g‖₂ ≤ radius}``, where g runs over rows or columns; Frobenius diameter 2s.

    For data with whole rows or columns corrupted (Garber, Kaplan and Sabach, introduction; Xu, Caramanis and Sanghavi
    2010). **Rows and columns are those of the matrix passed to the solver.** Video is frames-major: in
    ``(frames, pixels)`` rows are frames and columns are pixels; the paper's matrix, pixels × frames, is the transpose.

    Attributes
    ----------
    radius
        s > 0, in the units of the entries.
    groups
        ``"rows"``: ‖·‖_{1,2}, the sum of the ℓ2 norms of the rows. ``"columns"``: ‖·‖_{2,1}, that of the columns.

    Raises
    ------
    OptionError
        *radius* is not a finite positive number, or *groups* is neither of these.
    InputError
        From every method: a point or gradient is not two-dimensional.
    """

    radius: float
    groups: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", positive_radius(self.radius, "GroupBall"))
        check_groups(self.groups, "GroupBall")

    def value(self, point: NDArray[Any] | LowRank) -> float:
        """Return the sum of the group norms, in float64; the offset of a :class:`LowRank` is excluded."""
        return float(group_norms(point, self.groups).sum())

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return ``max −⟨Y, gradient⟩`` over the ball: s times the largest group norm. *level* is unused."""
        return self.radius * float(group_norms(gradient, self.groups).max(initial=0.0))

    def lmo(self, gradient: NDArray[Any]) -> LowRank:
        """Return the vertex minimising ``⟨Y, G⟩``: ``−s·G_g/‖G_g‖₂`` in the group of largest norm, zero elsewhere.

        Returned as a rank-one :class:`LowRank`: n + p numbers instead of n·p. A zero gradient gives a single entry.

        Raises
        ------
        InputError
            The array is empty, not two-dimensional or not finite.
        """
        gradient = finite(real_matrix(gradient))
        require_entries(gradient)
        norms = group_norms(gradient, self.groups)
        chosen = int(np.argmax(norms))
        across = gradient if self.groups == ROWS else gradient.T
        place, content = (
            np.zeros((len(norms), 1), gradient.dtype),
            np.zeros((across.shape[1], 1), gradient.dtype),
        )
        place[chosen] = -self.radius
        if norms[chosen] > 0:
            content[:, 0] = across[chosen] / norms[chosen]
        else:
            content[0] = 1
        return LowRank(place, content) if self.groups == ROWS else LowRank(content, place)

    def project(self, point: NDArray[Any]) -> Real:
        """Return the projection: the group norms are soft-thresholded by one θ, such that they sum to the radius.

        float32 stays float32, other types become float64. Cost: two passes over the array and a search over the norms.
        """
        point = finite(real_matrix(point))
        norms = group_norms(point, self.groups)
        theta = L1Ball(self.radius).shrinkage(DenseShrinkage(norms), 0.0, np.dtype(np.float64)).theta
        return shrink_groups(point, self.groups, norms, theta) if theta > 0 else point.copy()
