"""The multiplier of the projection on an ℓp ball, found on a histogram and finished on the entries.

The nearest member of ``{V : ‖V‖_p ≤ s}``, 1 < p ≤ 2, to a point A outside keeps the signs and maps the moduli by
``v + c·v^δ = |a|``, δ = p − 1, where c > 0 is the one multiplier for which ‖V‖_p = s. As a function of c,
``‖V‖_p^{−δ}`` is linear in the limit of large c and for p = 2, and nearly so elsewhere: Newton's method is applied to
this form. A bracket guards it: for N moduli of at most 1, ``c ≤ N^{δ/p}/s^δ``, since ``v ≤ (a/c)^{1/δ}``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.sets import lp_kernel
from bgsub.solver.sets.points import Real

ACCURACY = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-6}
"""Relative width below s in which ‖V‖_p is accepted."""

OCTAVES = 60
"""Powers of two below the largest modulus that the table resolves; what is smaller is interpolated linearly."""

BITS_OF_MANTISSA = 7
"""Cells of one octave are at least 2 to this power; more for p below 1.05, where the map bends more sharply."""

LARGEST_EXPONENT = 100.0
"""For 1/δ beyond this the table would be too large, and every root is found from scratch."""

MOST_PASSES = 30
"""Passes after which the best feasible point found is good enough; one or two are usual."""

NEAR = 1e-4
"""A histogram tells the norm of the point to much better than this; nearer to s the entries themselves are asked."""

Measure = Callable[[float], tuple[float, float]]
"""From c to Σ v^p and Σ u²/D; see :mod:`bgsub.solver.sets.lp_kernel`."""


def projected(point: Real, p: float, radius: float, peak: float, start: float) -> tuple[Real, float]:
    """Return the projection of *point* on the ball, and the multiplier c (0 for a member).

    Parameters
    ----------
    point
        float32 or float64, of any shape and memory order, with largest modulus *peak* > 0.
    p, radius
        1 < p ≤ 2 and s > 0.
    start
        A guess at c.
    """
    entries = _Entries(point, p - 1, peak)
    # c has the unit of a^{1 − δ}.
    unit = entries.grid.scale ** (2 - p)
    s, accuracy = radius * entries.grid.scale, ACCURACY[point.dtype]
    c, largest = 0.0, (point.size ** (1 / p) / s) ** (p - 1)
    if _norm(entries.estimate(0.0)[0], p) > s * (1 + NEAR):
        guess = min(start * unit, largest) if start > 0 else 0.0
        c = _search(entries.estimate, p, _Target(s * (1 - accuracy / 2), accuracy / 10, 2 * largest), guess)
    c = _search(entries.shrink, p, _Target(s, accuracy, 2 * largest), c)
    return entries.out.reshape(point.shape), c / unit


class _Entries:
    """All entries of a point, what is known of their distribution, and the result of the last pass over them."""

    def __init__(self, point: Real, delta: float, peak: float) -> None:
        flat = np.ascontiguousarray(point).reshape(-1).view()
        # One memory type for numba, whether the caller's array was writable or not: it compiles once.
        flat.flags.writeable = False
        self.out = np.empty_like(flat)
        self.grid = _grid(flat.dtype, peak, delta)
        self._flat, self._bits = flat, flat.view(np.int32 if flat.itemsize == 4 else np.int64)
        self._delta = delta
        self._sums = np.empty(-(-flat.size // lp_kernel.BLOCK))
        cells = self.grid.edges.size - 1
        many = flat.size > cells
        self._groups = _cells(flat, self._bits, self.grid) if many else _singles(flat, self.grid)
        self._way = 2
        if many and 1 / delta <= LARGEST_EXPONENT:
            self._way = 1 if flat.dtype == np.float64 else 0
        self._coefficients = np.zeros((cells if self._way < 2 else 1, 6))

    def estimate(self, c: float) -> tuple[float, float]:
        """Measure the groups: exact, where every entry is one."""
        groups = self._groups
        power, slope = lp_kernel.measure(groups.points, groups.counts, groups.spreads, c, self._delta)
        return float(power), float(slope)

    def shrink(self, c: float) -> tuple[float, float]:
        """Shrink all entries into ``out``, and measure them; the slope is that of the groups."""
        knee = 0
        if self._way < 2:
            knee = lp_kernel.tabulate(self.grid.edges, c, self._delta, self._coefficients)
        table = lp_kernel.Table(self._coefficients, knee)
        rule = lp_kernel.Rule(c, self._delta, self._way)
        lp_kernel.shrink(self._flat, self._bits, self.grid, table, rule, self.out, self._sums)
        return math.fsum(self._sums), self.estimate(c)[1]


@dataclass(frozen=True, slots=True)
class _Groups:
    """Moduli in groups: mean, number of entries, and half the sum of squared deviations from the mean."""

    points: lp_kernel.Vector
    counts: lp_kernel.Vector
    spreads: lp_kernel.Vector


def _grid(dtype: np.dtype[Any], peak: float, delta: float) -> lp_kernel.Grid:
    mantissa = 23 if dtype == np.float32 else 52
    integer: Any = np.int32 if dtype == np.float32 else np.int64
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


def _cells(flat: NDArray[Any], bits: NDArray[Any], grid: lp_kernel.Grid) -> _Groups:
    moments = np.zeros((grid.edges.size - 1, 3))
    lp_kernel.collect(flat, bits, grid, moments)
    cells = np.flatnonzero(moments[:, 0])
    counts, first, second = moments[cells].T
    mean, width = first / counts, np.diff(grid.edges)[cells]
    spreads = np.maximum(second - counts * mean * mean, 0) * width * width / 2
    return _Groups(grid.edges[cells] + mean * width, np.ascontiguousarray(counts), spreads)


def _singles(flat: NDArray[Any], grid: lp_kernel.Grid) -> _Groups:
    return _Groups(np.abs(flat.astype(np.float64)) * grid.scale, np.ones(flat.size), np.zeros(flat.size))


def _norm(power: float, p: float) -> float:
    return float(power ** (1 / p))


@dataclass(frozen=True, slots=True)
class _Target:
    """``radius·(1 − accuracy) ≤ ‖V‖_p ≤ radius``, and a c that is large enough for the second part."""

    radius: float
    accuracy: float
    largest: float


def _search(measure: Measure, p: float, target: _Target, start: float) -> float:
    """Find c ≥ 0 that meets the target, or 0 if the point lies inside.

    Where rounding leaves no such c, the smallest one found with ``‖V‖_p ≤ radius``. The last call of *measure* is with
    the c that is returned.
    """
    low, high, c = -1.0, target.largest, start
    for _ in range(MOST_PASSES):
        power, slope = measure(c)
        norm = _norm(power, p) / target.radius
        if norm <= 1:
            if norm >= 1 - target.accuracy or c == 0:
                return c
            high = min(high, c)
        else:
            low = max(low, c)
        ratio = power / slope if slope > 0 else 0.0
        c = _next(c, ratio, norm / (1 - target.accuracy / 2), p - 1, (low, high))
        if c in (low, high):
            break
    measure(high)
    return high


def _next(c: float, ratio: float, norm: float, delta: float, bracket: tuple[float, float]) -> float:
    """Return Newton's next multiplier for ``norm = 1`` where it stays inside the bracket, else a point inside.

    *ratio* is Σ v^p over Σ u²/D, so that ``‖V‖^{−δ}`` has the logarithmic derivative ``δ/ratio``.
    """
    low, high = bracket
    # expm1 and log keep the last digits of the difference of two powers.
    newton = c + ratio / delta * math.expm1(delta * math.log(norm)) if ratio > 0 else math.nan
    if low < newton < high and newton > 0:
        return newton
    if low < 0:
        return 0.0
    if newton == c:
        return math.nextafter(c, high if norm > 1 else low)
    return math.sqrt(low * high) if low > 0 else high / 2
