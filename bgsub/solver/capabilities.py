"""What methods may ask of a set; a set that lacks it is named before the first iteration.

Each protocol is one capability. A set has those it has; a method casts to what it has asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import numpy as np

from bgsub.errors import IncompatibleProblem
from bgsub.solver.atoms import Entry, LowRank, SingularPair
from bgsub.solver.lazy import LazyMatrix
from bgsub.solver.threshold import S, Threshold


class PairVertex(Protocol):
    """``lmo`` of a low-rank set: a vertex of rank one from the leading singular pair of the gradient."""

    def lmo(self, gradient: SingularPair, /) -> LowRank:
        """Return a minimiser of ⟨X, gradient⟩."""
        ...


class EntryVertex(Protocol):
    """``lmo`` of a sparse set: a vertex with one entry from the entry of largest modulus of the gradient."""

    def lmo(self, gradient: Entry, /) -> Entry:
        """Return a minimiser of ⟨Y, gradient⟩."""
        ...


class Shrinkage(Protocol):
    """``shrinkage``: the projection on the set is soft thresholding, and the set can tell the threshold."""

    def shrinkage(
        self, evaluate: Callable[[float], S], start: float, dtype: np.dtype[Any], accept: float | None = None
    ) -> Threshold[S]:
        """Return the threshold; *evaluate* shrinks the point by a trial one."""
        ...


class LowRankProjection(Protocol):
    """``project_low_rank``: the nearest member of bounded rank, of a matrix that is not formed."""

    def project_low_rank(self, point: LazyMatrix, rank: int) -> LowRank:
        """Return it."""
        ...


def require(part: object, needed: Iterable[str], role: str, method: str) -> None:
    """Raise unless *part* has every one of the *needed* methods.

    Parameters
    ----------
    part
        The set (or penalty, or loss).
    needed
        Names of capabilities, such as ``"lmo"`` or ``"shrinkage"``.
    role
        What the part does in the problem: ``"low-rank"`` or ``"sparse"``.
    method
        The method that asks.

    Raises
    ------
    IncompatibleProblem
        Naming the first capability that is missing.
    """
    for name in needed:
        if not callable(getattr(part, name, None)):
            kind = type(part).__name__
            raise IncompatibleProblem(
                f"{method} needs the capability '{name}' of the {role} set, and {kind} does not have it: "
                "choose another set or another method"
            )
