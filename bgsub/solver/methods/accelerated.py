"""Accelerated proximal-gradient methods: both parts take proximal steps from an extrapolated point.

FISTA (Beck and Teboulle 2009, doi:10.1137/080716542) treats (X, Y) as one variable, in which g(X + Y) is 2β-smooth,
and computes full SVDs.

ALT-PGPG is this project's extension of the paper. From the extrapolated point (X̄, Ȳ)::

    Y₊ = prox of  Ȳ − ∇g(X̄ + Ȳ)/β
    X₊ = prox of  X̄ − ∇g(X̄ + Y₊)/β,  truncated to low rank, warm-started from the directions known so far

For the squared loss Y₊ is the exact minimiser given X̄, so the method is Nesterov's for ``F(X) = min_Y f(X, Y)``, whose
smooth part is 1-smooth: the step is twice that of FISTA. A point is accepted only if f does not increase; otherwise the
momentum is reset (O'Donoghue and Candès 2015, doi:10.1007/s10208-013-9150-3). If f increases even without momentum,
which only an inexact SVD can cause, the next SVD is made more accurate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bgsub.solver.arrays import inner
from bgsub.solver.checks import true_or_false, whole_number
from bgsub.solver.engines.dense import DenseEngine
from bgsub.solver.methods.method import Asks, Move
from bgsub.solver.parts import Held, Part
from bgsub.solver.rules.ranks import checked_rank
from bgsub.solver.spectra.atoms import LowRank

STALLED = 0.1
"""An iteration that decreases the objective by less than this fraction counts as stalled."""

PATIENCE = 2
"""The rank grows after this many stalled iterations in a row, if it was insufficient."""

MOST_ACCURATE = 1e-12
"""The SVD tolerance (relative gain of a power step) is not tightened below this."""


@dataclass(frozen=True, slots=True)
class Accelerated:
    """FISTA or ALT-PGPG.

    Attributes
    ----------
    alternating
        True: Y first, then X at the new Y, with the safeguards above (ALT-PGPG). False: both at once (FISTA).
    rank
        Initial rank of the proximal step of X; None to determine it automatically, 0 for full decompositions.

    Raises
    ------
    OptionError
        *rank* is not a nonnegative integer, or *alternating* is not True or False.
    """

    alternating: bool
    rank: int | None

    def __post_init__(self) -> None:
        object.__setattr__(self, "alternating", true_or_false(self.alternating, "alternating of Accelerated"))
        if self.rank is not None:
            object.__setattr__(self, "rank", whole_number(self.rank, "rank of Accelerated"))

    @property
    def name(self) -> str:
        """Name used in messages and reports."""
        return "alt-pgpg" if self.alternating else "fista"

    @property
    def asks(self) -> Asks:
        """Proximal steps for both parts."""
        return ((Part.LOW_RANK, "prox"), (Part.SPARSE, "prox"))

    @property
    def anywhere(self) -> bool:
        """True: extrapolated points need not be feasible."""
        return True

    @property
    def adapts(self) -> bool:
        """True for ALT-PGPG, whose *rank* is only the initial one."""
        return self.alternating

    def begin(self, engine: DenseEngine) -> _Fista | _Alternating:
        """Start a run."""
        return _Alternating(engine) if self.alternating else _Fista(engine)


class _Momentum:
    """Nesterov's sequence ``t₊ = (1 + √(1 + 4t²))/2``, with extrapolation factor ``(t − 1)/t₊``."""

    def __init__(self) -> None:
        self.t = 1.0

    def next(self) -> float:
        before, self.t = self.t, (1 + np.sqrt(1 + 4 * self.t**2)) / 2
        return float((before - 1) / self.t)


class _Fista:
    def __init__(self, engine: DenseEngine) -> None:
        self._engine = engine
        self._momentum = _Momentum()
        self._before = self._here = engine.keep()
        self._moved = False

    def advance(self) -> Move:
        engine = self._engine
        share = self._momentum.next() if self._moved else 0.0
        self._moved = True
        engine.place_between(self._before, self._here, share)
        weight = 2 * engine.problem.loss.beta
        x = engine.prox(Part.LOW_RANK, weight, engine.blocks[Part.SPARSE])
        engine.place(x, engine.descend(Part.SPARSE, weight))
        self._before, self._here = self._here, engine.keep()
        return Move(1.0, share, "fista")


