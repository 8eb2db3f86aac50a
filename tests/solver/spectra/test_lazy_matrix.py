from __future__ import annotations

import numpy as np
import pytest

from bgsub.solver.spectra import lazy, linalg
from bgsub.solver.spectra.lazy import LazyMatrix

SHAPES = [(5, 40), (40, 5), (1, 9), (9, 1), (12, 12)]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(lazy, "BLOCK_ENTRIES", 30)


def make(rng, shape):
    n, p = shape
    matrix, sparse = (
        rng.integers(0, 256, shape, dtype=np.uint8),
        rng.standard_normal(shape).astype(np.float32),
    )
    left, right = rng.standard_normal((n, 2)), rng.standard_normal((p, 2))
    a = LazyMatrix(matrix, sparse, -0.7, 1.3, left, right)
    dense = -0.7 * matrix.astype(float) + 1.3 * sparse.astype(float) + left @ right.T
    return a, dense


def test_every_operation_equals_the_one_on_the_dense_matrix(rng):
    for shape in SHAPES:
        a, dense = make(rng, shape)
        u, v = rng.standard_normal(shape[0]), rng.standard_normal(shape[1])
        np.testing.assert_allclose(a.dense(), dense)
        np.testing.assert_allclose(a.matvec(v), dense @ v)
        np.testing.assert_allclose(a.rmatvec(u), dense.T @ u)
        np.testing.assert_allclose(a.gram(), dense @ dense.T if shape[0] <= shape[1] else dense.T @ dense)
        assert a.square_norm() == pytest.approx(np.vdot(dense, dense))


@pytest.mark.parametrize("largest_gram", [1500, 3])
def test_spectral_norm_bound_is_tight_and_from_above(rng, largest_gram, monkeypatch):
    monkeypatch.setattr(linalg, "LARGEST_GRAM", largest_gram)
    for shape in SHAPES:
        a, dense = make(rng, shape)
        exact = np.linalg.norm(dense, 2)
        assert exact * (1 - 1e-15) <= linalg.spectral_norm_bound(a) <= exact * (1 + 1e-9)


def test_spectral_norm_bound_of_zero_is_zero():
    zero = LazyMatrix(np.zeros((4, 6)), np.zeros((4, 6)), 1.0, 1.0, np.zeros((4, 1)), np.zeros((6, 1)))
    assert linalg.spectral_norm_bound(zero) == 0
