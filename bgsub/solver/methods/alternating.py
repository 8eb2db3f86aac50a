"""Algorithm 1: one part moves to a vertex, the other to a proximal point that knows this vertex, then both are mixed.

Garber, Kaplan and Sabach, *Improved Complexities of Conditional Gradient-Type Methods with Applications to Robust
Matrix Recovery Problems*. Per iteration t, with ∇ = ∇g(X + Y)::

    W = argmin_W R(W) + ⟨W, ∇⟩                                  (a vertex: conditional gradient)
    V = argmin_V R(V) + ⟨V, ∇⟩ + ½ηβ‖V + W − (X + Y)‖²           (a proximal point)
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
"""Gain of a power step at which the decomposition of a proximal step of X is accurate enough."""

LATEST = 1 << 12
"""The latest iteration of the open loop that a start is taken for."""

STALLED = 0.01
"""A fall of the objective by less than this share, at a rank that was not enough, makes the rank grow."""


@dataclass(frozen=True, slots=True)
class Alternating:
    """Algorithm 1 with the roles of the two parts given.

    Attributes
    ----------
    projected
        The part that takes the proximal step; the other takes the conditional-gradient step.
    weight
        The sequence η_t, 2/(t + 1) by default. From a start other than zero this open loop begins at the t that serves
        it best.
    combination
        The rule for γ, exact line search by default; the objective then never increases.
    rank
        Rank of the proximal step of X, None to find it.

    Raises
    ------
    OptionError
        A rank that is not a whole number of at least one, or a rule that is none.
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
        """A proximal step of one part, a vertex of the other."""
        return ((self.projected.other, "lmo"), (self.projected, "prox"))

    @property
    def anywhere(self) -> bool:
        """No: all points are convex combinations."""
        return False

    @property
    def adapts(self) -> bool:
        """A rank that was asked for stays."""
        return self.rank is None

    def begin(self, engine: Engine) -> _Run:
        """Return a run; a rule other than the experiments' one is given the certified gap at the start as its C."""
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
        """The oracle of the low-rank part, None where the part takes no decomposition."""
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
        # With a smaller η the next end may lie where f falls.
        return Move(step, weight, self._method.name + growth, unsettled=bool(growth) or step == 0)

    def _ends(self, weight: float) -> Ends:
        engine, part = self._engine, self._method.projected
        vertex = engine.lmo(part.other)
        point = engine.prox(part, weight * engine.problem.loss.beta, vertex)
        return Ends(point, vertex) if part is Part.LOW_RANK else Ends(vertex, point)

    def _first_iteration(self) -> int:
        """Return the iteration of the open loop to begin with: 1 from zero, else the power of 2 that lowers f most.

        The ends of a large η lie far from a good point, and every step towards them is next to zero.
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
        """Return by how much the quadratic model of f changes at its best in the step that η would give."""
        trial = self._engine.trial(self._ends(weight), weight)
        step = ExactLineSearch().step(trial)
        return step * trial.slope + step * step * trial.curvature / 2

    def _growth(self, before: float) -> str:
        """Let the rank grow where it was not enough and the objective has stalled; return what to add to the trace."""
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
    """Return ALT-PGCG: Y by a proximal step, X by a vertex. For ‖Y‖₁ ≫ ‖X′‖_*, as in video.

    Raises
    ------
    OptionError
        A rule that is none.
    """
    return Alternating(Part.SPARSE, *_rules(weight, combination))


def alt_cgpg(
    rank: int | None = None, weight: WeightRule | None = None, combination: CombinationRule | None = None
) -> Alternating:
    """Return ALT-CGPG: X by a low-rank proximal step, Y by a vertex. For ‖X′‖_* ≫ ‖Y‖₁.

    Parameters
    ----------
    rank
        Rank r of the proximal step. The theory asks for at least the rank of an optimal X; cut to ``min(n, p)``.
        None: found in the first step, and raised where it was not enough and the objective stalls.
    weight, combination
        As in :class:`Alternating`.

    Raises
    ------
    OptionError
        A rank that is not a whole number of at least one, or a rule that is none.
    """
    return Alternating(Part.LOW_RANK, *_rules(weight, combination), rank)


def _rules(
    weight: WeightRule | None, combination: CombinationRule | None
) -> tuple[WeightRule, CombinationRule]:
    return (
        OpenLoop() if weight is None else weight,
        ExactLineSearch() if combination is None else combination,
    )
