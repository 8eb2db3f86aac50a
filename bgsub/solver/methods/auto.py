"""The method of choice: the paper's rule for the first phase, ALT-PGPG to finish."""

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
"""The first phase ends when an iteration leaves more than this share of the objective."""

IDLE = 0.99
"""An iteration that leaves more is followed by the first one of ALT-PGPG at once, lest the run be taken for flat."""

LONGEST = 10
"""Most iterations of the first phase."""


def paper_rule(problem: SplitProblem) -> Alternating:
    """Return the method that the paper's rule of thumb (section 4) names: project the part with the larger set.

    ALT-PGCG if the sparse set has the larger diameter (‖Y‖₁ ≫ ‖X‖_*), ALT-CGPG if the low-rank one has; where a term
    lacks the step that is asked of it, the other one.

    Raises
    ------
    OptionError
        A problem that is none.
    """
    require_problem(problem, "paper_rule")
    first, second = alt_pgcg(), alt_cgpg()
    if problem.low_rank.diameter > problem.sparse.diameter:
        first, second = second, first
    return second if lacks(problem, first.asks) and not lacks(problem, second.asks) else first


@dataclass(frozen=True, slots=True)
class Auto:
    """:func:`paper_rule`, followed by ALT-PGPG as soon as that is slow.

    The rows of the trace say which step did what.

    Attributes
    ----------
    first
        The method of the first phase.
    polish
        The method that follows, or None.

    Raises
    ------
    OptionError
        A method that is none of these.
    """

    first: Alternating | Accelerated
    polish: Accelerated | None

    def __post_init__(self) -> None:
        require_kind(self.first, Alternating | Accelerated, "first of Auto", "a method such as alt_pgcg()")
        if self.polish is not None:
            require_kind(self.polish, Accelerated, "polish of Auto", "alt_pgpg() or None")

    @property
    def name(self) -> str:
        """What messages and reports call the method."""
        return "auto"

    @property
    def asks(self) -> Asks:
        """What the first phase asks for."""
        return self.first.asks

    @property
    def anywhere(self) -> bool:
        """Whether a phase takes extrapolated steps."""
        return self.polish is not None or self.first.anywhere

    @property
    def rank(self) -> int | None:
        """Rank of the proximal steps of X: found."""
        return None

    @property
    def adapts(self) -> bool:
        """The rank shrinks and grows."""
        return True

    def begin(self, engine: Any) -> _Run:
        """Return a run."""
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
    """Return the method for *problem*; *polish*: with ALT-PGPG to follow, where the terms have projections.

    ALT-PGPG alone where both terms are penalties without a conditional-gradient step.

    ALT-PGPG keeps five arrays of the size of the data, which the first phase on video does without.

    Raises
    ------
    OptionError
        A problem that is none, or *polish* neither True nor False.
    """
    require_problem(problem, "auto")
    polish = true_or_false(polish, "polish of auto")
    first, follow = paper_rule(problem), alt_pgpg()
    if lacks(problem, follow.asks):
        return Auto(first, None)
    if lacks(problem, first.asks):
        return Auto(follow, None)
    return Auto(first, follow if polish else None)
