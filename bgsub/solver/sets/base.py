"""Common bases of the constraint sets and norm balls."""

from __future__ import annotations

from typing import Any


class ConstraintTerm:
    """Indicator function of a set: it adds nothing to the objective and is not strongly convex as a function."""

    __slots__ = ()

    def cost(self, point: Any) -> float:
        """Return the term's contribution to the objective: 0, since it is only evaluated at members."""
        return 0.0

    @property
    def convexity(self) -> float:
        """Strong convexity of the term as a function: 0."""
        return 0.0

    def set_convexity(self, entries: int) -> float:
        """Return the set's strong-convexity modulus γ in the Frobenius norm, for matrices with *entries* entries: 0."""
        return 0.0


class NormBall(ConstraintTerm):
    """``{P : ‖P‖ ≤ radius}`` for a norm bounded below by the Frobenius norm, with equality at some points."""

    __slots__ = ()

    radius: float

    @property
    def diameter(self) -> float:
        """Frobenius diameter: twice the radius."""
        return 2 * self.radius

    def value(self, point: Any) -> float:
        """Return ‖point‖."""
        raise NotImplementedError

    def is_feasible(self, point: Any, tolerance: float = 1e-6) -> bool:
        """Return whether ``‖point‖ ≤ radius·(1 + tolerance)``."""
        return self.value(point) <= self.radius * (1 + tolerance)
