"""What methods may ask of a term; a term that lacks it is named before the first iteration.

Each protocol is one capability. A term has those it has; a method casts to what it has asked for.
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
"""What a method may ask for: the methods of a term of which one is enough, and how messages call it."""


class PairVertex(Protocol):
    """``lmo`` of a low-rank set: a vertex of rank one from the leading singular pair of the gradient."""

    def lmo(self, gradient: SingularPair, /) -> LowRank:
        """Return a minimiser of ⟨X, gradient⟩."""
        ...


class Shrinkage(Protocol):
    """``shrinkage``: the projection on the set is soft thresholding, and the set can tell the threshold."""

    def shrinkage(
        self, evaluate: Callable[[float], S], start: float, dtype: np.dtype[Any], accept: float | None = None
    ) -> Threshold[S]:
        """Return the threshold; *evaluate* shrinks the point by a trial one."""
        ...


def is_spectral(term: object) -> bool:
    """Tell whether a term looks at singular values or eigenvalues."""
    return callable(getattr(term, "shrink_values", None))


def proximal(term: Any, point: NDArray[Any], weight: float) -> NDArray[Any]:
    """Return the projection of *point* on a set, or its proximal point ``argmin R(V) + ½·weight·‖V − point‖²``."""
    if callable(getattr(term, "project", None)):
        return np.asarray(term.project(point))
    return np.asarray(term.prox(point, weight))


def lacks(problem: SplitProblem, asks: Iterable[tuple[Part, str]]) -> list[tuple[Part, str]]:
    """Return those of the capabilities asked for that the terms of *problem* do not have."""
    return [
        (part, step)
        for part, step in asks
        if not any(callable(getattr(problem.term(part), name, None)) for name in STEPS[step][0])
    ]


def require(problem: SplitProblem, asks: Iterable[tuple[Part, str]], method: str) -> None:
    """Raise unless the terms of *problem* have what *method* asks for.

    Raises
    ------
    IncompatibleProblem
        Naming the first capability that is missing.
    """
    for part, step in lacks(problem, asks):
        kind = type(problem.term(part)).__name__
        raise IncompatibleProblem(
            f"{method} needs {STEPS[step][1]} of the {part.value} term, and {kind} does not have it: "
            "choose another term or another method"
        )
