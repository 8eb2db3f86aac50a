"""Conditional-gradient methods: both parts step towards LMO vertices.

CGCG is the Frank–Wolfe method on the product of the two sets (Jaggi 2013). CGCG-P is FW-P of Mu, Zhang, Wright and
Goldfarb (*Scalable robust matrix recovery: Frank–Wolfe meets proximal methods*, 2016), which adds a proximal step of Y.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bgsub.solver.checks import require_kind, true_or_false
from bgsub.solver.engines.engine import Engine
from bgsub.solver.methods.method import Asks, Move
from bgsub.solver.parts import Ends, Part
from bgsub.solver.rules.combination import ExactLineSearch
from bgsub.solver.rules.rule import CombinationRule


@dataclass(frozen=True, slots=True)
class Conditional:
    """LMO steps for both parts, combined by *combination*; with *correct*, then a proximal step of Y with weight β.

    Raises
    ------
    OptionError
        *combination* is not a rule, or *correct* is not True or False.
    """

    correct: bool = False
    combination: CombinationRule = field(default_factory=ExactLineSearch)

    def __post_init__(self) -> None:
        object.__setattr__(self, "correct", true_or_false(self.correct, "correct of Conditional"))
        require_kind(
            self.combination,
            CombinationRule,
            f"combination of {self.name}",
            "a rule for γ such as ExactLineSearch()",
        )

    @property
    def name(self) -> str:
        """The method's name in the paper."""
        return "cgcg-p" if self.correct else "cgcg"

    @property
    def asks(self) -> Asks:
        """An LMO for both parts; for CGCG-P also a proximal step of Y."""
        vertices: Asks = ((Part.LOW_RANK, "lmo"), (Part.SPARSE, "lmo"))
        return (*vertices, (Part.SPARSE, "prox")) if self.correct else vertices

    @property
    def anywhere(self) -> bool:
        """False: all points are convex combinations."""
        return False

    @property
    def rank(self) -> int | None:
        """None: there is no proximal step of X."""
        return None

    @property
    def adapts(self) -> bool:
        """False: there is no rank to adapt."""
        return False

    def begin(self, engine: Engine) -> _Run:
        """Start a run."""
        return _Run(self, engine)


class _Run:
    def __init__(self, method: Conditional, engine: Engine) -> None:
        self._method = method
        self._engine = engine
        self._iteration = 0

    def advance(self) -> Move:
        self._iteration += 1
        engine, weight = self._engine, 2 / (self._iteration + 1)
        ends = Ends(engine.lmo(Part.LOW_RANK), engine.lmo(Part.SPARSE))
        step = self._method.combination.step(engine.trial(ends, weight))
        engine.move(ends, step)
        if self._method.correct:
            here = engine.here(Part.LOW_RANK)
            beta = engine.problem.loss.beta
            engine.move(Ends(here, engine.prox(Part.SPARSE, beta, here)), 1.0)
        return Move(step, weight, self._method.name)


def cgcg(combination: CombinationRule | None = None) -> Conditional:
    """Return CGCG: conditional-gradient steps for both parts."""
    return Conditional(False, ExactLineSearch() if combination is None else combination)


def cgcg_p(combination: CombinationRule | None = None) -> Conditional:
    """Return CGCG-P (FW-P): CGCG plus a proximal step of Y in each iteration, which never increases f."""
    return Conditional(True, ExactLineSearch() if combination is None else combination)
