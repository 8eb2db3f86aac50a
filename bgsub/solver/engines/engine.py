"""What a method may ask of the place where the point (X, Y) is kept."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray

from bgsub.solver.parts import Ends, Part
from bgsub.solver.problem import SplitProblem
from bgsub.solver.rules.rule import Trial
from bgsub.solver.spectra.atoms import LowRank


class Engine(Protocol):
    """A point, the gradient of g at it, and the steps that Algorithm 1 is made of.

    Ends are handed back to the engine that made them, and hold for the point at which they were made.
    """

    problem: SplitProblem

    @property
    def objective(self) -> float:
        """The value of f at the point, from sums in the working precision."""
        ...

    @property
    def gap(self) -> float:
        """Estimate of the conditional-gradient gap at the point: leading singular values enter from below."""
        ...

    @property
    def rank(self) -> int:
        """Upper bound on the rank of X beyond the offset."""
        ...

    def lmo(self, part: Part) -> Any:
        """Return the end ``argmin_W ⟨W, ∇⟩ + R(W)`` of one part: the conditional-gradient step."""
        ...

    def prox(self, part: Part, weight: float, other: Any) -> Any:
        """Return the end ``argmin_V R(V) + ⟨V, ∇⟩ + ½·weight·‖V + other − (X + Y)‖²``: the proximal step of one part.

        *other* is the end of the other part, and *weight* is ηβ.
        """
        ...

    def here(self, part: Part) -> Any:
        """Return the end that leaves a part where it is."""
        ...

    def trial(self, ends: Ends, weight: float) -> Trial:
        """Return what a rule for the step needs to know about the direction towards *ends*."""
        ...

    def move(self, ends: Ends, step: float) -> None:
        """Go to ``(1 − step)·(X, Y) + step·ends``."""
        ...

    def result(self) -> tuple[LowRank, NDArray[Any], float]:
        """Return X, Y, and the last soft threshold of Y (0 where there was none)."""
        ...
