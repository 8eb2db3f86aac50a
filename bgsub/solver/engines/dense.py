"""Dense engine, for any loss and any pair of terms: Z = X + Y and the gradient are stored in full."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.capabilities import is_spectral, proximal
from bgsub.solver.engines.outlook import Outlook, Seen
from bgsub.solver.kernels.dense_passes import DensePasses
from bgsub.solver.kernels.tiles import Workers
from bgsub.solver.losses.squared import SquaredLoss
from bgsub.solver.parts import Block, Ends, Held, Kept, Part, add, beyond, full, in_precision, mixed
from bgsub.solver.problem import SplitProblem
from bgsub.solver.proof.certificate import dual_point
from bgsub.solver.rules.rule import Trial
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.lp_ball import LpBall
from bgsub.solver.spectra.atoms import LowRank, SingularPair
from bgsub.solver.spectra.steps import SpectralOracle
from bgsub.solver.threshold import acceptance

PAIR_ACCURACY = 0.03
"""Relative growth of σ₁ per power step at which the leading pair is accepted at first; later it shrinks like η."""

FINEST_PAIR = 3e-3
"""Lower limit of that tolerance: nearly optimal vertices make equally good steps."""

INACCURATE = 1e-6
"""Assumed bound on the error due to inexact projections, relative to f, in double precision."""

FRESH_EVERY = 64
"""The gradient is recomputed from X and Y after this many moves, so that rounding errors do not accumulate."""


class DenseEngine:
    """Engine that stores X and Y as their terms return them, and Z = X′ + Y and ∇g as arrays.

    Parameters
    ----------
    problem
        Any problem.
    low_rank, sparse
        The starting point; X without its offset.
    workers
        The threads. Results do not depend on their number.
    rank, adapts
        Rank of the low-rank proximal steps (None to determine it automatically), and whether it may change; see
        :class:`bgsub.solver.spectra.steps.SpectralOracle`.

    Notes
    -----
    Memory: six arrays of the size of the data in the working precision. One power step on the gradient is taken per
    point; it serves the gap estimate and warm-starts the search for the next vertex.
    """

    def __init__(
        self,
        problem: SplitProblem,
        low_rank: Held,
        sparse: Held,
        workers: Workers,
        rank: int | None = None,
        adapts: bool = True,
    ) -> None:
        self.problem = problem
        self._passes = DensePasses(problem.shape, problem.dtype, workers)
        # Only one part's rank can adapt to the progress; a spectral term of Y takes full decompositions.
        ranks = {Part.LOW_RANK: (rank, adapts), Part.SPARSE: (0, False)}
        self.spectra = {
            part: SpectralOracle(problem.term(part), self._passes, *ranks[part])
            for part in Part
            if is_spectral(problem.term(part))
        }
        self._squared = isinstance(problem.loss, SquaredLoss)
        self._matrix = problem.centred()
        self._d, self._z, self.gradient = (np.empty(problem.shape, problem.dtype) for _ in range(3))
        self._towards: Ends | None = None
        self._outlook = Outlook(self._passes, problem.shape[0])
        self._own: dict[Part, Held] = {}
        self._guesses, self._moves = dict.fromkeys(Part, 0.0), 0
        self.place(low_rank, sparse)

    def place(self, low_rank: Held, sparse: Held) -> None:
        """Move to an arbitrary point, feasible or not."""
        self.blocks: dict[Part, Held] = {Part.LOW_RANK: low_rank, Part.SPARSE: sparse}
        if isinstance(low_rank, LowRank):
            self._passes.product(low_rank.left, low_rank.right.T, self._z)
        else:
            self._z[:] = full(low_rank, self.problem.shape, self.problem.dtype)
        add(self._z, sparse)
        self._refresh()

    def keep(self) -> Kept:
        """Return the current point, including Z, for :meth:`place_between`; the engine continues in fresh memory."""
        kept = Kept(self.blocks[Part.LOW_RANK], self.blocks[Part.SPARSE], self._z)
        self._z = self._z.copy()
        return kept

    def place_between(self, before: Kept, here: Kept, share: float) -> None:
        """Move to ``here + share·(here − before)``; Z is extrapolated likewise, without forming X."""
        self.blocks = {
            part: beyond(a, b, share) for part, a, b in zip(Part, before[:2], here[:2], strict=True)
        }
        np.subtract(here.z, before.z, out=self._z)
        self._z *= self.problem.dtype.type(share)
        self._z += here.z
        self._refresh()

    def put_sparse(self, sparse: Held) -> None:
        """Replace Y by *sparse*, leaving X unchanged."""
        add(self._z, self.blocks[Part.SPARSE], -1.0)
        add(self._z, sparse)
        self.blocks[Part.SPARSE] = sparse
        self._refresh()

    def _refresh(self) -> None:
        if self._squared:
            np.subtract(self._z, self._matrix, out=self.gradient)
        else:
            self.gradient = np.ascontiguousarray(self.problem.loss.gradient(self._matrix, self._z))
        self._forget()

    def _forget(self) -> None:
        """Drop what is cached about the gradient, except for the directions that warm-start the next power step."""
        self._outlook.forget()
        self._pairs: dict[Part, SingularPair] = {}
        self._cost: float | None = None

    @property
    def _seen(self) -> Seen:
        return self._outlook.seen(self._z, self.gradient)

    @property
    def objective(self) -> float:
        """The objective f at the current point."""
        squared = self._squared
        smooth = self._seen.sketch.square / 2 if squared else self.problem.loss.value(self._matrix, self._z)
        return float(smooth + self._cost_here)

    @property
    def gap(self) -> float:
        """Estimate of the Frank–Wolfe gap; at most the objective, since f* ≥ 0."""
        dual, missed = dual_point(self.problem, self.gradient)
        seen = self._seen if dual is self.gradient else self._outlook.beside(self._z, dual)
        conjugates = sum(self._conjugate(part, seen) for part in Part)
        return min(seen.sketch.inner + self._cost_here + conjugates + missed, self.objective)

    @property
    def inaccuracy(self) -> float:
        """Error of f due to projections that are only accurate relative to the norm they bound.

        Never more than a small fraction of f, so that f still decreases when it tends to zero.
        """
        searched = [part for part in Part if hasattr(self.problem.term(part), "radius")]
        reach = self.objective + sum(self._conjugate(part, self._seen) for part in searched)
        share = acceptance(self.problem.dtype)
        return min(share * reach, max(share, INACCURATE) * self.objective)

    @property
    def rank(self) -> int:
        """Upper bound on the rank of X."""
        block = self.blocks[Part.LOW_RANK]
        return min(
            block.columns if isinstance(block, LowRank) else self.problem.shape[0], *self.problem.shape
        )

    def lmo(self, part: Part) -> Block:
        """Return the LMO vertex of one part."""
        term: Any = self.problem.term(part)
        at = self._seen.sketch.peak if isinstance(term, L1Ball) else self.gradient
        vertex: Block = term.lmo(self._pair(part) if part in self.spectra else at)
        return in_precision(self.problem.dtype, vertex)

    def prox(self, part: Part, weight: float, other: Block) -> Held:
        """Return the proximal point of ``Z − other − ∇/weight``."""
        return self._proximal(part, self._passes.base(self._z, self.gradient, -1 / weight, other), weight)

    def _proximal(self, part: Part, point: NDArray[Any], weight: float) -> Held:
        if part in self.spectra:
            return in_precision(self.problem.dtype, self.spectra[part].prox(point, weight))
        return self._project(part, point, weight)

    def descend(self, part: Part, weight: float) -> Held:
        """Return the proximal point of ``block − ∇/weight``, with the other part fixed."""
        block = self.blocks[part]
        if not isinstance(block, np.ndarray):
            return self.prox(part, weight, self.blocks[part.other])
        none = LowRank(block[:, :0], block[:0].T)
        return self._proximal(part, self._passes.base(block, self.gradient, -1 / weight, none), weight)

    def _project(self, part: Part, point: NDArray[Any], weight: float) -> NDArray[Any]:
        """Return the proximal point of an entrywise or group term, warm-started from the last search."""
        term, guess = self.problem.term(part), self._guesses[part]
        if isinstance(term, L1Ball):
            found = term.shrinkage(lambda theta: self._passes.shrink(point, theta), guess, self.problem.dtype)
            self._guesses[part] = found.theta
            return self._passes.soften(point, found.theta)
        if isinstance(term, LpBall):
            result, self._guesses[part] = term.project_with_multiplier(point, guess)
            return result
        return proximal(term, point, weight)

    def here(self, part: Part) -> Held:
        """Return the current block."""
        return self.blocks[part]

    def trial(self, ends: Ends, weight: float) -> Trial:
        """Return slope, curvature and objective along the direction towards *ends*."""
        slope, square = self._aim(ends)
        rise = self._costs(dict(zip(Part, ends, strict=True))) - self._cost_here
        loss = self.problem.loss
        return Trial(
            slope=slope + rise,
            curvature=square if self._squared else loss.curvature(self._d),
            weight=weight,
            value=self.objective,
            beta=loss.beta,
            along=lambda step: self._along(ends, step),
        )

    def _aim(self, ends: Ends) -> tuple[float, float]:
        """Set D to the direction towards *ends*; return ⟨D, ∇⟩ and ‖D‖²."""
        self._d[:] = 0
        add(self._d, ends.sparse)
        self._towards, left, right = ends, self._d[:, :0], self._d[:0].T
        if isinstance(ends.low_rank, LowRank):
            left, right = ends.low_rank.left, ends.low_rank.right
        else:
            add(self._d, ends.low_rank)
        return self._passes.towards(self._z, self.gradient, left, right, self._d)

    def move(self, ends: Ends, step: float) -> None:
        """Move both blocks and Z towards *ends*; arrays that an earlier move has made are updated in place."""
        self._moves += 1
        if step == 1 and ends.low_rank is self.blocks[Part.LOW_RANK]:
            self.put_sparse(ends.sparse)
            return
        if self._towards is not ends:
            self._aim(ends)
        self._towards = None
        self.blocks = {part: self._mixed(part, step, end) for part, end in zip(Part, ends, strict=True)}
        if self._moves % FRESH_EVERY == 0:
            self.place(*self.blocks.values())
            return
        self._passes.shift(self._z, self._d, self.gradient, step, self._squared)
        if self._squared:
            self._forget()
        else:
            self._refresh()

    def _mixed(self, part: Part, step: float, end: Block) -> Held:
        block = self.blocks[part]
        if not isinstance(block, np.ndarray) or block is not self._own.get(part):
            result = mixed(block, step, end)
            self._own[part] = result
            return result
        block *= 1 - step
        add(block, end, step)
        return block

    def result(self) -> tuple[LowRank, NDArray[Any], float]:
        """Return X with its offset, Y, and 0 for the threshold."""
        low_rank, sparse = self.blocks.values()
        return self.problem.as_low_rank(low_rank), full(sparse, self.problem.shape, self.problem.dtype), 0.0

    def _pair(self, part: Part) -> SingularPair:
        if part not in self._pairs:
            oracle, accuracy = self.spectra[part], max(PAIR_ACCURACY * 2 / (self._moves + 2), FINEST_PAIR)
            found = oracle.lowest(self.gradient) if oracle.is_eigen else None
            self._pairs[part] = found or self._outlook.pair(self._z, self.gradient, accuracy)
        return self._pairs[part]

    def _conjugate(self, part: Part, seen: Seen) -> float:
        term = self.problem.term(part)
        if isinstance(term, L1Ball):
            return term.support(seen.sketch.peak.value)
        if part not in self.spectra:
            return float(term.conjugate(seen.gradient, self.objective))
        is_eigen = self.spectra[part].is_eigen
        value = self._pair(part).value if is_eigen else seen.ritz.pair.value
        return float(term.conjugate_at(value, self.objective))

    @property
    def _cost_here(self) -> float:
        """The penalty value at the current point."""
        if self._cost is None:
            self._cost = self._costs(self.blocks)
        return self._cost

    def _costs(self, blocks: Mapping[Part, Block]) -> float:
        return float(sum(self.problem.term(part).cost(block) for part, block in blocks.items()))

    def _along(self, ends: Ends, step: float) -> float:
        mix = {part: mixed(self.blocks[part], step, end) for part, end in zip(Part, ends, strict=True)}
        z = self._z + self.problem.dtype.type(step) * self._d
        return self.problem.loss.value(self._matrix, z) + self._costs(mix)
