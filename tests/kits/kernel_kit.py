"""Data and points that the compiled passes are tried on."""

from __future__ import annotations

import numpy as np

from bgsub.solver.arrays import real_dtype, working_matrix
from bgsub.solver.spectra.atoms import LowRank


def make(n, p, k, dtype, seed):
    rng = np.random.default_rng(seed)
    matrix = working_matrix(rng.integers(0, 256, (n, p)).astype(dtype))
    real = real_dtype(matrix)
    offset = rng.integers(50, 200, p).astype(real)
    point = LowRank(*(rng.standard_normal((m, k)).astype(real) for m in (n, p)), offset)
    end = LowRank(*(rng.standard_normal((m, 1)).astype(real) for m in (n, p)), offset)
    return matrix, real, point, end, (20 * rng.standard_normal((n, p))).astype(real)
