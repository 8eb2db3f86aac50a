"""The proximal step of low rank: its test of the rank, its growth, and the warm-started decomposition behind it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from bgsub.solver import NuclearNormBall, NuclearNormPenalty, TraceBall
from bgsub.solver.kernels.dense_passes import DensePasses
from bgsub.solver.kernels.tiles import Workers
from bgsub.solver.spectra import steps
from bgsub.solver.spectra.linalg import full_svd
from bgsub.solver.spectra.steps import SpectralOracle
from bgsub.solver.spectra.subspace import Subspace

SHAPE = (120, 150)


@pytest.fixture
def passes():
    with Workers(2) as workers:
        yield DensePasses(SHAPE, np.dtype(float), workers)


def spectrum(values, seed=0, shape=SHAPE):
    """Return a matrix with the given singular values."""
    rng = np.random.default_rng(seed)
    k = len(values)
    u, v = (np.linalg.qr(rng.standard_normal((m, k))).Q for m in shape)
    return (u * np.asarray(values, float)) @ v.T


def exact(matrix, tau):
    """Return the projection on the nuclear-norm ball by a full decomposition and bisection on the threshold."""
    u, values, vt = np.linalg.svd(matrix, full_matrices=False)
    low, high = 0.0, values[0]
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.maximum(values - middle, 0).sum() > tau else (low, middle)
    return (u * np.maximum(values - high, 0)) @ vt


def accurate(oracle):
    oracle.gain = 1e-14
    return oracle


def test_a_step_whose_rank_was_enough_is_the_exact_one(passes):
    matrix = spectrum([50, 40, 30, 20, 10, *np.linspace(5, 0, 60)])
    oracle = accurate(SpectralOracle(NuclearNormBall(60.0), passes, 8))
    step = oracle.prox(matrix, 1.0)
    assert oracle.enough
    np.testing.assert_allclose(step.dense(), exact(matrix, 60.0), atol=1e-6)
    # Fewer are left, and the next step asks for no more.
    assert oracle.rank == np.linalg.matrix_rank(exact(matrix, 60.0), tol=1e-8)


@pytest.mark.parametrize("rank", [1, 3])
def test_a_step_whose_rank_was_not_enough_says_so_and_is_the_best_of_its_rank(passes, rank):
    values = np.array([50.0, 40, 30, 20, 10])
    matrix = spectrum(values)
    oracle = accurate(SpectralOracle(NuclearNormBall(100.0), passes, rank, adapts=False))
    step = oracle.prox(matrix, 1.0)
    assert not oracle.enough
    assert step.columns == rank
    theta = max((values[:rank].sum() - 100) / rank, 0)
    np.testing.assert_allclose(step.singular_values(), values[:rank] - theta, rtol=1e-6)
    assert not oracle.grow()


def test_the_rank_grows_until_the_test_succeeds(passes):
    matrix = spectrum(np.linspace(20, 10, 30))
    oracle = accurate(SpectralOracle(NuclearNormBall(150.0), passes, 1))
    ranks = []
    for _ in range(20):
        step = oracle.prox(matrix, 1.0)
        ranks.append(oracle.rank)
        if not oracle.grow():
            break
    assert oracle.enough
    assert ranks == sorted(ranks)
    np.testing.assert_allclose(step.dense(), exact(matrix, 150.0), atol=1e-6)


@pytest.mark.parametrize("rank", [3, 17, 40])
def test_the_first_rank_is_found_at_the_drop_of_the_values(passes, rank):
    matrix = spectrum([*np.linspace(100, 60, rank), *np.linspace(8, 0, 60)])
    oracle = SpectralOracle(NuclearNormBall(1e6), passes)
    assert oracle.rank is None
    oracle.prox(matrix, 1.0)
    assert oracle.rank == rank


def test_the_first_rank_without_a_drop_is_where_the_test_succeeds(passes):
    matrix = np.random.default_rng(0).standard_normal(SHAPE)
    oracle = accurate(SpectralOracle(NuclearNormBall(100.0), passes))
    step = oracle.prox(matrix, 1.0)
    assert oracle.enough
    np.testing.assert_allclose(step.dense(), exact(matrix, 100.0), atol=1e-5)


def test_full_decompositions_are_exact_at_any_rank(passes):
    matrix = np.random.default_rng(1).standard_normal(SHAPE)
    oracle = SpectralOracle(NuclearNormBall(200.0), passes, 0)
    np.testing.assert_allclose(oracle.prox(matrix, 1.0).dense(), exact(matrix, 200.0), atol=1e-8)


def test_a_penalty_takes_its_weight_off(passes):
    values = np.array([50.0, 40, 30, 20, 10])
    step = accurate(SpectralOracle(NuclearNormPenalty(30.0), passes, 5)).prox(spectrum(values), 2.0)
    np.testing.assert_allclose(step.singular_values(), values[values > 15] - 15, rtol=1e-6)


def test_eigenvalues_of_the_symmetric_part_for_the_trace_ball():
    rng = np.random.default_rng(2)
    matrix = rng.standard_normal((30, 30))
    with Workers(1) as workers:
        oracle = SpectralOracle(TraceBall(4.0), DensePasses((30, 30), np.dtype(float), workers))
        step, lowest = oracle.prox(matrix, 1.0).dense(), oracle.lowest(matrix)
    assert np.linalg.eigvalsh(step).min() > -1e-10
    assert np.trace(step) == pytest.approx(4.0)
    symmetric = (matrix + matrix.T) / 2
    assert lowest.value == pytest.approx(np.linalg.eigvalsh(symmetric)[0])
    np.testing.assert_allclose(symmetric @ lowest.left, lowest.value * lowest.left, atol=1e-9)
    # The variational inequality of a projection, over random members of the set.
    for _ in range(200):
        factor = rng.standard_normal((30, 3))
        member = factor @ factor.T
        member *= 4.0 * rng.random() / np.trace(member)
        assert np.vdot(symmetric - step, member - step) <= 1e-8


@pytest.mark.parametrize("shape", [(120, 150), (400, 90), (90, 400)])
def test_leading_triples_are_those_of_a_full_decomposition(shape):
    matrix = np.random.default_rng(0).standard_normal(shape)
    found = Subspace().leading(matrix, 4, 1e-15, most_steps=500)
    values = np.linalg.svd(matrix, compute_uv=False)
    np.testing.assert_allclose(found.values[:4], values[:4], rtol=1e-6)
    np.testing.assert_allclose(found.left.T @ found.left, np.eye(found.left.shape[1]), atol=1e-10)
    np.testing.assert_allclose(found.right.T @ found.right, np.eye(found.right.shape[1]), atol=1e-10)
    np.testing.assert_allclose(
        np.diag(found.left.T @ matrix @ found.right), found.values, atol=1e-8 * values[0]
    )


def test_a_warm_start_needs_fewer_products():
    matrix = np.random.default_rng(0).standard_normal((200, 220))
    calls = []

    def product(a, b):
        calls.append(1)
        return a @ b

    subspace = Subspace(product)
    subspace.leading(matrix, 5, 1e-4)
    cold = len(calls)
    subspace.leading(matrix + 1e-8, 5, 1e-4)
    assert len(calls) - cold < cold


def test_a_new_leading_direction_orthogonal_to_all_known_ones_is_found():
    matrix = spectrum([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    subspace = Subspace()
    subspace.leading(matrix, 3, 1e-12)
    u = np.linalg.svd(matrix)[0][:, -1]
    v = np.linalg.svd(matrix)[2][-1]
    found = subspace.leading(matrix + 100 * np.outer(u, v), 3, 1e-12)
    assert found.values[0] == pytest.approx(100, rel=1e-6)


def test_a_full_decomposition_is_one():
    for shape, dtype in itertools.product(
        [(20, 5000), (5000, 20), (40, 40), (1, 7), (7, 1)], (np.float32, np.float64)
    ):
        matrix = np.random.default_rng(0).standard_normal(shape).astype(dtype)
        u, values, v = full_svd(matrix)
        accuracy = 1e-5 if dtype is np.float32 else 1e-12
        assert u.dtype == values.dtype == v.dtype == dtype
        np.testing.assert_allclose(
            values, np.linalg.svd(matrix.astype(float), compute_uv=False), rtol=accuracy
        )
        np.testing.assert_allclose((u * values) @ v.T, matrix, atol=accuracy * values[0])
        np.testing.assert_allclose(v.T @ v, np.eye(len(values)), atol=10 * accuracy)


def test_a_full_decomposition_of_a_matrix_of_low_rank_has_zeros():
    matrix = spectrum([100.0, 10.0, 1.0], shape=(30, 400)).astype(np.float32)
    u, values, v = full_svd(matrix)
    np.testing.assert_allclose(values[:3], [100, 10, 1], rtol=1e-4)
    assert values[3:].max() < 1e-4
    np.testing.assert_allclose((u * values) @ v.T, matrix, atol=1e-4)
    zero = full_svd(np.zeros((3, 9), np.float32))
    assert not zero[1].any()
    assert np.isfinite(zero[2]).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_exact_zeros_among_the_values_are_no_drop_and_no_warning(dtype):
    rng = np.random.default_rng(0)
    matrix = (rng.standard_normal((60, 2)) @ rng.standard_normal((2, 60))).astype(dtype)
    with Workers(1) as workers:
        oracle = SpectralOracle(NuclearNormBall(1e4), DensePasses((60, 60), np.dtype(dtype), workers))
        oracle.prox(matrix, 1.0)
    assert oracle.rank == 2


@pytest.mark.parametrize("shape", [(150, 400), (400, 150), (150, 150)])
def test_a_full_step_is_exact_whatever_the_threshold(passes, shape, monkeypatch):
    values, decomposed = np.logspace(0, -10, 150), []
    matrix = spectrum(values, shape=shape)
    monkeypatch.setattr(steps, "full_svd", lambda a: decomposed.append(a) or full_svd(a))
    for threshold in (0.3, 1e-3, 1e-5, 1e-7, 1e-9, 0.0):
        tau = np.maximum(values - threshold, 0).sum() + (threshold == 0)
        decomposed.clear()
        step = SpectralOracle(NuclearNormBall(tau), passes, 0, adapts=False).prox(matrix, 1.0)
        assert np.abs(step.dense() - exact(matrix, tau)).max() <= 3e-10
        assert step.nuclear_norm() <= tau * (1 + 1e-9)
        assert bool(decomposed) == (0 < threshold < 1e-6)
