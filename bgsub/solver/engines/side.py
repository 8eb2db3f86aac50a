"""What the streamed engine needs of the term of Y."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray

from bgsub.solver.kernels.iteration import Point
from bgsub.solver.kernels.passes import Direction, Sketch
from bgsub.solver.spectra.atoms import Entry, LowRank


class Side(Protocol):
    """Steps of the term of Y; X̂ is the low-rank endpoint of the step, offset included."""

    @property
    def threshold(self) -> float:
        """The last soft threshold; 0 if there is none."""
        ...

    def vertex(self, peak: Entry) -> Any:
        """Return the endpoint of a conditional-gradient step, given the gradient entry of largest magnitude."""
        ...

    def prox(self, point: Point, low_rank: LowRank, weight: float) -> tuple[Any, Direction | None]:
        """Return the proximal endpoint, and the sums over the step if computing it has produced them."""
        ...

    def measure(self, point: Point, low_rank: LowRank, end: Any) -> Direction:
        """Return the sums over the step: one pass."""
        ...

    def advance(self, point: Point, low_rank: LowRank, end: Any, step: float, basis: NDArray[Any]) -> Sketch:
        """Move Y and sketch the gradient there: one pass."""
        ...

    def look(self, point: Point, basis: NDArray[Any]) -> Sketch:
        """Sketch the gradient at the current point: one pass."""
        ...

    def cost(self, sketch: Sketch) -> float:
        """Return R(Y) at the sketched point; 0 for a set."""
        ...

    def cost_of_end(self, direction: Direction) -> float:
        """Return R at the endpoint of a step."""
        ...

    def cost_between(self, point: Point, low_rank: LowRank, end: Any, step: float) -> float:
        """Return R after a step, without taking it."""
        ...

    def conjugate(self, point: Point, sketch: Sketch) -> float:
        """Return R*(−G) at the sketched point."""
        ...


class SetSide:
    """Common base for sets, whose cost is zero."""

    def cost(self, sketch: Sketch) -> float:
        """Return 0."""
        return 0.0

    def cost_of_end(self, direction: Direction) -> float:
        """Return 0."""
        return 0.0

    def cost_between(self, point: Point, low_rank: LowRank, end: Any, step: float) -> float:
        """Return 0."""
        return 0.0
