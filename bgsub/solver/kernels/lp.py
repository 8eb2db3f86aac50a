"""The passes of :mod:`.iteration` for an ℓp ball, whose projection solves a scalar equation for each entry.

In the notation used there, ``a = κ q − ρ g`` is the point projected, and v = sign(a)·r with ``r + c·r^δ = |a|``
its projection; see :mod:`bgsub.solver.sets.lp_kernel`. With κ = 0 and ρ = −1, a is the gradient itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import compiled, inlined
from bgsub.solver.kernels.iteration import find_peak, gradient_row, power_tile, product_row, stats_row
from bgsub.solver.sets.lp_kernel import collect_row, shrink_row


class Base(NamedTuple):
    """The data defining a: X̂ as ``left (n, K)``, ``rows (K, p)``; κ, which is 0 or 1; ρ."""

    left: NDArray[np.floating]
    rows: NDArray[np.floating]
    share: np.floating
    rho: np.floating


class Rows(NamedTuple):
    """Row buffers ``(width,)``: a, its bits as integers of the same size, g, x̂ and v."""

    values: NDArray[np.floating]
    bits: NDArray[np.integer]
    gradient: NDArray[np.floating]
    low_rank: NDArray[np.floating]
    end: NDArray[np.floating]


@inlined
def _base_row(values, g, x, m, base):  # type: ignore[no-untyped-def]
    """Set *values* to a row of a."""
    real = values.dtype.type
    share, rho = base.share, base.rho
    for j in range(values.size):
        values[j] = share * (real(m[j]) - x[j]) - rho * g[j]


@compiled
def collect_base(point, base, grid, span, rows, moments):  # type: ignore[no-untyped-def]
    """Add count, Σt and Σt² of the entries of a to the cells of *grid*, ``moments (cells, 3)`` float64."""
    rows.low_rank[:] = 0
    for lo in range(span.lo, span.hi, span.width):
        w = min(span.width, span.hi - lo)
        g, x, values = rows.gradient[:w], rows.low_rank[:w], rows.values[:w]
        for i in range(point.matrix.shape[0]):
            gradient_row(g, point, i, lo)
            if base.share != 0:
                product_row(x, base.left, base.rows, i, lo)
            _base_row(values, g, x, point.matrix[i, lo : lo + w], base)
            collect_row(values, rows.bits[:w], grid, moments)


@compiled
def measure_roots(point, base, roots, span, rows, sums):  # type: ignore[no-untyped-def]
    """Add the scaled Σ|v|^p, ⟨d, g⟩ and ‖d‖² to *sums* ``(3,)`` float64; *roots* is (grid, table, rule)."""
    grid, table, rule = roots
    for lo in range(span.lo, span.hi, span.width):
        w = min(span.width, span.hi - lo)
        g, x, values, v = rows.gradient[:w], rows.low_rank[:w], rows.values[:w], rows.end[:w]
        for i in range(point.matrix.shape[0]):
            m = point.matrix[i, lo : lo + w]
            gradient_row(g, point, i, lo)
            product_row(x, base.left, base.rows, i, lo)
            _base_row(values, g, x, m, base)
            sums[0] += shrink_row(values, rows.bits[:w], grid, table, rule, v)
            _measure_row(g, x, m, v, sums)


@inlined
def _measure_row(g, x, m, v, sums):  # type: ignore[no-untyped-def]
    real = g.dtype.type
    slope, square = real(0), real(0)
    for j in range(g.size):
        d = v[j] - (real(m[j]) - x[j]) - g[j]
        slope += d * g[j]
        square += d * d
    sums[1] += slope
    sums[2] += square


@compiled
def advance_roots(point, base, roots, span, rows, work):  # type: ignore[no-untyped-def]
    """Move y by γ along the step, in place, and sketch the gradient there as :func:`.advance` does.

    *roots* is (grid, table, rule, γ).
    """
    grid, table, rule, gamma = roots
    basis, image, scratch, product, stats = work
    n = point.matrix.shape[0]
    top = np.empty(span.width, point.sparse.dtype)
    for lo in range(span.lo, span.hi, span.width):
        w = min(span.width, span.hi - lo)
        x, values, v = rows.low_rank[:w], rows.values[:w], rows.end[:w]
        top[:] = 0
        for i in range(n):
            g, m = scratch[i, :w], point.matrix[i, lo : lo + w]
            gradient_row(g, point, i, lo)
            product_row(x, base.left, base.rows, i, lo)
            _base_row(values, g, x, m, base)
            shrink_row(values, rows.bits[:w], grid, table, rule, v)
            _advance_row(g, x, m, v, point.sparse[i, lo : lo + w], gamma)
            stats_row(g, m, point.rows[0, lo : lo + w], top, stats)
        find_peak(scratch, top[:w], n, lo, stats)
        power_tile(basis, image, scratch, product, lo, w)


@inlined
def _advance_row(g, x, m, v, y, gamma):  # type: ignore[no-untyped-def]
    real = g.dtype.type
    for j in range(g.size):
        g[j] += gamma * (v[j] - (real(m[j]) - x[j]) - g[j])
        y[j] += gamma * (v[j] - y[j])
