"""Automatic choice of method: the paper's rule for the first phase, then ALT-PGPG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bgsub.solver.capabilities import lacks
from bgsub.solver.checks import require_kind, true_or_false
from bgsub.solver.methods.accelerated import Accelerated, alt_pgpg
from bgsub.solver.methods.alternating import Alternating, alt_cgpg, alt_pgcg
from bgsub.solver.methods.method import Asks, Method, Move, Run
from bgsub.solver.problem import SplitProblem, require_problem

SLOW = 0.5
"""The first phase ends when an iteration leaves more than this fraction of the objective."""

IDLE = 0.99
"""If an iteration leaves more, the first ALT-PGPG iteration follows at once, so that the run is not declared flat."""

LONGEST = 10
"""Maximum number of iterations in the first phase."""


def paper_rule(problem: SplitProblem) -> Alternating:
    """Return the method given by the paper's rule of thumb (section 4): project the part with the larger set.

    ALT-PGCG if the sparse set has the larger diameter (‖Y‖₁ ≫ ‖X‖_*), ALT-CGPG if the low-rank set does; if a term
    lacks the required step, the other method.

    Raises
    ------
    OptionError
        *problem* is not a SplitProblem.
    """
    require_problem(problem, "paper_rule")
    first, second = alt_pgcg(), alt_cgpg()
    if problem.low_rank.diameter > problem.sparse.diameter:
        first, second = second, first
    return second if lacks(problem, first.asks) and not lacks(problem, second.asks) else first


@dataclass(frozen=True, slots=True)
class Auto:
    """:func:`paper_rule`, followed by ALT-PGPG once progress slows.

    The trace shows which method took each step.

    Attributes
    ----------
    first
        The method of the first phase.
    polish
        The method for the second phase, or None.

    Raises
    ------
    OptionError
        *first* or *polish* is not one of these methods.
    """

    first: Alternating | Accelerated
    polish: Accelerated | None

    def __post_init__(self) -> None:
        require_kind(self.first, Alternating | Accelerated, "first of Auto", "a method such as alt_pgcg()")
        if self.polish is not None:
            require_kind(self.polish, Accelerated, "polish of Auto", "alt_pgpg() or None")

    @property
    def name(self) -> str:
        """Name used in messages and reports."""
        return "auto"

    @property
    def asks(self) -> Asks:
        """The capabilities needed by the first phase."""
        return self.first.asks

    @property
    def anywhere(self) -> bool:
        """True if either phase extrapolates."""
        return self.polish is not None or self.first.anywhere

    @property
    def rank(self) -> int | None:
        """None: the rank of the proximal steps of X is determined automatically."""
        return None

    @property
    def adapts(self) -> bool:
        """True: the rank shrinks and grows."""
        return True

    def begin(self, engine: Any) -> _Run:
        """Start a run."""
        return _Run(self, engine)


class _Run:
    def __init__(self, method: Auto, engine: Any) -> None:
        self._engine = engine
        self._run: Run = method.first.begin(engine)
        self._polish: Method | None = method.polish
        self._left = LONGEST

    def advance(self) -> Move:
        before = self._engine.objective
        move = self._run.advance()
        self._left -= 1
        after = self._engine.objective
        if self._polish is not None and (after > SLOW * before or self._left == 0):
            self._run, self._polish = self._polish.begin(self._engine), None
            if after > IDLE * before:
                return self._run.advance()
        return move


def auto(problem: SplitProblem, polish: bool = True) -> Auto:
    """Return the method for *problem*; with *polish*, ALT-PGPG follows if both terms have a projection or prox.

    ALT-PGPG alone if both terms are penalties without an LMO.

    ALT-PGPG keeps five data-sized arrays, which the first phase on video does not need.

    Raises
    ------
    OptionError
        *problem* is not a SplitProblem, or *polish* is not True or False.
    """
    require_problem(problem, "auto")
    polish = true_or_false(polish, "polish of auto")
    first, follow = paper_rule(problem), alt_pgpg()
    if lacks(problem, follow.asks):
        return Auto(first, None)
    if lacks(problem, first.asks):
        return Auto(follow, None)
    return Auto(first, follow if polish else None)
