"""Sum of the Euclidean norms of the rows or of the columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from bgsub.solver.penalties.base import Penalty, norm_conjugate, prox_weight
from bgsub.solver.sets.groups import check_groups, group_norms, shrink_groups
from bgsub.solver.sets.points import Real, finite, real_matrix
from bgsub.solver.sets.radius import positive_parameter
from bgsub.solver.spectra.atoms import LowRank


@dataclass(frozen=True, slots=True)
class GroupPenalty(Penalty):
    """``R(Y) = λ·Σ_g ‖Y_g‖₂``, where g runs over rows or columns.

    **Rows and columns are those of the matrix passed to the solver**, see
    :class:`bgsub.solver.sets.group_ball.GroupBall`.

    Attributes
    ----------
    weight
        λ > 0, in the units of the gradient.
    groups
        ``"rows"``: λ‖·‖_{1,2}, the sum of the ℓ2 norms of the rows. ``"columns"``: λ‖·‖_{2,1}, that of the columns.

    Raises
    ------
    OptionError
        *weight* is not a finite positive number, or *groups* is neither of these.
    InputError
        From every method: a point or gradient is not two-dimensional.
    """

    weight: float
    groups: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", positive_parameter(self.weight, "weight", "GroupPenalty"))
        check_groups(self.groups, "GroupPenalty")

    def value(self, point: NDArray[Any] | LowRank) -> float:
        """Return R(point), summed in float64; the offset of a :class:`LowRank` is excluded."""
        return self.weight * float(group_norms(point, self.groups).sum())

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return ``sup −⟨Y, G⟩ − R(Y)`` over ``R(Y) ≤ level``: ``(level/λ)·max(m − λ, 0)``.

        m is the largest group norm of G.
        """
        largest = float(group_norms(gradient, self.groups).max(initial=0.0))
        return norm_conjugate(self.weight, largest, level)

    def prox(self, point: NDArray[Any], weight: float) -> Real:
        """Return ``argmin_V R(V) + weight/2·‖V − point‖²_F``: group soft thresholding by λ/weight.

        float32 stays float32, other types become float64.

        Raises
        ------
        OptionError
            *weight* is not a finite positive number.
        InputError
            *point* is not finite.
        """
        point = finite(real_matrix(point))
        theta = self.weight / prox_weight(weight, "GroupPenalty")
        return shrink_groups(point, self.groups, group_norms(point, self.groups), theta)
