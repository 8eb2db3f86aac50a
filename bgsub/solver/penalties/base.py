"""Common base of the penalties."""

from __future__ import annotations

import math
from typing import Any

from bgsub.solver.sets.radius import positive_parameter
from bgsub.solver.sets.spectral import is_finite


class Penalty:
    """A function R added to the objective; its domain is the whole space."""

    __slots__ = ()

    def value(self, point: Any) -> float:
        """Return R(point)."""
        raise NotImplementedError

    def cost(self, point: Any) -> float:
        """Return the term's contribution to the objective: R(point)."""
        return self.value(point)

    def is_feasible(self, point: Any, tolerance: float = 1e-6) -> bool:
        """Return whether all entries of *point* are finite, the only requirement."""
        return is_finite(point)

    @property
    def diameter(self) -> float:
        """Frobenius diameter of the domain: infinite."""
        return math.inf

    @property
    def convexity(self) -> float:
        """Strong convexity δ of R in the Frobenius norm: 0."""
        return 0.0

    def set_convexity(self, entries: int) -> float:
        """Return the strong convexity of the domain, which is the whole space: 0."""
        return 0.0


def norm_conjugate(weight: float, dual_norm: float, level: float) -> float:
    """Return ``sup −⟨P, G⟩ − R(P)`` over ``R(P) ≤ level`` for ``R = weight·‖·‖``, given the dual norm of G.

    ``−⟨P, G⟩ ≤ ‖P‖·‖G‖_dual`` with equality for some P of every norm, and ‖P‖ ranges up to level/weight, so the
    supremum is ``(level/weight)·max(‖G‖_dual − weight, 0)``.
    """
    # NaN must not become a bound of zero.
    return 0.0 if dual_norm <= weight else level / weight * (dual_norm - weight)


def prox_weight(weight: object, penalty: str) -> float:
    """Return the weight of the quadratic part of a proximal problem.

    Raises
    ------
    OptionError
        *weight* is not a finite positive number.
    """
    return positive_parameter(weight, "weight of the proximal step", penalty)
