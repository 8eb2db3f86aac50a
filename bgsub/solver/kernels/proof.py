"""The pass behind the certificate: the Gram matrix of the gradient and the sums of the gap, all in float64.

The product is hand-written rather than left to BLAS: on a busy machine BLAS threads wait for each other in every
small block, at several times the cost of the work, and BLAS must not be called from several threads at once.
"""

from __future__ import annotations

import numpy as np

from bgsub.base.jit import compiled, inlined


@compiled
def prove(point, span, scratch, gram, sums, dual):  # type: ignore[no-untyped-def]
    """Accumulate the sums over columns ``[span.lo, span.hi)`` of G = X + Y − M and Z = X + Y − 1·offsetᵀ.

    *scratch* is ``(n', width)`` float64, n' being n rounded up to a multiple of four, with zero rows beyond n.
    *gram* ``(n', n')`` float64 receives the blocks on and above the diagonal of G Gᵀ; *sums* ``(9,)`` float64
    receives ⟨Z, G⟩, ‖G‖²_F, ‖Z‖²_F and max|g|. *dual* is (λ1, q): if λ1 ≥ 0, Σ|y|, Σy² and Σ max(|g| − λ1, 0)²
    follow; if q > 0, the largest magnitude a and Σ(|g|/a)^q.
    """
    level, power = dual
    for lo in range(span.lo, span.hi, span.width):
        w = min(span.width, span.hi - lo)
        for i in range(point.matrix.shape[0]):
            _prove_row(scratch[i, :w], point, i, lo, sums)
            if level >= 0:
                _net_row(scratch[i, :w], point.sparse[i, lo : lo + w], level, sums)
            if power > 0:
                _power_row(scratch[i, :w], power, sums)
        _gram_tile(scratch, w, gram)


@inlined
def _prove_row(g, point, i, lo, sums):  # type: ignore[no-untyped-def]
    w = g.size
    y, m, offset = point.sparse[i, lo : lo + w], point.matrix[i, lo : lo + w], point.rows[0, lo : lo + w]
    g[:] = 0
    for k in range(point.rows.shape[0]):
        c, r = np.float64(point.left[i, k]), point.rows[k, lo : lo + w]
        for j in range(w):
            g[j] += c * np.float64(r[j])
    inner, square, length = 0.0, 0.0, 0.0
    for j in range(w):
        x = g[j]
        g[j] = x + (np.float64(y[j]) - np.float64(m[j]))
        z = (x - np.float64(offset[j])) + np.float64(y[j])
        inner += z * g[j]
        square += g[j] * g[j]
        length += z * z
    sums[0] += inner
    sums[1] += square
    sums[2] += length
    sums[3] = max(sums[3], np.max(np.abs(g)))


@inlined
def _net_row(g, y, level, sums):  # type: ignore[no-untyped-def]
    total, length, beyond = 0.0, 0.0, 0.0
    for j in range(g.size):
        a, e = np.float64(y[j]), max(abs(g[j]) - level, 0.0)
        total += abs(a)
        length += a * a
        beyond += e * e
    sums[4] += total
    sums[5] += length
    sums[6] += beyond


@inlined
def _power_row(g, power, sums):  # type: ignore[no-untyped-def]
    """Add the powers of a row, relative to the largest magnitude so far."""
    top = np.max(np.abs(g))
    if top > sums[7]:
        sums[8] *= (sums[7] / top) ** power
        sums[7] = top
    if sums[7] == 0.0:
        return
    # Skip powers that would underflow, which are very slow.
    share, least = 1.0 / sums[7], np.finfo(np.float64).tiny ** (1.0 / power)
    total = 0.0
    for j in range(g.size):
        a = abs(g[j]) * share
        if a > least:
            total += a**power
    sums[8] += total


@inlined
def _gram_tile(g, w, gram):  # type: ignore[no-untyped-def]
    """Add ``g gᵀ``, four rows by two at a time: eight accumulators fit in registers."""
    for i in range(0, g.shape[0], 4):
        a0, a1, a2, a3 = g[i, :w], g[i + 1, :w], g[i + 2, :w], g[i + 3, :w]
        for k in range(i, g.shape[0], 2):
            b0, b1 = g[k, :w], g[k + 1, :w]
            s00, s01, s10, s11, s20, s21, s30, s31 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for j in range(w):
                s00 += a0[j] * b0[j]
                s01 += a0[j] * b1[j]
                s10 += a1[j] * b0[j]
                s11 += a1[j] * b1[j]
                s20 += a2[j] * b0[j]
                s21 += a2[j] * b1[j]
                s30 += a3[j] * b0[j]
                s31 += a3[j] * b1[j]
            gram[i, k] += s00
            gram[i, k + 1] += s01
            gram[i + 1, k] += s10
            gram[i + 1, k + 1] += s11
            gram[i + 2, k] += s20
            gram[i + 2, k + 1] += s21
            gram[i + 3, k] += s30
            gram[i + 3, k + 1] += s31
