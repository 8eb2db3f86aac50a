"""What a fit takes from the solver, whichever way it was solved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.lifting import Lifted
from bgsub.solver.result import Result
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.stopping import Status


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The split, and what is proven about it.

    Attributes
    ----------
    low_rank
        X, compressed.
    sparse
        Y, or None where it is κ·soft(M − X, θ) and was never written down.
    threshold, kept
        θ, grey levels, and κ.
    objective, initial_objective, gap
        f at the solution and at X = centre, Y = 0; the certified gap.
    status, iterations
        How the optimisation ended.
    """

    low_rank: LowRank
    sparse: NDArray[Any] | None
    threshold: float
    kept: float
    objective: float
    initial_objective: float
    gap: float
    status: Status
    iterations: int

    @classmethod
    def of(cls, result: Result) -> Solution:
        """Return what a run of the solver has found."""
        start = result.trace[0].objective
        return cls(
            result.low_rank,
            result.sparse,
            result.threshold,
            1.0,
            result.objective,
            start,
            result.gap,
            result.status,
            result.iterations,
        )

    @classmethod
    def lifted(cls, found: Lifted, status: Status, iterations: int) -> Solution:
        """Return what a lift has found."""
        return cls(
            found.low_rank,
            None,
            found.threshold,
            found.kept,
            found.objective,
            found.initial_objective,
            found.gap,
            status,
            iterations,
        )

    def foreground(self, frames: NDArray[np.uint8], index: int) -> NDArray[Any]:
        """Return Y of one of the *frames* ``(n, rows)`` that were split, ``(rows,)``, grey levels."""
        if self.sparse is not None:
            return np.asarray(self.sparse[index])
        x = self.low_rank.left[index] @ self.low_rank.right.T
        left_over = frames[index] - x - (0 if self.low_rank.offset is None else self.low_rank.offset)
        return np.asarray(self.kept * (left_over - np.clip(left_over, -self.threshold, self.threshold)))
