"""What a run gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.stopping import Status


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One iteration as it was seen while running; row 0 is the start.

    Attributes
    ----------
    iteration
        0, 1, 2, …
    objective
        f(X, Y), from sums in the working precision.
    gap
        Estimated gap (not certified: ‖∇‖₂ enters from below).
    step, weight
        γ and η of the iteration; for the accelerated methods 1 (0 where the step was refused) and the momentum.
    rank
        Upper bound on the rank of X beyond the offset.
    seconds
        Since the call.
    action
        Which step it was: the method's name, and what else happened (a restart, a larger rank); ``start`` in row 0.
    """

    iteration: int
    objective: float
    gap: float
    step: float
    weight: float
    rank: int
    seconds: float
    action: str


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """The split that was found, and what is proven about it.

    Attributes
    ----------
    low_rank
        X, factored, compressed; ``low_rank.offset`` is the offset of the problem.
    sparse
        Y, ``(n, p)``, in the working precision.
    objective
        f(X, Y), in float64.
    gap
        Certificate: ``f(X, Y) − f* ≤ gap``.
    status
        Why the run ended; ``converged`` only with ``gap ≤ gap_tolerance·f₀``.
    iterations
        Number of updates.
    trace
        One row per iteration, after one for the start.
    threshold
        The soft threshold θ of the last projection on the ℓ1 ball, in the units of the data; 0 where there was none.
    """

    low_rank: LowRank
    sparse: NDArray[Any]
    objective: float
    gap: float
    status: Status
    iterations: int
    trace: tuple[TraceRow, ...]
    threshold: float

    @property
    def rank(self) -> int:
        """Rank of X beyond the offset."""
        return self.low_rank.columns
