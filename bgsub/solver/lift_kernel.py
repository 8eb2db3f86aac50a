"""The pass of the lift: everything about a point (X, θ) whose sparse part is ``soft(M − X, θ)`` and never written down.

M is the data ``(n, p)``, X is ``left @ rows`` with ``left (n, K)``, ``rows (K, p)``, K a multiple of four, row 0 the
offset. In every entry r = m − x is what the low-rank part leaves, and ``−g = x + y − m = −clip(r, ±θ)`` the gradient.
"""

from __future__ import annotations

import numpy as np

from bgsub.solver.jit import compiled
from bgsub.solver.kernels import product_row


@compiled
def settle(matrix, left, rows, theta, span, image, sums):  # type: ignore[no-untyped-def]
    """Set the columns of ``image = leftᵀ g`` and add up, for ``[span.lo, span.hi)``.

    *image* is ``(K, p)``; *sums* ``(3,)`` float64 receives Σ(|r| − θ)₊, #{|r| > θ} and ‖g‖².
    """
    g = np.empty(span.width, rows.dtype)
    for lo in range(span.lo, span.hi, span.width):
        w = min(span.width, span.hi - lo)
        image[:, lo : lo + w] = 0
        for i in range(matrix.shape[0]):
            product_row(g[:w], left, rows, i, lo)
            _clip_row(g[:w], matrix[i, lo : lo + w], theta, sums)
            for k in range(0, rows.shape[0], 4):
                c0, c1, c2, c3 = left[i, k], left[i, k + 1], left[i, k + 2], left[i, k + 3]
                t0, t1 = image[k, lo : lo + w], image[k + 1, lo : lo + w]
                t2, t3 = image[k + 2, lo : lo + w], image[k + 3, lo : lo + w]
                for j in range(w):
                    t0[j] += c0 * g[j]
                    t1[j] += c1 * g[j]
                    t2[j] += c2 * g[j]
                    t3[j] += c3 * g[j]


@compiled
def _clip_row(g, m, theta, sums):  # type: ignore[no-untyped-def]
    """Turn *g* from x into clip(m − x, ±θ)."""
    real = g.dtype.type
    total, count, square = real(0), real(0), real(0)
    for j in range(g.size):
        r = real(m[j]) - g[j]
        g[j] = min(max(r, -theta), theta)
        total += abs(r - g[j])
        count += real(1) if abs(r) > theta else real(0)
        square += g[j] * g[j]
    sums[0] += total
    sums[1] += count
    sums[2] += square


@compiled
def gradient_tile(matrix, left, rows, theta, lo, out, sums):  # type: ignore[no-untyped-def]
    """Set *out* ``(n, w)`` to G = −g from column *lo*, and add up what a certificate asks for.

    *sums* ``(3,)`` float64 receives ⟨Z, G⟩ of Z = X + Y − 1·offsetᵀ, ‖G‖² and ‖Z‖².
    """
    n, w = out.shape
    offset = rows[0, lo : lo + w]
    x, most = np.empty(w), np.float64(theta)
    for i in range(n):
        x[:] = 0
        for k in range(rows.shape[0]):
            c, r = np.float64(left[i, k]), rows[k, lo : lo + w]
            for j in range(w):
                x[j] += c * np.float64(r[j])
        inner, square, length = 0.0, 0.0, 0.0
        m, row = matrix[i, lo : lo + w], out[i]
        for j in range(w):
            left_over = np.float64(m[j]) - x[j]
            g = min(max(left_over, -most), most)
            # X + Y = M − g
            z = np.float64(m[j]) - np.float64(offset[j]) - g
            inner -= z * g
            square += g * g
            length += z * z
            row[j] = -g
        sums[0] += inner
        sums[1] += square
        sums[2] += length
