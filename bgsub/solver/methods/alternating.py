"""Algorithm 1: one part steps towards an LMO vertex, the other towards a proximal point that accounts for this vertex.

Garber, Kaplan and Sabach, *Improved Complexities of Conditional Gradient-Type Methods with Applications to Robust
Matrix Recovery Problems*. Per iteration t, with ∇ = ∇g(X + Y)::

    W = argmin_W R(W) + ⟨W, ∇⟩                                  (LMO vertex: conditional-gradient step)
    V = argmin_V R(V) + ⟨V, ∇⟩ + ½ηβ‖V + W − (X + Y)‖²           (proximal step)
    (X, Y) ← (1 − γ)(X, Y) + γ(V, W), or with the roles of X and Y exchanged
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from bgsub.solver.checks import require_kind
from bgsub.solver.engines.engine import Engine
from bgsub.solver.methods.method import Asks, Move
from bgsub.solver.parts import Ends, Part
from bgsub.solver.proof.certificate import certify
from bgsub.solver.rules.combination import ExactLineSearch
from bgsub.solver.rules.ranks import checked_rank
from bgsub.solver.rules.rule import CombinationRule, Setting, WeightRule
from bgsub.solver.rules.weight import OpenLoop
from bgsub.solver.sets.base import ConstraintTerm

ACCURACY = 1e-3
"""SVD tolerance (relative gain of a power step) for the proximal step of X."""

LATEST = 1 << 12
"""Latest iteration at which the open loop may be started."""

STALLED = 0.01
"""The rank grows if it was insufficient and the objective decreases by less than this fraction."""


@dataclass(frozen=True, slots=True)
class Alternating:
    """Algorithm 1, with the roles of the two parts given.

    Attributes
    ----------
    projected
        The part that takes the proximal step; the other takes the conditional-gradient step.
    weight
        The rule for η_t, by default 2/(t + 1). From a nonzero start this open loop begins at the t that suits it best.
    combination
        The rule for γ, by default exact line search, with which the objective never increases.
    rank
        Rank of the proximal step of X; None to determine it automatically.

    Raises
    ------
    OptionError
        *rank* is not a positive integer, or *projected*, *weight* or *combination* is of the wrong kind.
    """

    projected: Part
    weight: WeightRule = field(default_factory=OpenLoop)
    combination: CombinationRule = field(default_factory=ExactLineSearch)
    rank: int | None = None

    def __post_init__(self) -> None:
        require_kind(self.projected, Part, "projected of Alternating", "Part.LOW_RANK or Part.SPARSE")
        require_kind(self.weight, WeightRule, f"weight of {self.name}", "a rule for η such as OpenLoop()")
        require_kind(
            self.combination,
            CombinationRule,
            f"combination of {self.name}",
            "a rule for γ such as ExactLineSearch()",
        )
        object.__setattr__(self, "rank", checked_rank(self.rank, self.name.replace("-", "_")))

    @property
    def name(self) -> str:
        """The method's name in the paper."""
        return "alt-pgcg" if self.projected is Part.SPARSE else "alt-cgpg"

    @property
    def asks(self) -> Asks:
        """A proximal step for one part, an LMO for the other."""
        return ((self.projected.other, "lmo"), (self.projected, "prox"))

    @property
    def anywhere(self) -> bool:
        """False: all points are convex combinations."""
        return False

    @property
    def adapts(self) -> bool:
        """True unless a fixed rank was given."""
        return self.rank is None

    def begin(self, engine: Engine) -> _Run:
        """Start a run. Weight rules other than the open loop get the certified gap at the start as their C."""
        return _Run(self, engine)


