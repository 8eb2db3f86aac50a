"""Sum of the Euclidean norms of the rows, or of the columns."""

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
    """``R(Y) = λ·Σ_g ‖Y_g‖₂``, g running over rows or columns.

    **Rows and columns are those of the matrix as the solver gets it**, see
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
        The weight is not a finite number above zero, or *groups* is something else.
    InputError
        From every method: a point or gradient is not two-dimensional.
    """

    weight: float
    groups: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", positive_parameter(self.weight, "weight", "GroupPenalty"))
        check_groups(self.groups, "GroupPenalty")

    def value(self, point: NDArray[Any] | LowRank) -> float:
        """Return R(point), summed in float64; of a :class:`LowRank`, beyond its offset."""
        return self.weight * float(group_norms(point, self.groups).sum())

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return ``sup −⟨Y, G⟩ − R(Y)`` over ``R(Y) ≤ level``: ``(level/λ)·max(m − λ, 0)``.

        m is the largest norm of a group of G.
        """
        largest = float(group_norms(gradient, self.groups).max(initial=0.0))
        return norm_conjugate(self.weight, largest, level)

    def prox(self, point: NDArray[Any], weight: float) -> Real:
        """Return ``argmin_V R(V) + weight/2·‖V − point‖²_F``: every group is shortened by λ/weight, or becomes zero.

        float32 stays float32, other types become float64.

        Raises
        ------
        OptionError
            The weight is not a finite number above zero.
        InputError
            The point is not finite.
        """
        point = finite(real_matrix(point))
        theta = self.weight / prox_weight(weight, "GroupPenalty")
        return shrink_groups(point, self.groups, group_norms(point, self.groups), theta)
