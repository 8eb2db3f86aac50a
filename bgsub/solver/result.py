"""The result of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.stopping import Status


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One iteration as observed during the run; row 0 is the start.

    Attributes
    ----------
    iteration
        0, 1, 2, …
    objective
        f(X, Y), from sums in the working precision.
    gap
        Estimated gap; not certified, since ‖∇‖₂ is estimated from below.
    step, weight
        γ and η of the iteration; for accelerated methods, 1 (0 if the step was rejected) and the momentum.
    rank
        Upper bound on the rank of X without the offset.
    seconds
        Time since the call.
    action
        Kind of step: the method's name, and any other event (restart, rank increase); ``start`` in row 0.
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
    """The decomposition and its certificate.

    Attributes
    ----------
    low_rank
        X, factored and compressed; ``low_rank.offset`` is the offset of the problem.
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
        One row for the start, then one per iteration.
    threshold
        Soft threshold θ of the last projection onto the ℓ1 ball, in the units of the data; 0 if there was none.
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
        """Rank of X without the offset."""
        return self.low_rank.columns
