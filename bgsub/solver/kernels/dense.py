"""Compiled passes of the dense engine; each reads or writes its arrays once.

Z is X′ + Y, G the gradient of g at Z, D a direction, all ``(n, p)`` and of one dtype. Sums are taken in the
working precision along a row, and in float64 from there on, always in the same order.
"""

from __future__ import annotations

from bgsub.base.jit import compiled


@compiled
def survey(z, g, lo, hi, top, stats):  # type: ignore[no-untyped-def]
    """Add ‖G‖² and ⟨G, Z⟩ over rows ``[lo, hi)`` to *stats*; set its last three to the peak's value, row and column.

    *stats* is ``(5,)`` float64, *top* a scratch array ``(p,)`` of zeros.
    """
    for i in range(lo, hi):
        zi, gi = z[i], g[i]
        square, inner = g.dtype.type(0), g.dtype.type(0)
        for j in range(gi.size):
            square += gi[j] * gi[j]
            inner += gi[j] * zi[j]
        stats[0] += square
        stats[1] += inner
        for j in range(gi.size):
            top[j] = max(top[j], abs(gi[j]))
    column = 0
    for j in range(top.size):
        column = j if top[j] > top[column] else column
    for i in range(lo, hi):
        if abs(g[i, column]) == top[column]:
            stats[2], stats[3], stats[4] = g[i, column], i, column
            return


@compiled
def towards(z, g, left, right, d, lo, hi, sums):  # type: ignore[no-untyped-def]
    """Set rows ``[lo, hi)`` of ``D = D + left right − Z``; add ⟨D, G⟩ and ‖D‖² to *sums* ``(2,)`` float64.

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
    """Add Σ(|a| − θ)₊ and #{|a| > θ} over rows ``[lo, hi)`` to *sums* ``(2,)`` float64."""
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
    """Soft-threshold rows ``[lo, hi)`` of *a* by θ, in place."""
    for i in range(lo, hi):
        row = a[i]
        for j in range(row.size):
            row[j] -= min(max(row[j], -theta), theta)
