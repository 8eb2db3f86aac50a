"""The passes of the lift, over a point (X, θ) whose sparse part ``κ·soft(M − X, θ)`` is never formed.

M is the data ``(n, p)``, X is ``left @ rows`` with ``left (n, K)``, ``rows (K, p)``, K a multiple of four, row 0 the
offset. Entrywise, r = m − x is the residual of the low-rank part, e = soft(r, θ) its excess over θ, y = κe, and
``−g = x + y − m`` the gradient, g = clip(r, ±θ) + (1 − κ)e. For the ℓ1 ball κ = 1, for the elastic net 1/(1 + 2λ2).
"""

from __future__ import annotations

import numpy as np

from bgsub.base.jit import compiled, inlined
from bgsub.solver.kernels.iteration import BLOCK


@compiled
def settle(matrix, left, rows, limits, span, image, sums):  # type: ignore[no-untyped-def]
    """Compute ``image = leftᵀ g`` (skipped if *image* has no columns) and the sums over columns ``[span.lo, span.hi)``.

    *limits* is (θ, κ), *image* ``(K, p)``; *sums* ``(4,)`` float64 receives Σ|e|, #{e ≠ 0}, ‖g‖² and Σe².
    """
    n = matrix.shape[0]
    g = np.zeros((BLOCK, span.width), rows.dtype)
    for lo in range(span.lo, span.hi, span.width):
        w = min(span.width, span.hi - lo)
        image[:, lo : lo + w] = 0
        for first in range(0, n, BLOCK):
            for i in range(first, min(first + BLOCK, n)):
                _clipped_row(g[i - first, :w], matrix[i, lo : lo + w], left, rows, limits, i, lo, sums)
            if image.shape[1] > 0:
                _add_image(image, left, g, first, min(BLOCK, n - first), lo, w)


@inlined
def _clipped_row(g, m, left, rows, limits, i, lo, sums):  # type: ignore[no-untyped-def]
    """Set *g* to row *i* of g, from column *lo* on, and add to *sums*."""
    w = g.size
    theta, rest = limits[0], g.dtype.type(1) - limits[1]
    g[:] = 0
    for k in range(4, rows.shape[0]):
        c, r = left[i, k], rows[k, lo : lo + w]
        for j in range(w):
            g[j] += c * r[j]
    real = g.dtype.type
    total, count, square, beyond = real(0), real(0), real(0), real(0)
    c0, c1, c2, c3 = left[i, 0], left[i, 1], left[i, 2], left[i, 3]
    r0, r1, r2, r3 = rows[0, lo : lo + w], rows[1, lo : lo + w], rows[2, lo : lo + w], rows[3, lo : lo + w]
    for j in range(w):
        r = real(m[j]) - (g[j] + c0 * r0[j] + c1 * r1[j] + c2 * r2[j] + c3 * r3[j])
        clipped = min(max(r, -theta), theta)
        e = r - clipped
        g[j] = clipped + rest * e
        total += abs(e)
        count += real(1) if e != 0 else real(0)
        square += g[j] * g[j]
        beyond += e * e
    sums[0] += total
    sums[1] += count
    sums[2] += square
    sums[3] += beyond


@inlined
def _add_image(image, left, g, first, count, lo, w):  # type: ignore[no-untyped-def]
    """Add to the image the contribution of *count* rows of *g*, the first being row *first* of the data."""
    zero = g.dtype.type(0)
    g0, g1, g2, g3 = g[0, :w], g[1, :w], g[2, :w], g[3, :w]
    for k in range(image.shape[0]):
        a0 = left[first, k]
        a1 = left[first + 1, k] if count > 1 else zero
        a2 = left[first + 2, k] if count > 2 else zero
        a3 = left[first + 3, k] if count > 3 else zero
        t = image[k, lo : lo + w]
        for j in range(w):
            t[j] += a0 * g0[j] + a1 * g1[j] + a2 * g2[j] + a3 * g3[j]


@compiled
def gradient_tile(matrix, left, rows, limits, span, out, sums):  # type: ignore[no-untyped-def]
    """Set the first columns of *out* to columns ``[span[0], span[1])`` of G = −g, and add up the certificate's sums.

    *sums* ``(6,)`` float64 receives ⟨Z, G⟩ with Z = X + Y − 1·offsetᵀ, ‖G‖², ‖Z‖², Σ|e|, Σe² and, last, max|G|.
    """
    lo, hi = span
    w = hi - lo
    x, peaks = np.empty(w), np.zeros(w)
    for i in range(matrix.shape[0]):
        _low_rank_row(x, left, rows, i, lo)
        _gradient_row(matrix[i, lo:hi], rows[0, lo:hi], x, limits, out[i, :w], sums, peaks)
    for j in range(w):
        sums[5] = max(sums[5], peaks[j])


@inlined
def _low_rank_row(x, left, rows, i, lo):  # type: ignore[no-untyped-def]
    """Set *x* to row *i* of ``left @ rows``, from column *lo* on, in float64."""
    w = x.size
    x[:] = 0
    for k in range(0, rows.shape[0], 4):
        c0, c1 = np.float64(left[i, k]), np.float64(left[i, k + 1])
        c2, c3 = np.float64(left[i, k + 2]), np.float64(left[i, k + 3])
        r0, r1 = rows[k, lo : lo + w], rows[k + 1, lo : lo + w]
        r2, r3 = rows[k + 2, lo : lo + w], rows[k + 3, lo : lo + w]
        for j in range(w):
            x[j] += c0 * r0[j] + c1 * r1[j] + c2 * r2[j] + c3 * r3[j]


@inlined
def _gradient_row(m, offset, x, limits, row, sums, peaks):  # type: ignore[no-untyped-def]
    """Set *row* to part of a row of G; update the column maxima *peaks* (a scalar maximum would not vectorise)."""
    most, rest = np.float64(limits[0]), 1 - np.float64(limits[1])
    inner, square, length, total, beyond = 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(m.size):
        left_over = np.float64(m[j]) - x[j]
        clipped = min(max(left_over, -most), most)
        e = left_over - clipped
        g = clipped + rest * e
        # X + Y = M − g
        z = np.float64(m[j]) - np.float64(offset[j]) - g
        inner -= z * g
        square += g * g
        length += z * z
        total += abs(e)
        beyond += e * e
        size = abs(g)
        peaks[j] = size if size > peaks[j] else peaks[j]
        row[j] = -g
    sums[0] += inner
    sums[1] += square
    sums[2] += length
    sums[3] += total
    sums[4] += beyond