class _Alternating:
    def __init__(self, engine: DenseEngine) -> None:
        self._engine = engine
        self._momentum = _Momentum()
        self._before = self._here = engine.keep()
        self._objective = engine.objective
        self._beta = engine.problem.loss.beta
        self._stalls = 0
        if self._oracle is not None:
            # Truncating below the rank of the current point would discard part of it and increase f.
            self._oracle.known = max(engine.rank, 1)

    def advance(self) -> Move:
        share = self._momentum.next()
        start = self._attempt(share)
        action = "alt-pgpg"
        if self._rises() and share:
            self._momentum = _Momentum()
            self._attempt(0.0)
            self._momentum.next()
            share, action = 0.0, "alt-pgpg (momentum restarted)"
        if self._rises():
            return self._retreat()
        return self._accept(start, share, action)

    def _attempt(self, share: float) -> Held:
        """Take a step from the extrapolated point; return X̄, its low-rank part."""
        engine = self._engine
        engine.place_between(self._before, self._here, share)
        start = engine.blocks[Part.LOW_RANK]
        y = engine.descend(Part.SPARSE, self._beta)
        engine.put_sparse(y)
        engine.place(engine.prox(Part.LOW_RANK, self._beta, y), y)
        return start

    def _rises(self) -> bool:
        """Return whether f has increased by more than the projection error."""
        engine, rise = self._engine, self._engine.objective - self._objective
        return not (rise <= 0 or rise <= engine.inaccuracy)

    def _accept(self, start: Held, share: float, action: str) -> Move:
        engine, oracle = self._engine, self._oracle
        stalled = engine.objective > (1 - STALLED) * self._objective
        self._stalls = self._stalls + 1 if stalled else 0
        self._objective = engine.objective
        self._before, self._here = self._here, engine.keep()
        if share and _turns_back(start, self._here.low_rank, self._before.low_rank):
            self._momentum, self._before = _Momentum(), self._here
            action += " (momentum restarted)"
        elif oracle is not None and self._stalls >= PATIENCE and oracle.grow():
            self._stalls = 0
            return Move(1.0, share, f"{action} (rank grows to {oracle.rank})", unsettled=True)
        return Move(1.0, share, action)

    def _retreat(self) -> Move:
        """Return to the last point; make the next decomposition more accurate or of larger rank."""
        self._engine.place_between(self._here, self._here, 0.0)
        self._before, self._momentum = self._here, _Momentum()
        oracle = self._oracle
        if oracle is not None and not oracle.grow() and oracle.gain > MOST_ACCURATE:
            oracle.gain /= 100
        return Move(0.0, 0.0, "alt-pgpg (refused)", unsettled=True)

    @property
    def _oracle(self) -> Any:
        return self._engine.spectra.get(Part.LOW_RANK)


def _turns_back(extrapolated: Held, here: Held, before: Held) -> bool:
    """Return whether ``⟨X̄ − X, X − X_before⟩ > 0``: the gradient restart criterion."""
    if isinstance(here, LowRank) and isinstance(before, LowRank) and isinstance(extrapolated, LowRank):
        return extrapolated.inner(here) - extrapolated.inner(before) > here.inner(here) - here.inner(before)
    if isinstance(here, LowRank) or isinstance(before, LowRank) or isinstance(extrapolated, LowRank):
        return False
    return inner(extrapolated - here, here - before) > 0


def fista() -> Accelerated:
    """Return FISTA with full SVDs. The objective may increase in individual iterations."""
    return Accelerated(False, 0)


def alt_pgpg(rank: int | None = None) -> Accelerated:
    """Return ALT-PGPG: proximal steps for both parts, low-rank in X. For any pair of terms with a projection or prox.

    Parameters
    ----------
    rank
        Initial rank; None to determine it in the first step. It grows if it was insufficient and f stalls, and shrinks
        as singular values vanish.

    Raises
    ------
    OptionError
        *rank* is not a positive integer.
    """
    return Accelerated(True, checked_rank(rank, "alt_pgpg"))
