"""What the streamed engine asks of the term of Y."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray

from bgsub.solver.kernels.iteration import Point
from bgsub.solver.kernels.passes import Direction, Sketch
from bgsub.solver.spectra.atoms import Entry, LowRank


class Side(Protocol):
    """What the streamed engine asks about Y; X̂ is the low-rank end of the step, with the offset."""

    @property
    def threshold(self) -> float:
        """The last soft threshold, 0 where there is none."""
        ...

    def vertex(self, peak: Entry) -> Any:
        """Return the end of a conditional-gradient step, given the entry of the gradient of largest modulus."""
        ...

    def prox(self, point: Point, low_rank: LowRank, weight: float) -> tuple[Any, Direction | None]:
        """Return the proximal end, and the sums over the step where the way to it has told them."""
        ...

    def measure(self, point: Point, low_rank: LowRank, end: Any) -> Direction:
        """Return the sums over the step: one pass."""
        ...

    def advance(self, point: Point, low_rank: LowRank, end: Any, step: float, basis: NDArray[Any]) -> Sketch:
        """Move Y and look at the gradient there: one pass."""
        ...

    def look(self, point: Point, basis: NDArray[Any]) -> Sketch:
        """Look at the gradient where the point is: one pass."""
        ...

    def cost(self, sketch: Sketch) -> float:
        """Return R(Y) at the point of the sketch, 0 for a set."""
        ...

    def cost_of_end(self, direction: Direction) -> float:
        """Return R of the end of a step."""
        ...

    def cost_between(self, point: Point, low_rank: LowRank, end: Any, step: float) -> float:
        """Return R after a step that is not taken."""
        ...

    def conjugate(self, point: Point, sketch: Sketch) -> float:
        """Return R*(−G) at the point of the sketch."""
        ...


class SetSide:
    """What is the same for every set: it costs nothing."""

    def cost(self, sketch: Sketch) -> float:
        """Return 0."""
        return 0.0

    def cost_of_end(self, direction: Direction) -> float:
        """Return 0."""
        return 0.0

    def cost_between(self, point: Point, low_rank: LowRank, end: Any, step: float) -> float:
        """Return 0."""
        return 0.0
