"""The compiled passes for an ℓp ball, mapped over all columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.kernels.iteration import Point, Span
from bgsub.solver.kernels.lp import Base, Rows, advance_roots, collect_base, measure_roots
from bgsub.solver.kernels.passes import Direction, Passes, Sketch
from bgsub.solver.kernels.tiles import Workers, chunk_bounds
from bgsub.solver.sets.lp_cells import Groups, groups_of, integers
from bgsub.solver.sets.lp_kernel import Grid, Rule, Table

CHUNKS = 8
"""Maximum number of histograms in memory; fixed, so that sums do not depend on the number of threads."""

Found = tuple[Grid, Table, Rule]
"""The map from magnitudes to roots."""


class RootPasses(Passes):
    """Run the kernels of both modules over one data matrix; parameters as for the base class."""

    def __init__(self, matrix: NDArray[Any], dtype: np.dtype[Any], workers: Workers) -> None:
        super().__init__(matrix, dtype, workers)
        self._rows = [self._buffers() for _ in range(workers.threads)]
        self._few = chunk_bounds(matrix.shape[1], self._width, CHUNKS)

    def _buffers(self) -> Rows:
        values, *others = (np.zeros(self._width, self.dtype) for _ in range(4))
        return Rows(values, values.view(integers(self.dtype)), *others)

    def collect(self, point: Point, base: Base, grid: Grid) -> Groups:
        """Return the magnitudes of a, grouped; one pass over the data."""

        def task(index: int, worker: int) -> NDArray[np.float64]:
            moments = np.zeros((grid.edges.size - 1, 3))
            span = Span(*self._few[index], self._width, 1, False)
            collect_base(point, base, grid, span, self._rows[worker], moments)
            return moments

        return groups_of(grid, self._sum(self._workers.map(task, len(self._few))))

    def measure_roots(self, point: Point, base: Base, found: Found) -> Direction:
        """Return the sums over the step, with the scaled Σ|v|^p as ``total``; one pass over the data."""

        def task(index: int, worker: int) -> NDArray[np.float64]:
            sums = np.zeros(3)
            measure_roots(point, base, found, self._span(index, False), self._rows[worker], sums)
            return sums

        power, slope, square = (float(v) for v in self._sum(self._workers.map(task, len(self._chunks))))
        return Direction(power, 0.0, slope, square, 1.0)

    def advance_roots(
        self, point: Point, base: Base, found: Found, step: float, basis: NDArray[Any]
    ) -> Sketch:
        """Move the sparse part by *step* towards the endpoint, in place; sketch the gradient at the new point."""
        roots = (*found, self.dtype.type(step))

        def run(span: Span, work: tuple[NDArray[Any], ...], worker: int) -> None:
            advance_roots(point, base, roots, span, self._rows[worker], work)

        return self._sketch(run, basis)
