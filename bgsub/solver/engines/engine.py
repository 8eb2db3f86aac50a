"""The interface of engines, which hold the current point (X, Y)."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray

from bgsub.solver.parts import Ends, Part
from bgsub.solver.problem import SplitProblem
from bgsub.solver.rules.rule import Trial
from bgsub.solver.spectra.atoms import LowRank


class Engine(Protocol):
    """A point, the gradient of g there, and the steps that Algorithm 1 consists of.

    Endpoints are only valid for the engine that made them, and at the point where they were made.
    """

    problem: SplitProblem

    @property
    def objective(self) -> float:
        """The objective f at the current point, summed in the working precision."""
        ...

    @property
    def gap(self) -> float:
        """Estimate of the Frank–Wolfe gap at the current point; leading singular values enter as lower bounds."""
        ...

    @property
    def rank(self) -> int:
        """Upper bound on the rank of X, offset excluded."""
        ...

    def lmo(self, part: Part) -> Any:
        """Return the endpoint ``argmin_W ⟨W, ∇⟩ + R(W)`` of one part: the conditional-gradient step."""
        ...

    def prox(self, part: Part, weight: float, other: Any) -> Any:
        """Return ``argmin_V R(V) + ⟨V, ∇⟩ + ½·weight·‖V + other − (X + Y)‖²``, the proximal step of one part.

        *other* is the endpoint of the other part, *weight* is ηβ.
        """
        ...

    def here(self, part: Part) -> Any:
        """Return the endpoint that leaves a part unchanged."""
        ...

    def trial(self, ends: Ends, weight: float) -> Trial:
        """Return what a step-size rule needs to know about the direction towards *ends*."""
        ...

    def move(self, ends: Ends, step: float) -> None:
        """Move to ``(1 − step)·(X, Y) + step·ends``."""
        ...

    def result(self) -> tuple[LowRank, NDArray[Any], float]:
        """Return X, Y and the last soft threshold of Y (0 if there was none)."""
        ...
