"""The interface between methods and the solver loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from bgsub.solver.parts import Part

Asks = tuple[tuple[Part, str], ...]
"""Capabilities a method needs, part by part: ``(Part.SPARSE, "prox")`` and so on."""


@dataclass(frozen=True, slots=True)
class Move:
    """Record of one iteration.

    Attributes
    ----------
    step, weight
        γ and η.
    action
        Label of the step.
    unsettled
        True if a small change is no sign of convergence: the step was rejected and the point left unchanged, or the
        rank was increased, so the next iteration may succeed where this one did not.
    """

    step: float
    weight: float
    action: str
    unsettled: bool = False


class Run(Protocol):
    """A running method; it owns all state carried from one iteration to the next."""

    def advance(self) -> Move:
        """Perform one iteration, leaving the engine at the new point."""
        ...


class Method(Protocol):
    """A method with its options; it can start any number of runs."""

    @property
    def name(self) -> str:
        """Name used in messages, in reports and on the command line."""
        ...

    @property
    def asks(self) -> Asks:
        """The capabilities the method needs."""
        ...

    @property
    def anywhere(self) -> bool:
        """True if it visits points that are not convex combinations, which only the dense engine supports."""
        ...

    @property
    def rank(self) -> int | None:
        """Rank of the low-rank proximal steps; None to determine it automatically, 0 for full decompositions."""
        ...

    @property
    def adapts(self) -> bool:
        """True if that rank may shrink and grow."""
        ...

    def begin(self, engine: Any) -> Run:
        """Start a run from the engine's current point."""
        ...
