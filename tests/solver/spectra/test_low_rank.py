from __future__ import annotations

import numpy as np
import pytest

from bgsub.solver import LowRank


def some(rng, n=7, p=9, k=3, dtype=np.float64):
    factors = rng.standard_normal((n, k)), rng.standard_normal((p, k)), rng.standard_normal(p)
    return LowRank(*(factor.astype(dtype) for factor in factors))


def test_mixing_is_the_convex_combination_beyond_the_offset(rng):
    x, end = some(rng), LowRank(rng.standard_normal((7, 1)), rng.standard_normal((9, 1)))
    mixed = x.mix(0.3, end)
    assert mixed.columns == 4
    np.testing.assert_allclose(mixed.dense(), 0.7 * (x.left @ x.right.T) + 0.3 * end.dense() + x.offset)
    np.testing.assert_array_equal(x.mix(0, end).dense(), x.dense())
    np.testing.assert_allclose(x.mix(1, end).dense(), end.dense() + x.offset)
    assert x.mix(1, end).columns == 1


@pytest.mark.parametrize(("dtype", "accuracy"), [(np.float64, 1e-12), (np.float32, 1e-5)])
def test_compression_changes_the_factors_and_not_the_matrix(rng, dtype, accuracy):
    x = some(rng, k=3, dtype=dtype)
    twice = LowRank(np.hstack([x.left, x.left]), np.hstack([x.right, -0.5 * x.right]), x.offset)
    small = twice.compress()
    assert small.columns == 3
    assert small.left.dtype == small.right.dtype == dtype
    np.testing.assert_allclose(small.dense(), twice.dense(), atol=accuracy * 10)
    np.testing.assert_allclose(small.right.T @ small.right, np.eye(3), atol=accuracy)


def test_compression_bounds_the_columns_by_the_shape(rng):
    x = some(rng, n=3, p=4, k=10)
    assert x.compress().columns == 3
    np.testing.assert_allclose(x.compress().dense(), x.dense(), atol=1e-12)


def test_a_zero_matrix_compresses_to_no_columns(rng):
    x = LowRank(np.zeros((4, 2)), rng.standard_normal((5, 2)))
    assert x.compress().columns == 0
    assert x.nuclear_norm() == 0


@pytest.mark.parametrize(("dtype", "accuracy"), [(np.float64, 1e-12), (np.float32, 1e-7)])
def test_singular_values_are_those_of_the_part_beyond_the_offset(rng, dtype, accuracy):
    x = some(rng, n=40, p=9, dtype=dtype)
    expected = np.linalg.svd(x.left.astype(float) @ x.right.T.astype(float), compute_uv=False)[:3]
    np.testing.assert_allclose(x.singular_values(), expected, rtol=accuracy)
    assert x.nuclear_norm() == pytest.approx(expected.sum())


def test_zero_has_the_offset_alone():
    x = LowRank.zeros((2, 3), np.array([1.0, 2, 3]))
    np.testing.assert_array_equal(x.dense(), [[1, 2, 3], [1, 2, 3]])
    assert x.nuclear_norm() == 0
    assert x.singular_values().size == 0
    assert x.compress().shape == (2, 3)
