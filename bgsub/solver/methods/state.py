"""The state that one iteration takes from the one before, and what every method offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from bgsub.solver.atoms import LowRank
from bgsub.solver.passes import Passes, Sketch
from bgsub.solver.problem import SplitProblem


@dataclass(frozen=True, slots=True)
class Guess:
    """Where the next threshold search begins: the last θ, and the share of the last Σ|v| that the sample claimed."""

    threshold: float = 0.0
    sample_share: float = 1.0


@dataclass(frozen=True, slots=True)
class State:
    """Where a method is after ``iteration`` iterations.

    Attributes
    ----------
    iteration
        0 at the start.
    low_rank
        X, with the offset of the problem.
    sparse
        Y, ``(n, p)``. **The next update overwrites this array**: at the size of a video a second one is not affordable.
        Copy what must outlive the update.
    sketch
        What the last pass found about the gradient at (X, Y).
    objective
        f(X, Y), from sums in the working precision.
    gap
        Estimate of the gap, ‖∇‖₂ entering from below. The proof is :func:`bgsub.solver.certificate.certify`.
    step, weight
        γ and η of the update that led here; 0 at the start.
    guess
        The soft threshold θ of the last projection of Y, 0 where there was none, and how fair the sample was.
    """

    iteration: int
    low_rank: LowRank
    sparse: NDArray[Any]
    sketch: Sketch
    objective: float
    gap: float
    step: float = 0.0
    weight: float = 0.0
    guess: Guess = Guess()


class Method(Protocol):
    """A start and an update; timing, stopping and the trace belong to the loop."""

    @property
    def name(self) -> str:
        """What messages and reports call the method."""
        ...

    def check(self, problem: SplitProblem) -> None:
        """Raise :class:`bgsub.errors.IncompatibleProblem` where a set lacks what the method needs."""
        ...

    def init(self, problem: SplitProblem, passes: Passes, low_rank: LowRank, sparse: NDArray[Any]) -> State:
        """Return the state at a start, of which *sparse* becomes the method's own."""
        ...

    def update(self, problem: SplitProblem, passes: Passes, state: State) -> State:
        """Return the state one iteration on."""
        ...
