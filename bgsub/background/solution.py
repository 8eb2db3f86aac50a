"""What a fit takes from the solver, whichever way it was solved."""

from __future__ import annotations

from dataclasses import dataclass

from bgsub.solver.atoms import LowRank
from bgsub.solver.result import Result
from bgsub.solver.stopping import Status


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The background part, and what is proven about the split.

    Attributes
    ----------
    low_rank
        X, compressed.
    objective, initial_objective, gap
        f at the solution and at X = centre, Y = 0; the certified gap.
    status, iterations
        How the optimisation ended.
    """

    low_rank: LowRank
    objective: float
    initial_objective: float
    gap: float
    status: Status
    iterations: int

    @classmethod
    def of(cls, result: Result) -> Solution:
        """Return what a run of the solver has found."""
        start = result.trace[0].objective
        return cls(result.low_rank, result.objective, start, result.gap, result.status, result.iterations)
