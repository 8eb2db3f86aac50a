"""The passes of the dense engine, compiled: each reads or writes its arrays once.

Z is X′ + Y, G the gradient of g at it, D a direction, all ``(n, p)`` and of one dtype. Sums are taken in the working
precision along one row, and in float64 from there on, always in the same order.
"""

from __future__ import annotations

import numpy as np

from bgsub.solver.jit import compiled
from bgsub.solver.kernels import find_peak, power_tile


@compiled
def look(z, g, span, work):  # type: ignore[no-untyped-def]
    """Take one block power step on G, over the columns ``[span.lo, span.hi)``.

    *work* and what is done to it are those of :func:`bgsub.solver.kernels.advance`; *stats* receives ‖G‖², ⟨G, Z⟩ and
    the entry of largest modulus (value, row, column).
    """
    basis, image, scratch, product, stats = work
    n = g.shape[0]
    top = np.empty(span.width, g.dtype)
    for lo in range(span.lo, span.hi, span.width):
        w = min(span.width, span.hi - lo)
        top[:] = 0
        for i in range(n):
            _copy_row(scratch[i, :w], z[i, lo : lo + w], g[i, lo : lo + w], top, stats)
        find_peak(scratch, top[:w], n, lo, stats)
        power_tile(basis, image, scratch, product, lo, w)


@compiled
def _copy_row(out, z, g, top, stats):  # type: ignore[no-untyped-def]
    square, inner = g.dtype.type(0), g.dtype.type(0)
    for j in range(g.size):
        out[j] = g[j]
        square += g[j] * g[j]
        inner += g[j] * z[j]
    stats[0] += square
    stats[1] += inner
    for j in range(g.size):
        top[j] = max(top[j], abs(g[j]))


@compiled
def towards(z, g, left, right, d, lo, hi, sums):  # type: ignore[no-untyped-def]
    """Set rows ``[lo, hi)`` of ``D = D + left rightᵀ − Z``; add ⟨D, G⟩ and ‖D‖² to *sums* ``(2,)`` float64.

    *left* is ``(n, k)``, *right* ``(k, p)``.
    """
    for i in range(lo, hi):
        row, zi, gi = d[i], z[i], g[i]
        slope, square = g.dtype.type(0), g.dtype.type(0)
        for k in range(right.shape[0]):
            c, r = left[i, k], right[k]
            for j in range(row.size):
                row[j] += c * r[j]
        for j in range(row.size):
            row[j] -= zi[j]
            slope += row[j] * gi[j]
            square += row[j] * row[j]
        sums[0] += slope
        sums[1] += square


@compiled
def shift(z, d, g, gamma, moves_gradient, lo, hi):  # type: ignore[no-untyped-def]
    """Add γD to rows ``[lo, hi)`` of Z, and to those of G if *moves_gradient* (the squared loss)."""
    for i in range(lo, hi):
        zi, di, gi = z[i], d[i], g[i]
        for j in range(zi.size):
            zi[j] += gamma * di[j]
        if moves_gradient:
            for j in range(zi.size):
                gi[j] += gamma * di[j]


@compiled
def shrink_sums(a, theta, lo, hi, sums):  # type: ignore[no-untyped-def]
    """Add Σ(|a| − θ)₊ and the number of entries with |a| > θ over rows ``[lo, hi)`` to *sums* ``(2,)`` float64."""
    for i in range(lo, hi):
        row = a[i]
        total, count = a.dtype.type(0), a.dtype.type(0)
        for j in range(row.size):
            over = max(abs(row[j]) - theta, a.dtype.type(0))
            total += over
            count += a.dtype.type(1) if over > 0 else a.dtype.type(0)
        sums[0] += total
        sums[1] += count


@compiled
def base(z, g, factor, left, right, out, lo, hi):  # type: ignore[no-untyped-def]
    """Set rows ``[lo, hi)`` of *out* to ``Z + factor·G − left right``; *left* is ``(n, k)``, *right* ``(k, p)``."""
    for i in range(lo, hi):
        row, zi, gi = out[i], z[i], g[i]
        for j in range(row.size):
            row[j] = zi[j] + factor * gi[j]
        for k in range(right.shape[0]):
            c, r = left[i, k], right[k]
            for j in range(row.size):
                row[j] -= c * r[j]


@compiled
def soften(a, theta, lo, hi):  # type: ignore[no-untyped-def]
    """Shrink rows ``[lo, hi)`` of *a* towards zero by θ, in place."""
    for i in range(lo, hi):
        row = a[i]
        for j in range(row.size):
            row[j] -= min(max(row[j], -theta), theta)
