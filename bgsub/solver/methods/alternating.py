"""Algorithm 1: one part moves to a vertex, the other to a proximal point that knows this vertex, then both are mixed.

Garber, Kaplan and Sabach, *Improved Complexities of Conditional Gradient-Type Methods with Applications to Robust
Matrix Recovery Problems*. Per iteration t, with ∇ = ∇g(X + Y)::

    W = argmin_W ⟨W, ∇⟩                                                     (a vertex)
    V = argmin_V ⟨V, ∇⟩ + ½ηβ‖V + W − (X + Y)‖²   =  P(X + Y − W − ∇/(ηβ))    (a projection)
    (X, Y) ← (1 − γ)(X, Y) + γ(V, W), or with the roles of X and Y exchanged
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from bgsub.solver.atoms import LowRank
from bgsub.solver.kernels import Point
from bgsub.solver.methods.roles import ProjectLowRank, ProjectSparse, Roles
from bgsub.solver.methods.state import State
from bgsub.solver.passes import Passes, Sketch, packed, target
from bgsub.solver.problem import SplitProblem
from bgsub.solver.ritz import first_basis, rayleigh_ritz
from bgsub.solver.steps import Combination, ExactLineSearch, OpenLoop, ProximalWeight

COMPRESS_EVERY = 8
"""Factors are compressed whenever the number of their columns reaches another multiple of this."""


@dataclass(frozen=True, slots=True)
class Alternating:
    """Algorithm 1 with the roles of the two parts given.

    Attributes
    ----------
    roles
        :class:`ProjectSparse` or :class:`ProjectLowRank`.
    weight
        The sequence η_t, 2/(t + 1) by default.
    combination
        The rule for γ, exact line search by default; the objective then never increases.
    """

    roles: Roles
    weight: ProximalWeight = field(default_factory=OpenLoop)
    combination: Combination = field(default_factory=ExactLineSearch)

    @property
    def name(self) -> str:
        """The method's name in the paper."""
        return self.roles.name

    def check(self, problem: SplitProblem) -> None:
        """Raise :class:`bgsub.errors.IncompatibleProblem` where a set lacks a capability."""
        self.roles.check(problem)

    def init(self, problem: SplitProblem, passes: Passes, low_rank: LowRank, sparse: NDArray[Any]) -> State:
        """Return the state at (X, Y) before the first iteration; *sparse* is overwritten by later updates."""
        still = target(problem.zero_low_rank(), 0.0, float("inf"))
        point = Point(problem.matrix, sparse, *packed(low_rank))
        sketch = passes.advance(point, still, 0.0, first_basis(problem.shape[0]))
        return State(0, low_rank, sparse, sketch, *_values(problem, sketch))

    def update(self, problem: SplitProblem, passes: Passes, state: State) -> State:
        """Return the state one iteration on; ``state.sparse`` is overwritten."""
        weight = self.weight.weight(state.iteration + 1)
        point = Point(problem.matrix, state.sparse, *packed(state.low_rank))
        end = self.roles.end(problem, passes, state, point, weight)
        step = self.combination.step(end.direction.slope, end.direction.square, weight)
        sketch = passes.advance(point, end.target, step, end.basis)
        low_rank = _bounded(state.low_rank, state.low_rank.mix(step, end.low_rank))
        values = _values(problem, sketch)
        return State(state.iteration + 1, low_rank, state.sparse, sketch, *values, step, weight, end.guess)


def alt_pgcg(weight: ProximalWeight | None = None, combination: Combination | None = None) -> Alternating:
    """Return ALT-PGCG: Y by projection, X by its leading singular pair. For ‖Y‖₁ ≫ ‖X′‖_*, as in video."""
    return Alternating(ProjectSparse(), weight or OpenLoop(), combination or ExactLineSearch())


def alt_cgpg(
    rank: int, weight: ProximalWeight | None = None, combination: Combination | None = None
) -> Alternating:
    """Return ALT-CGPG: X by a projection of the given rank, Y by its largest entry. For ‖X′‖_* ≫ ‖Y‖₁.

    Raises
    ------
    OptionError
        A rank that is not a whole number of at least one.
    """
    return Alternating(ProjectLowRank(rank), weight or OpenLoop(), combination or ExactLineSearch())


def _values(problem: SplitProblem, sketch: Sketch) -> tuple[float, float]:
    """Return the objective and the estimated gap that a sketch tells."""
    spectral = rayleigh_ritz(sketch)[0].value
    gap = sketch.inner + problem.low_rank.support(spectral) + problem.sparse.support(sketch.peak.value)
    objective = problem.loss.value(sketch.square)
    return objective, min(gap, objective)


def _bounded(before: LowRank, after: LowRank) -> LowRank:
    crossed = after.columns // COMPRESS_EVERY > before.columns // COMPRESS_EVERY
    return after.compress() if crossed else after