class _Run:
    def __init__(self, method: Alternating, engine: Engine) -> None:
        self._method = method
        self._engine = engine
        self._weights = method.weight.prepare(self._setting())
        oracle = self._oracle
        if oracle is not None:
            oracle.gain = ACCURACY
        self._iteration = self._first_iteration() - 1

    @property
    def _oracle(self) -> Any:
        """The SVD oracle of the low-rank part; None if the part needs no decomposition."""
        return getattr(self._engine, "spectra", {}).get(Part.LOW_RANK)

    def advance(self) -> Move:
        self._iteration += 1
        engine = self._engine
        weight = self._weights(self._iteration)
        ends = self._ends(weight)
        before = engine.objective
        step = self._method.combination.step(engine.trial(ends, weight))
        engine.move(ends, step)
        growth = self._growth(before)
        # After a zero step, a smaller η may still give a descent direction.
        return Move(step, weight, self._method.name + growth, unsettled=bool(growth) or step == 0)

    def _ends(self, weight: float) -> Ends:
        engine, part = self._engine, self._method.projected
        vertex = engine.lmo(part.other)
        point = engine.prox(part, weight * engine.problem.loss.beta, vertex)
        return Ends(point, vertex) if part is Part.LOW_RANK else Ends(vertex, point)

    def _first_iteration(self) -> int:
        """Return the open-loop iteration to start at: 1 from zero, otherwise the power of 2 that decreases f most.

        For a large η the endpoints lie far from a good start, and the steps towards them are close to zero.
        """
        low_rank, sparse, _ = self._engine.result()
        if not isinstance(self._method.weight, OpenLoop) or not (low_rank.columns or sparse.any()):
            return 1
        best, least, iteration = 1, math.inf, 1
        while iteration <= LATEST:
            change = self._change(self._weights(iteration))
            if change > least:
                break
            best, least, iteration = (iteration if change < least else best), change, 2 * iteration
        return best

    def _change(self, weight: float) -> float:
        """Return the change in the quadratic model of f under exact line search along the direction η gives."""
        trial = self._engine.trial(self._ends(weight), weight)
        step = ExactLineSearch().step(trial)
        return step * trial.slope + step * step * trial.curvature / 2

    def _growth(self, before: float) -> str:
        """Grow the rank if it was insufficient and the objective has stalled; return a suffix for the trace."""
        oracle = self._oracle
        if self._method.projected is Part.SPARSE or oracle is None:
            return ""
        if self._engine.objective > (1 - STALLED) * before and oracle.grow():
            return f" (rank grows to {oracle.rank})"
        return ""

    def _setting(self) -> Setting:
        problem, part = self._engine.problem, self._method.projected
        block = problem.term(part.other)
        n, p = problem.shape
        return Setting(
            alpha=problem.loss.alpha,
            beta=problem.loss.beta,
            diameter=block.diameter,
            set_convexity=block.set_convexity(n * p),
            convexity=block.convexity,
            gap=self._gap(),
            other_is_set=isinstance(problem.term(part), ConstraintTerm),
        )

    def _gap(self) -> float:
        if isinstance(self._method.weight, OpenLoop):
            return self._engine.objective
        low_rank, sparse, _ = self._engine.result()
        return certify(self._engine.problem, low_rank, sparse).gap


def alt_pgcg(weight: WeightRule | None = None, combination: CombinationRule | None = None) -> Alternating:
    """Return ALT-PGCG: proximal step for Y, conditional-gradient step for X. For ‖Y‖₁ ≫ ‖X′‖_*, as in video.

    Raises
    ------
    OptionError
        *weight* or *combination* is not a rule.
    """
    return Alternating(Part.SPARSE, *_rules(weight, combination))


def alt_cgpg(
    rank: int | None = None, weight: WeightRule | None = None, combination: CombinationRule | None = None
) -> Alternating:
    """Return ALT-CGPG: low-rank proximal step for X, conditional-gradient step for Y. For ‖X′‖_* ≫ ‖Y‖₁.

    Parameters
    ----------
    rank
        Rank r of the proximal step, capped at ``min(n, p)``. The theory requires at least the rank of an optimal X.
        None: determined in the first step, and increased if it was insufficient and the objective stalls.
    weight, combination
        As in :class:`Alternating`.

    Raises
    ------
    OptionError
        *rank* is not a positive integer, or *weight* or *combination* is not a rule.
    """
    return Alternating(Part.LOW_RANK, *_rules(weight, combination), rank)


def _rules(
    weight: WeightRule | None, combination: CombinationRule | None
) -> tuple[WeightRule, CombinationRule]:
    return (
        OpenLoop() if weight is None else weight,
        ExactLineSearch() if combination is None else combination,
    )
