"""The pass that evaluates an elastic net after a trial step; notation as in :mod:`.iteration`."""

from __future__ import annotations

import numpy as np

from bgsub.base.jit import compiled, inlined
from bgsub.solver.kernels.iteration import gradient_row, product_row, soft


@compiled
def between(point, target, gamma, span, sums):  # type: ignore[no-untyped-def]
    """Add Σ|e| and Σe² of ``e = (1 − γ) y + γ v`` to *sums* ``(2,)`` float64; y is kept, v has no extra entry."""
    g = np.empty(span.width, point.sparse.dtype)
    x = np.empty(span.width, point.sparse.dtype)
    for lo in range(span.lo, span.hi, span.width):
        w = min(span.width, span.hi - lo)
        for i in range(point.matrix.shape[0]):
            gradient_row(g[:w], point, i, lo)
            product_row(x[:w], target.left, target.rows, i, lo)
            _between_row(g[:w], x[:w], point, target, gamma, i, lo, sums)


@inlined
def _between_row(g, x, point, target, gamma, i, lo, sums):  # type: ignore[no-untyped-def]
    real = g.dtype.type
    w = g.size
    y, m = point.sparse[i, lo : lo + w], point.matrix[i, lo : lo + w]
    total, length = real(0), real(0)
    for j in range(w):
        v = target.keep * soft(real(m[j]) - x[j] - target.rho * g[j], target.theta)
        e = y[j] + gamma * (v - y[j])
        total += abs(e)
        length += e * e
    sums[0] += total
    sums[1] += length
