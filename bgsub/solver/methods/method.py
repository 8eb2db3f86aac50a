"""What every method offers the loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from bgsub.solver.parts import Part

Asks = tuple[tuple[Part, str], ...]
"""The capabilities that a method needs, part by part: ``(Part.SPARSE, "prox")`` and so on."""


@dataclass(frozen=True, slots=True)
class Move:
    """What one iteration did.

    Attributes
    ----------
    step, weight
        γ and η.
    action
        Which step it was.
    unsettled
        Whether the next one may do what this one could not: the step was refused and the point left as it was, or the
        rank was raised. How little it changed then says nothing.
    """

    step: float
    weight: float
    action: str
    unsettled: bool = False


class Run(Protocol):
    """A method on its way: it owns whatever it carries from one iteration to the next."""

    def advance(self) -> Move:
        """Do one iteration; the engine is then at the new point."""
        ...


class Method(Protocol):
    """A method and its options; it can begin any number of runs."""

    @property
    def name(self) -> str:
        """What messages, reports and the command line call the method."""
        ...

    @property
    def asks(self) -> Asks:
        """The capabilities that the method needs."""
        ...

    @property
    def anywhere(self) -> bool:
        """Whether the method moves to points that are no convex combinations, which only the dense engine can."""
        ...

    @property
    def rank(self) -> int | None:
        """Rank of the low-rank proximal steps; None to find it, 0 for full decompositions."""
        ...

    @property
    def adapts(self) -> bool:
        """Whether that rank may shrink and grow."""
        ...

    def begin(self, engine: Any) -> Run:
        """Return a run from the point where *engine* is."""
        ...
