"""Capabilities that methods require of a term; a missing one is reported before the first iteration.

Each protocol is one capability. A method casts a term to the protocols it has required.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import IncompatibleProblem
from bgsub.solver.parts import Part
from bgsub.solver.spectra.atoms import LowRank, SingularPair
from bgsub.solver.threshold import S, Threshold

if TYPE_CHECKING:
    from bgsub.solver.problem import SplitProblem

STEPS = {
    "lmo": (("lmo",), "a conditional-gradient step (lmo)"),
    "prox": (("project", "prox", "shrink_values"), "a proximal step (project or prox)"),
}
"""For each capability, the term methods (any one suffices) and its description in messages."""


class PairVertex(Protocol):
    """``lmo`` of a low-rank set: a rank-one vertex from the leading singular pair of the gradient."""

    def lmo(self, gradient: SingularPair, /) -> LowRank:
        """Return a minimiser of ⟨X, gradient⟩."""
        ...


class Shrinkage(Protocol):
    """``shrinkage``: the projection onto the set is soft thresholding, and the set finds the threshold."""

    def shrinkage(
        self, evaluate: Callable[[float], S], start: float, dtype: np.dtype[Any], accept: float | None = None
    ) -> Threshold[S]:
        """Return the threshold; *evaluate* shrinks the point by a trial threshold."""
        ...


def is_spectral(term: object) -> bool:
    """Return whether a term acts on singular values or eigenvalues."""
    return callable(getattr(term, "shrink_values", None))


def proximal(term: Any, point: NDArray[Any], weight: float) -> NDArray[Any]:
    """Return the projection of *point* onto a set, or its prox ``argmin R(V) + ½·weight·‖V − point‖²``."""
    if callable(getattr(term, "project", None)):
        return np.asarray(term.project(point))
    return np.asarray(term.prox(point, weight))


def lacks(problem: SplitProblem, asks: Iterable[tuple[Part, str]]) -> list[tuple[Part, str]]:
    """Return the capabilities in *asks* that the terms of *problem* lack."""
    return [
        (part, step)
        for part, step in asks
        if not any(callable(getattr(problem.term(part), name, None)) for name in STEPS[step][0])
    ]


def require(problem: SplitProblem, asks: Iterable[tuple[Part, str]], method: str) -> None:
    """Raise unless the terms of *problem* have the capabilities in *asks*.

    Raises
    ------
    IncompatibleProblem
        Names the first missing capability.
    """
    for part, step in lacks(problem, asks):
        kind = type(problem.term(part)).__name__
        raise IncompatibleProblem(
            f"{method} needs {STEPS[step][1]} of the {part.value} term, and {kind} does not have it: "
            "choose another term or another method"
        )
