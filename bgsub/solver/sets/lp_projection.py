"""The multiplier of the projection onto an ℓp ball, found on a histogram and refined on the entries.

The projection of a point A outside ``{V : ‖V‖_p ≤ s}``, 1 < p ≤ 2, keeps the signs and maps the magnitudes by
``v + c·v^δ = |a|``, δ = p − 1, with the unique multiplier c > 0 for which ‖V‖_p = s. As a function of c,
``‖V‖_p^{−δ}`` is linear for p = 2 and in the limit of large c, and nearly so elsewhere, so Newton's method is applied
to it. It is safeguarded by a bracket: for N magnitudes of at most 1, ``c ≤ N^{δ/p}/s^δ``, since ``v ≤ (a/c)^{1/δ}``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from bgsub.solver.sets import lp_kernel
from bgsub.solver.sets.lp_cells import Groups, Roots, grid_of, groups_of, integers, singles
from bgsub.solver.sets.points import Real

ACCURACY = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-6}
"""Relative amount by which ‖V‖_p may fall short of s."""

MOST_PASSES = 30
"""Number of passes after which the best feasible point is accepted; one or two are typical."""

NEAR = 1e-4
"""The norm from the histogram is far more accurate than this; closer to s the entries themselves are used."""

Measure = Callable[[float], tuple[float, float]]
"""Map from c to Σ v^p and Σ u²/D; see :mod:`bgsub.solver.sets.lp_kernel`."""


class Entries(Protocol):
    """Entries to be shrunk, wherever they are stored.

    Attributes
    ----------
    grid
        The cells of their magnitudes, and the scale of everything below.
    """

    grid: lp_kernel.Grid

    def estimate(self, c: float) -> tuple[float, float]:
        """Return Σ v^p and Σ u²/D, estimated from the groups."""
        ...

    def shrink(self, c: float) -> tuple[float, float]:
        """Return Σ v^p over the entries themselves, and the slope from the groups: one pass."""
        ...


def projected(point: Real, p: float, radius: float, peak: float, start: float) -> tuple[Real, float]:
    """Return the projection of *point* onto the ball, and the multiplier c (0 for a member).

    Parameters
    ----------
    point
        float32 or float64, of any shape and memory order, with largest magnitude *peak* > 0.
    p, radius
        1 < p ≤ 2 and s > 0.
    start
        Initial guess for c.
    """
    entries = _Held(point, p - 1, peak)
    c = find_multiplier(entries, (point.size, point.dtype), p, radius, start)
    return entries.out.reshape(point.shape), c


def find_multiplier(
    entries: Entries, kind: tuple[int, np.dtype[Any]], p: float, radius: float, start: float
) -> float:
    """Return the multiplier c for which ‖V‖_p is the radius, 0 for a member; the last pass uses this c.

    *kind* is the number of entries and their precision; the others are as in :func:`projected`.
    """
    size, dtype = kind
    # c has the units of a^{1 − δ}.
    unit = entries.grid.scale ** (2 - p)
    s, accuracy = radius * entries.grid.scale, ACCURACY[dtype]
    c, largest = 0.0, (size ** (1 / p) / s) ** (p - 1)
    if _norm(entries.estimate(0.0)[0], p) > s * (1 + NEAR):
        guess = min(start * unit, largest) if start > 0 else 0.0
        c = _search(entries.estimate, p, _Target(s * (1 - accuracy / 2), accuracy / 10, 2 * largest), guess)
    return float(_search(entries.shrink, p, _Target(s, accuracy, 2 * largest), c) / unit)


class _Held:
    """A point in memory, the distribution of its entries, and the result of the last pass."""

    def __init__(self, point: Real, delta: float, peak: float) -> None:
        flat = np.ascontiguousarray(point).reshape(-1).view()
        # Always read-only, so that numba compiles for a single array type.
        flat.flags.writeable = False
        self.out = np.empty_like(flat)
        self.grid = grid_of(flat.dtype, peak, delta)
        self._flat, self._bits = flat, flat.view(integers(flat.dtype))
        self._sums = np.empty(-(-flat.size // lp_kernel.BLOCK))
        many = flat.size > self.grid.edges.size - 1
        self._roots = Roots(self.grid, delta, flat.dtype, many)
        self._groups = self._collected() if many else singles(flat, self.grid)

    def _collected(self) -> Groups:
        moments = np.zeros((self.grid.edges.size - 1, 3))
        lp_kernel.collect(self._flat, self._bits, self.grid, moments)
        return groups_of(self.grid, moments)

    def estimate(self, c: float) -> tuple[float, float]:
        """Return the sums over the groups: exact if every entry is one."""
        return self._groups.measure(c, self._roots.delta)

    def shrink(self, c: float) -> tuple[float, float]:
        """Shrink all entries into ``out`` and sum them; the slope is estimated from the groups."""
        lp_kernel.shrink(self._flat, self._bits, self.grid, *self._roots(c), self.out, self._sums)
        return math.fsum(self._sums), self.estimate(c)[1]


def _norm(power: float, p: float) -> float:
    return float(power ** (1 / p))


@dataclass(frozen=True, slots=True)
class _Target:
    """``radius·(1 − accuracy) ≤ ‖V‖_p ≤ radius``, and a c large enough for the second inequality."""

    radius: float
    accuracy: float
    largest: float


def _search(measure: Measure, p: float, target: _Target, start: float) -> float:
    """Find c ≥ 0 that meets the target, or 0 if the point lies inside.

    If rounding leaves no such c, the smallest one found with ``‖V‖_p ≤ radius``. The last call of *measure* is for the
    c returned.
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
    """Return the next Newton iterate for ``norm = 1`` if it lies inside the bracket, else another point inside.

    *ratio* is Σ v^p over Σ u²/D, so the logarithmic derivative of ``‖V‖^{−δ}`` is ``δ/ratio``.
    """
    low, high = bracket
    # expm1 and log preserve the last digits of the difference of two powers.
    newton = c + ratio / delta * math.expm1(delta * math.log(norm)) if ratio > 0 else math.nan
    if low < newton < high and newton > 0:
        return newton
    if low < 0:
        return 0.0
    if newton == c:
        return math.nextafter(c, high if norm > 1 else low)
    return math.sqrt(low * high) if low > 0 else high / 2
