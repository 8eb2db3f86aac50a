"""The two compiled passes over the data that make up an iteration.

Notation: M is the data ``(n, p)``, Y the sparse part ``(n, p)``, X the low-rank part including its offset, X̂
the low-rank endpoint of the step, all frames-major. X and X̂ are given as ``left @ rows`` with ``left (n, K)``,
``rows (K, p)`` and K a multiple of four (zero-padded). Entrywise,

    g = x + y − m                 the gradient of ½‖X + Y − M‖²
    q = m − x̂                     the residual of the low-rank endpoint
    v = κ soft(q − ρ g, θ)        the sparse endpoint, ρ = 1/η − 1; θ = ∞ makes it zero; κ = 1 for a ball
    d = v − q − g                 the change of x + y along the step, (x̂ + v) − (x + y)

and x + y is never formed. One extra entry may be added to v: the vertex of a conditional-gradient step.

A kernel processes the columns ``[lo, hi)`` in tiles that stay in L2 cache. Sums are taken in the working
precision along a row of a tile and in float64 from there on, always in the same order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import compiled, inlined

BLOCK = 4
"""Number of singular directions tracked; the loops below are unrolled for it."""


class Point(NamedTuple):
    """The iterate: ``matrix (n, p)``, ``sparse (n, p)``, ``left (n, K)``, ``rows (K, p)``; row 0 is the offset."""

    matrix: NDArray[np.generic]
    sparse: NDArray[np.floating]
    left: NDArray[np.floating]
    rows: NDArray[np.floating]


class Target(NamedTuple):
    """The endpoint of the step: X̂ as ``left (n, K)``, ``rows (K, p)``; ρ, θ, κ; the extra entry of v.

    ``level`` is λ1 of an elastic net, whose sums :func:`advance` then computes; negative for a ball.
    """

    left: NDArray[np.floating]
    rows: NDArray[np.floating]
    rho: np.floating
    theta: np.floating
    keep: np.floating
    level: np.floating
    row: int
    column: int
    value: np.floating


class Span(NamedTuple):
    """Columns ``[lo, hi)``, in tiles of ``width``; the sample is every ``every``-th tile, counted from column 0."""

    lo: int
    hi: int
    width: int
    every: int
    only_sample: bool


@inlined
def product_row(out, left, rows, i, lo):  # type: ignore[no-untyped-def]
    """Set *out* to row *i* of ``left @ rows``, from column *lo* on."""
    out[:] = 0
    w = out.size
    for k in range(0, rows.shape[0], 4):
        c0, c1, c2, c3 = left[i, k], left[i, k + 1], left[i, k + 2], left[i, k + 3]
        r0, r1 = rows[k, lo : lo + w], rows[k + 1, lo : lo + w]
        r2, r3 = rows[k + 2, lo : lo + w], rows[k + 3, lo : lo + w]
        for j in range(w):
            out[j] += c0 * r0[j] + c1 * r1[j] + c2 * r2[j] + c3 * r3[j]


@inlined
def gradient_row(out, point, i, lo):  # type: ignore[no-untyped-def]
    """Set *out* to row *i* of x + y − m, from column *lo* on."""
    real = out.dtype.type
    w = out.size
    product_row(out, point.left, point.rows, i, lo)
    y, m = point.sparse[i, lo : lo + w], point.matrix[i, lo : lo + w]
    for j in range(w):
        out[j] += y[j] - real(m[j])


@inlined
def soft(a, theta):  # type: ignore[no-untyped-def]
    """Soft-threshold *a* by θ."""
    return a - min(max(a, -theta), theta)


@compiled
def measure(point, target, span, sums):  # type: ignore[no-untyped-def]
    """Accumulate the sums for the threshold search and the line search in *sums* ``(8,)`` float64.

    Σ|v|, #{v ≠ 0}, ⟨d, g⟩, ‖d‖², the number of columns; Σ|v| and the number of columns of the sample; Σv²,
    without the extra entry.
    """
    g = np.empty(span.width, point.sparse.dtype)
    x = np.empty(span.width, point.sparse.dtype)
    for lo in range(span.lo, span.hi, span.width):
        in_sample = (lo // span.width) % span.every == 0
        if span.only_sample and not in_sample:
            continue
        w = min(span.width, span.hi - lo)
        before = sums[0]
        for i in range(point.matrix.shape[0]):
            gradient_row(g[:w], point, i, lo)
            product_row(x[:w], target.left, target.rows, i, lo)
            _measure_row(g[:w], x[:w], point.matrix[i, lo : lo + w], target, sums)
            if i == target.row and lo <= target.column < lo + w:
                _measure_entry(g, x, point.matrix[i, target.column], target, target.column - lo, sums)
        sums[4] += w
        if in_sample:
            sums[5] += sums[0] - before
            sums[6] += w


@inlined
def _measure_row(g, x, m, target, sums):  # type: ignore[no-untyped-def]
    real = g.dtype.type
    rho, theta, keep = target.rho, target.theta, target.keep
    total, count, slope, square, length = real(0), real(0), real(0), real(0), real(0)
    for j in range(g.size):
        q = real(m[j]) - x[j]
        v = keep * soft(q - rho * g[j], theta)
        d = v - q - g[j]
        length += v * v
        total += abs(v)
        count += real(1) if v != 0 else real(0)
        slope += d * g[j]
        square += d * d
    sums[0] += total
    sums[1] += count
    sums[2] += slope
    sums[3] += square
    sums[7] += length


@inlined
def _measure_entry(g, x, m, target, j, sums):  # type: ignore[no-untyped-def]
    """Correct the sums for the extra entry of v."""
    q = g.dtype.type(m) - x[j]
    v = target.keep * soft(q - target.rho * g[j], target.theta)
    d = v - q - g[j]
    sums[0] += abs(v + target.value) - abs(v)
    sums[2] += target.value * g[j]
    sums[3] += target.value * (2 * d + target.value)


@compiled
def advance(point, target, gamma, span, work):  # type: ignore[no-untyped-def]
    """Move y by γ along the step, in place, and take one block power step on the gradient G at the new point.

    *work* holds ``basis (n', 4)``, ``image (4, p)``, ``scratch (n', width)``, ``product (n', 4)`` and
    ``stats (8,)``, the last two float64, n' being n rounded up to a multiple of four; rows of *basis* and
    *scratch* beyond n are zero. Sets the columns of ``image = basisᵀ G``; adds ``G imageᵀ`` to *product*;
    *stats* receives ‖G‖², ⟨G, X + Y − 1·offsetᵀ⟩, the entry of largest magnitude (value, row, column), and for
    an elastic net Σ|y|, Σy² and Σ max(|g| − λ1, 0)².
    """
    basis, image, scratch, product, stats = work
    n = point.matrix.shape[0]
    x = np.empty(span.width, point.sparse.dtype)
    top = np.empty(span.width, point.sparse.dtype)
    for lo in range(span.lo, span.hi, span.width):
        w = min(span.width, span.hi - lo)
        top[:] = 0
        for i in range(n):
            g = scratch[i, :w]
            gradient_row(g, point, i, lo)
            if gamma != 0:
                product_row(x[:w], target.left, target.rows, i, lo)
                _advance_row(g, x[:w], point, target, gamma, i, lo)
            stats_row(g, point.matrix[i, lo : lo + w], point.rows[0, lo : lo + w], top, stats)
            if target.level >= 0:
                _penalty_row(g, point.sparse[i, lo : lo + w], target.level, stats)
        find_peak(scratch, top[:w], n, lo, stats)
        power_tile(basis, image, scratch, product, lo, w)


@inlined
def _advance_row(g, x, point, target, gamma, i, lo):  # type: ignore[no-untyped-def]
    real = g.dtype.type
    rho, theta, keep = target.rho, target.theta, target.keep
    w = g.size
    y, m = point.sparse[i, lo : lo + w], point.matrix[i, lo : lo + w]
    for j in range(w):
        q = real(m[j]) - x[j]
        v = keep * soft(q - rho * g[j], theta)
        y[j] += gamma * (v - y[j])
        g[j] += gamma * (v - q - g[j])
    if i == target.row and lo <= target.column < lo + w:
        y[target.column - lo] += gamma * target.value
        g[target.column - lo] += gamma * target.value


@inlined
def stats_row(g, m, offset, top, stats):  # type: ignore[no-untyped-def]
    """Add a row of the gradient to *stats*, and update the column maxima *top*."""
    real = g.dtype.type
    square, inner = real(0), real(0)
    for j in range(g.size):
        square += g[j] * g[j]
        inner += g[j] * (real(m[j]) - offset[j])
    stats[0] += square
    stats[1] += square + inner
    # An elementwise maximum vectorises; a running scalar maximum costs ten times as much.
    for j in range(g.size):
        top[j] = max(top[j], abs(g[j]))


@inlined
def _penalty_row(g, y, level, stats):  # type: ignore[no-untyped-def]
    real = g.dtype.type
    total, length, beyond = real(0), real(0), real(0)
    for j in range(g.size):
        total += abs(y[j])
        length += y[j] * y[j]
        e = max(abs(g[j]) - level, real(0))
        beyond += e * e
    stats[5] += total
    stats[6] += length
    stats[7] += beyond


@inlined
def find_peak(g, top, n, lo, stats):  # type: ignore[no-untyped-def]
    """Record the entry of largest magnitude of this tile if it exceeds those of earlier tiles."""
    j = np.argmax(top)
    if top[j] <= abs(stats[2]):
        return
    for i in range(n):
        if abs(g[i, j]) == top[j]:
            stats[2], stats[3], stats[4] = g[i, j], i, lo + j
            return


@inlined
def power_tile(basis, image, g, product, lo, w):  # type: ignore[no-untyped-def]
    """Set ``image = basisᵀ g`` and add ``g imageᵀ`` to *product*, for one tile; four rows at a time.

    Rows are sliced one by one: a 2-D slice has strides unknown to the compiler, which then does not vectorise.
    """
    image[:, lo : lo + w] = 0
    for i in range(0, g.shape[0], 4):
        g0, g1, g2, g3 = g[i, :w], g[i + 1, :w], g[i + 2, :w], g[i + 3, :w]
        for k in range(4):
            t = image[k, lo : lo + w]
            u0, u1, u2, u3 = basis[i, k], basis[i + 1, k], basis[i + 2, k], basis[i + 3, k]
            for j in range(w):
                t[j] += u0 * g0[j] + u1 * g1[j] + u2 * g2[j] + u3 * g3[j]
    t0, t1, t2, t3 = (
        image[0, lo : lo + w],
        image[1, lo : lo + w],
        image[2, lo : lo + w],
        image[3, lo : lo + w],
    )
    zero = g.dtype.type(0)
    for i in range(g.shape[0]):
        a0, a1, a2, a3 = zero, zero, zero, zero
        row = g[i, :w]
        for j in range(w):
            a0 += row[j] * t0[j]
            a1 += row[j] * t1[j]
            a2 += row[j] * t2[j]
            a3 += row[j] * t3[j]
        product[i, 0] += a0
        product[i, 1] += a1
        product[i, 2] += a2
        product[i, 3] += a3
