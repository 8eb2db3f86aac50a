"""Compiled loops for the projection onto an ℓp ball.

For 1 < p ≤ 2, δ = p − 1 and a multiplier c ≥ 0, every magnitude a ≥ 0 is mapped to the root v of ``v + c·v^δ = a``.
With ``u = v^δ`` this is ``u^{1/δ} + c·u = a``, convex and increasing in u, so Newton's method decreases monotonically
from ``min(a^δ, a/c)``, where the left-hand side is at least a. The derivatives follow from ``D = 1 + cδ·u/v``:

    dv/da = 1/D      d²v/da² = cδ(1 − δ)·(u/v²)/D³      du/da = δ·(u/v)/D      d²u/da² = −δ(1 − δ)·(u/v²)/D³
    Σ v^p = Σ u·v    d(Σ v^p)/dc = −p·Σ u²/D

A root costs several powers. If there are more entries than cells, it is read from a table instead: a cell holds the
floating-point numbers with the same exponent and leading mantissa bits, and on each one a quintic Hermite polynomial
matches value and two derivatives at both ends. It represents v where ``v ≤ a/2`` and u elsewhere, whichever has the
small relative error there; the other follows from ``v + c·u = a`` without cancellation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import compiled, inlined

BLOCK = 1024
"""Entries summed up before they enter the sum over blocks, which keeps rounding close to that of one block."""

MOST_NEWTON = 200

Vector = NDArray[np.float64]


class Grid(NamedTuple):
    """Cells of the magnitudes: ``(bits >> shift) − base`` if positive; everything below falls into cell 0.

    ``scale`` is a power of two that brings the largest magnitude near 1; ``edges (cells + 1,)`` are scaled, the first
    is 0. ``mask`` clears the sign bit; ``rest`` keeps the lowest ``shift`` bits: the position t within a cell.
    """

    shift: int
    base: int
    mask: int
    rest: int
    scale: float
    edges: Vector


class Table(NamedTuple):
    """Six coefficients per cell, for powers of the position t: for v in the cells below ``knee``, otherwise for u."""

    coefficients: Vector
    knee: int


class Rule(NamedTuple):
    """c, δ, and how roots are found: 0 from the table, 1 from the table plus one Newton step, 2 from scratch."""

    c: float
    delta: float
    way: int


@inlined
def root(a, c, delta):  # type: ignore[no-untyped-def]
    """Return (v, u) for one magnitude."""
    if a <= 0.0:
        return 0.0, 0.0
    k = 1.0 / delta
    u = a**delta
    if c * u > a:
        u = a / c
    for _ in range(MOST_NEWTON):
        v = u**k
        step = (v + c * u - a) / (k * (v / u) + c)
        u -= step
        # The error in u is now at most (k/2)·step²/u, and the relative error in v is k times the relative one in u.
        if step <= 1e-8 * delta * u:
            break
    v = u**k
    return (v, u) if 2.0 * v <= a else (a - c * u, u)


@compiled
def measure(points, counts, spreads, c, delta):  # type: ignore[no-untyped-def]
    """Return Σ v^p and Σ u²/D over groups of entries, given their means, numbers and ½·Σ(a − mean)².

    v^p is expanded to second order about the mean of each group, which is exact for groups of one.
    """
    power, slope = 0.0, 0.0
    for i in range(points.size):
        v, u = root(points[i], c, delta)
        if v > 0.0:
            rate = v / (v + c * delta * u)
            bend = delta * (1.0 - delta) * (u / v) * rate * rate * rate
            # (v^p)'' = p·(u′v′ + u·v″)
            second = (1.0 + delta) * (delta * (u / v) * rate * rate + c * bend * (u / v))
            power += counts[i] * u * v + spreads[i] * second
            slope += counts[i] * u * u * rate
    return power, slope


@inlined
def _place(value, bits, grid):  # type: ignore[no-untyped-def]
    """Return the cell of one entry and its position in ``[0, 1)`` within the cell."""
    cell = ((bits & grid.mask) >> grid.shift) - grid.base
    if cell > 0:
        return cell, (bits & grid.rest) * (1.0 / (1 << grid.shift))
    return 0, abs(np.float64(value)) * grid.scale / grid.edges[1]


@inlined
def collect_row(values, bits, grid, moments):  # type: ignore[no-untyped-def]
    """Add the number of entries, Σt and Σt² of every cell to ``moments (cells, 3)``."""
    for i in range(values.size):
        cell, t = _place(values[i], bits[i], grid)
        moments[cell, 0] += 1.0
        moments[cell, 1] += t
        moments[cell, 2] += t * t


@compiled
def collect(values, bits, grid, moments):  # type: ignore[no-untyped-def]
    """Run :func:`collect_row` on an array in memory."""
    collect_row(values, bits, grid, moments)


@inlined
def _derivatives(a, c, delta, wants_v):  # type: ignore[no-untyped-def]
    """Return v or u at a > 0, with its first and second derivative."""
    v, u = root(a, c, delta)
    if v <= 0.0:
        return 0.0, 0.0, 0.0
    ratio = u / v
    rate = 1.0 / (1.0 + c * delta * ratio)
    bend = delta * (1.0 - delta) * (ratio / v) * rate * rate * rate
    if wants_v:
        return v, rate, c * bend
    return u, delta * ratio * rate, -bend


@compiled
def tabulate(edges, c, delta, coefficients):  # type: ignore[no-untyped-def]
    """Fill ``coefficients (cells, 6)``; return the first cell that holds u. Cell 0 is linear."""
    cells = edges.size - 1
    knee = 0
    # v/a increases with a: the cells with v ≤ a/2 come first.
    while knee < cells and c > 0.0 and 2.0 * root(edges[knee + 1], c, delta)[0] <= edges[knee + 1]:
        knee += 1
    coefficients[0, :] = 0.0
    coefficients[0, 1] = _derivatives(edges[1], c, delta, knee > 0)[0]
    f0, d0, e0 = _derivatives(edges[1], c, delta, knee > 1)
    for cell in range(1, cells):
        wants_v = cell < knee
        if cell == knee:
            f0, d0, e0 = _derivatives(edges[cell], c, delta, False)
        f1, d1, e1 = _derivatives(edges[cell + 1], c, delta, wants_v)
        h = edges[cell + 1] - edges[cell]
        rise, a0, a1, b0, b1 = f1 - f0, h * d0, h * d1, h * h * e0, h * h * e1
        coefficients[cell, 0] = f0
        coefficients[cell, 1] = a0
        coefficients[cell, 2] = 0.5 * b0
        coefficients[cell, 3] = 10.0 * rise - 6.0 * a0 - 4.0 * a1 - 1.5 * b0 + 0.5 * b1
        coefficients[cell, 4] = -15.0 * rise + 8.0 * a0 + 7.0 * a1 + 1.5 * b0 - b1
        coefficients[cell, 5] = 6.0 * rise - 3.0 * (a0 + a1) - 0.5 * (b0 - b1)
        f0, d0, e0 = f1, d1, e1
    return knee


@inlined
def shrink_row(values, bits, grid, table, rule, out):  # type: ignore[no-untyped-def]
    """Set out to sign·v of every entry; return the scaled Σ|out|^p.

    Subnormal results are flushed to zero: they slow down everything that reads them.
    """
    real = out.dtype.type
    c, delta, way = rule
    inverse_c = 1.0 / c if c > 0.0 else 0.0
    unscale = 1.0 / grid.scale
    smallest = np.finfo(out.dtype).tiny
    power = 0.0
    for i in range(values.size):
        a = abs(np.float64(values[i])) * grid.scale
        if way == 2:
            v, u = root(a, c, delta)
        else:
            cell, t = _place(values[i], bits[i], grid)
            q = table.coefficients[cell]
            f = q[0] + t * (q[1] + t * (q[2] + t * (q[3] + t * (q[4] + t * q[5]))))
            if cell < table.knee:
                v, u = f, (a - f) * inverse_c
            else:
                v, u = a - c * f, f
            if way == 1 and cell > 0 and v > 0.0:
                w = v**delta
                step = -(v + c * w - a) * v / (v + c * delta * w)
                u = w * (1.0 + delta * step / v)
                v += step
        if c > 0.0 and v * unscale < smallest:
            v, u = 0.0, 0.0
        stored = real(v * unscale)
        # |stored|^p to first order: v^p = u·v, and its derivative is p·u.
        power += u * (v + (1.0 + delta) * (np.float64(stored) * grid.scale - v))
        out[i] = np.copysign(stored, values[i])
    return power


@compiled
def shrink(values, bits, grid, table, rule, out, sums):  # type: ignore[no-untyped-def]
    """Run :func:`shrink_row` on an array in memory; set ``sums (blocks,)`` to the scaled Σ|out|^p of every block."""
    for block in range(sums.size):
        lo, hi = block * BLOCK, min((block + 1) * BLOCK, values.size)
        sums[block] = shrink_row(values[lo:hi], bits[lo:hi], grid, table, rule, out[lo:hi])
