"""Decompositions by Gram matrices against LAPACK's own."""

from __future__ import annotations

import itertools

import numpy as np

from bgsub.solver.spectra.gram import gram, orthonormal, triangle


def spread(rng, n, k, dtype, smallest=1e-3):
    """A factor whose singular values run from 1 to *smallest*, with columns of very different lengths."""
    u, v = (np.linalg.qr(rng.standard_normal(shape)).Q for shape in ((n, k), (k, k)))
    lengths = 10.0 ** rng.uniform(-6, 6, k)
    return ((u * np.geomspace(1, smallest, k)) @ v.T * lengths).astype(dtype)


SHAPES = [(400, 7), (9, 7), (5, 7), (40, 1), (3, 0)]


def test_the_gram_matrix_is_summed_in_double_precision_over_all_blocks(rng):
    wide = rng.standard_normal((3, 400_000)).astype(np.float32)
    np.testing.assert_allclose(gram(wide), wide.astype(float) @ wide.astype(float).T, rtol=1e-12, atol=1e-9)


def test_triangle_has_the_gram_matrix_of_the_factor(rng):
    for (n, k), dtype in itertools.product(SHAPES, (np.float32, np.float64)):
        factor = spread(rng, max(n, k), k, dtype)[:n]
        r = triangle(factor)
        expected = factor.T.astype(float) @ factor.astype(float)
        lengths = np.sqrt(np.diagonal(expected))
        scale = np.outer(lengths, lengths)
        np.testing.assert_allclose((r.T @ r) / scale, expected / scale, atol=1e-12)
        assert r.shape[1] == k


def test_orthonormal_columns_times_a_small_matrix_are_the_factor(rng):
    for (n, k), dtype in itertools.product(SHAPES, (np.float32, np.float64)):
        factor = spread(rng, max(n, k), k, dtype)[:n]
        q, r = orthonormal(factor)
        eps = np.finfo(dtype).eps
        lengths = np.linalg.norm(factor.astype(float), axis=0)
        assert q.dtype == dtype
        np.testing.assert_allclose(q.T.astype(float) @ q.astype(float), np.eye(q.shape[1]), atol=40 * eps)
        np.testing.assert_allclose((q.astype(float) @ r) / lengths, factor / lengths, atol=40 * eps)


def test_dependent_and_empty_columns_are_left_out(rng):
    factor = spread(rng, 300, 4, np.float32)
    doubled = np.concatenate([factor, factor * 2, np.zeros((300, 2), np.float32)], axis=1)
    q, r = orthonormal(doubled)
    assert q.shape == (300, 4)
    lengths = np.linalg.norm(factor, axis=0)
    np.testing.assert_allclose((q @ r)[:, 4:8] / lengths, 2 * factor / lengths, atol=1e-5)
    q, r = orthonormal(np.zeros((300, 2), np.float32))
    assert q.shape == (300, 0)
    assert r.shape == (0, 2)
