from __future__ import annotations

import numpy as np
import pytest

from bgsub.solver import lazy, linalg
from bgsub.solver.atoms import Entry
from bgsub.solver.lazy import LazyMatrix

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
    a = LazyMatrix(matrix, sparse, -0.7, 1.3, left, right, Entry(n - 1, p - 1, 50.0))
    dense = -0.7 * matrix.astype(float) + 1.3 * sparse.astype(float) + left @ right.T
    dense[-1, -1] += 50
    return a, dense


@pytest.mark.parametrize("shape", SHAPES)
def test_every_operation_equals_the_one_on_the_dense_matrix(rng, shape):
    a, dense = make(rng, shape)
    u, v = rng.standard_normal(shape[0]), rng.standard_normal(shape[1])
    np.testing.assert_allclose(a.dense(), dense)
    np.testing.assert_allclose(a.matvec(v), dense @ v)
    np.testing.assert_allclose(a.rmatvec(u), dense.T @ u)
    np.testing.assert_allclose(a.gram_apply(u), dense @ (dense.T @ u))
    np.testing.assert_allclose(a.gram(), dense @ dense.T if shape[0] <= shape[1] else dense.T @ dense)
    assert a.square_norm() == pytest.approx(np.vdot(dense, dense))
    b, other = make(rng, shape)
    assert a.inner(b) == pytest.approx(np.vdot(dense, other))
    peak = a.max_abs()
    assert abs(peak.value) == pytest.approx(np.abs(dense).max())
    assert dense[peak.row, peak.column] == pytest.approx(peak.value)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("largest_gram", [1500, 3])
def test_spectral_norm_bound_is_tight_and_from_above(rng, shape, largest_gram, monkeypatch):
    monkeypatch.setattr(linalg, "LARGEST_GRAM", largest_gram)
    a, dense = make(rng, shape)
    exact = np.linalg.norm(dense, 2)
    assert exact * (1 - 1e-15) <= linalg.spectral_norm_bound(a) <= exact * (1 + 1e-9)


def test_spectral_norm_bound_of_zero_is_zero():
    zero = LazyMatrix(np.zeros((4, 6)), np.zeros((4, 6)), 1.0, 1.0, np.zeros((4, 1)), np.zeros((6, 1)))
    assert linalg.spectral_norm_bound(zero) == 0


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("rank", [1, 3, 100])
def test_truncated_svd_equals_the_dense_one(rng, shape, rank):
    a, dense = make(rng, shape)
    u, values, v = linalg.truncated_svd(a, rank)
    kept = min(rank, *shape)
    full = np.linalg.svd(dense, full_matrices=False)
    np.testing.assert_allclose(values, full.S[:kept], rtol=1e-9)
    best = (full.U[:, :kept] * full.S[:kept]) @ full.Vh[:kept]
    np.testing.assert_allclose((u * values) @ v.T, best, atol=1e-7 * full.S[0])


def test_truncated_svd_of_a_large_matrix_agrees_with_the_gram_route(rng, monkeypatch):
    a, _ = make(rng, (12, 40))
    expected = linalg.truncated_svd(a, 2)[1]
    monkeypatch.setattr(linalg, "LARGEST_GRAM", 5)
    np.testing.assert_allclose(linalg.truncated_svd(a, 2)[1], expected, rtol=1e-9)
