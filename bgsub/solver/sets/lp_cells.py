"""Histogram cells for the magnitudes of many entries, and statistics of each cell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.sets import lp_kernel

OCTAVES = 60
"""Octaves below the largest magnitude that the table resolves; smaller magnitudes are interpolated linearly."""

BITS_OF_MANTISSA = 7
"""Log2 of the minimum number of cells per octave; more for p below 1.05, where the map bends more sharply."""

LARGEST_EXPONENT = 100.0
"""If 1/δ exceeds this, the table would be too large, and every root is computed from scratch."""


@dataclass(frozen=True, slots=True)
class Groups:
    """Grouped magnitudes: mean, number of entries, and half the sum of squared deviations from the mean."""

    points: lp_kernel.Vector
    counts: lp_kernel.Vector
    spreads: lp_kernel.Vector

    def measure(self, c: float, delta: float) -> tuple[float, float]:
        """Return Σ v^p and Σ u²/D; see :mod:`bgsub.solver.sets.lp_kernel`."""
        power, slope = lp_kernel.measure(self.points, self.counts, self.spreads, c, delta)
        return float(power), float(slope)

    def norm(self, q: float) -> float:
        """Return the ℓq norm, to second order about the mean of each group."""
        seen = self.points > 0
        points, counts, spreads = self.points[seen], self.counts[seen], self.spreads[seen]
        if not points.size:
            return 0.0
        top = float(points.max())
        shares = points / top
        with np.errstate(under="ignore"):
            total = float((shares**q * (counts + q * (q - 1) * spreads / points**2)).sum())
        return top * float(total ** (1 / q))


def integers(dtype: np.dtype[Any]) -> Any:
    """Return the integer dtype of the same size as *dtype*, for reinterpreting bits."""
    return np.int32 if dtype == np.float32 else np.int64


def grid_of(dtype: np.dtype[Any], peak: float, delta: float) -> lp_kernel.Grid:
    """Return the cells for entries of magnitude at most *peak* > 0."""
    mantissa, integer = (23 if dtype == np.float32 else 52), integers(dtype)
    finer = max(math.ceil(math.log2(min(1 / delta, LARGEST_EXPONENT) / 20)), 0)
    shift = mantissa - BITS_OF_MANTISSA - finer
    top = int(np.array(peak, dtype).view(integer)) >> shift
    base = max(top - (OCTAVES << (mantissa - shift)), 0)
    scale = 2.0 ** -max(math.frexp(peak)[1], -1000)
    edges = (np.arange(base, top + 2).astype(integer) << shift).view(dtype).astype(np.float64) * scale
    edges[0] = 0.0
    if edges[-1] == np.inf:
        edges[-1] = 1.0
    return lp_kernel.Grid(shift, base, int(np.iinfo(integer).max), (1 << shift) - 1, scale, edges)


def groups_of(grid: lp_kernel.Grid, moments: NDArray[np.float64]) -> Groups:
    """Return the groups, given the number of entries, Σt and Σt² of every cell as ``moments (cells, 3)``."""
    cells = np.flatnonzero(moments[:, 0])
    counts, first, second = moments[cells].T
    mean, width = first / counts, np.diff(grid.edges)[cells]
    spreads = np.maximum(second - counts * mean * mean, 0) * width * width / 2
    return Groups(grid.edges[cells] + mean * width, np.ascontiguousarray(counts), spreads)


def singles(flat: NDArray[Any], grid: lp_kernel.Grid) -> Groups:
    """Return one group per entry."""
    return Groups(np.abs(flat.astype(np.float64)) * grid.scale, np.ones(flat.size), np.zeros(flat.size))


class Roots:
    """Map from magnitudes to roots, for any multiplier: tabulated where that is accurate enough.

    Parameters
    ----------
    grid, delta, dtype
        The cells, δ and the precision of the entries.
    many
        True if there are enough entries to make a table worthwhile.
    """

    def __init__(self, grid: lp_kernel.Grid, delta: float, dtype: np.dtype[Any], many: bool) -> None:
        self.grid, self.delta = grid, delta
        self._way = 2
        if many and 1 / delta <= LARGEST_EXPONENT:
            self._way = 1 if dtype == np.float64 else 0
        self._coefficients = np.zeros((grid.edges.size - 1 if self._way < 2 else 1, 6))

    def __call__(self, c: float) -> tuple[lp_kernel.Table, lp_kernel.Rule]:
        """Return table and rule for c, overwriting those returned before."""
        knee = 0
        if self._way < 2:
            knee = lp_kernel.tabulate(self.grid.edges, c, self.delta, self._coefficients)
        return lp_kernel.Table(self._coefficients, knee), lp_kernel.Rule(c, self.delta, self._way)
