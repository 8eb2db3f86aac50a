"""What is the same for every constraint set, and for every ball of a norm."""

from __future__ import annotations

from typing import Any


class ConstraintTerm:
    """The indicator of a set: it adds nothing to the objective and is not strongly convex as a function."""

    __slots__ = ()

    def cost(self, point: Any) -> float:
        """Return what the term adds to the objective: 0, for members are all that is ever asked about."""
        return 0.0

    @property
    def convexity(self) -> float:
        """Strong convexity of the term as a function: 0."""
        return 0.0

    def set_convexity(self, entries: int) -> float:
        """Return the strong convexity γ of the set in the Frobenius norm for matrices of so many *entries*: 0."""
        return 0.0


class NormBall(ConstraintTerm):
    """``{P : ‖P‖ ≤ radius}`` for a norm that is at least the Frobenius norm, and equal to it at some points."""

    __slots__ = ()

    radius: float

    @property
    def diameter(self) -> float:
        """Largest Frobenius distance of two members: twice the radius."""
        return 2 * self.radius

    def value(self, point: Any) -> float:
        """Return ‖point‖."""
        raise NotImplementedError

    def is_feasible(self, point: Any, tolerance: float = 1e-6) -> bool:
        """Tell whether ``‖point‖ ≤ radius·(1 + tolerance)``."""
        return self.value(point) <= self.radius * (1 + tolerance)
