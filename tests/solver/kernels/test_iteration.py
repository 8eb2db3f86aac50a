from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_kit import make

from bgsub.solver.kernels.iteration import Point
from bgsub.solver.kernels.passes import Passes, Soft, packed, target
from bgsub.solver.kernels.tiles import Workers
from bgsub.solver.spectra.atoms import Entry

CASES = pytest.mark.parametrize(
    ("dtype", "accuracy"),
    [
        (np.uint8, 2e-5),  # as videos are; of the others only large matrices are streamed
        pytest.param(np.float32, 2e-5, marks=pytest.mark.slow),
        pytest.param(np.float64, 1e-11, marks=pytest.mark.slow),
    ],
)


def twin(matrix, point, end, sparse, rho, theta, entry):
    g = point.dense().astype(float) + sparse - matrix
    q = matrix - end.dense().astype(float)
    a = q - rho * g
    v = np.sign(a) * np.maximum(np.abs(a) - theta, 0)
    if entry is not None:
        v = v + entry.dense(matrix.shape)
    return g, v, v - q - g


@CASES
@settings(max_examples=25, deadline=None)
@given(
    n=st.integers(1, 11),
    p=st.sampled_from([1, 2, 5, 63, 64, 65, 4097, 9000]),
    k=st.integers(0, 6),
    theta=st.sampled_from([0.0, 12.5, math.inf]),
    with_entry=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_both_passes_equal_their_numpy_twins(dtype, accuracy, n, p, k, theta, with_entry, seed):
    matrix, real, low_rank, end, sparse = make(n, p, k, dtype, seed)
    entry = Entry(n - 1, p // 2, -40.0) if with_entry else None
    point, goal = Point(matrix, sparse, *packed(low_rank)), target(end, Soft(0.8, theta), entry)
    g, v, d = twin(matrix, low_rank, end, sparse, 0.8, theta, entry)
    scale = float(np.linalg.norm(d) * np.linalg.norm(g)) + 1
    with Workers(2) as workers:
        passes = Passes(matrix, real, workers)
        sums = passes.measure(point, goal)
        basis = np.random.default_rng(seed).standard_normal((n, 4)).astype(real)
        y = sparse.astype(float)
        sketch = passes.advance(point, goal, 0.25, basis)
    assert sums.total == pytest.approx(np.abs(v).sum(), rel=10 * accuracy, abs=accuracy * v.size)
    assert sums.slope == pytest.approx(np.vdot(d, g), abs=accuracy * scale)
    assert sums.square == pytest.approx(np.vdot(d, d), rel=10 * accuracy, abs=accuracy)
    np.testing.assert_allclose(sparse, y + 0.25 * (v - y), atol=accuracy * 500)
    after = g + 0.25 * d
    size = float(np.linalg.norm(after)) + 1
    np.testing.assert_allclose(sketch.image, basis.T @ after, atol=accuracy * size * 10)
    np.testing.assert_allclose(sketch.product, after @ (after.T @ basis), atol=accuracy * size**2 * 10)
    assert sketch.square == pytest.approx(np.vdot(after, after), rel=10 * accuracy, abs=accuracy)
    beyond = after + matrix - low_rank.offset
    assert sketch.inner == pytest.approx(
        np.vdot(after, beyond), abs=accuracy * size * (np.linalg.norm(beyond) + 1)
    )
    assert abs(sketch.peak.value) == pytest.approx(np.abs(after).max(), rel=accuracy, abs=accuracy * 500)
    assert after[sketch.peak.row, sketch.peak.column] == pytest.approx(sketch.peak.value, abs=accuracy * 500)


def test_a_step_of_zero_moves_nothing():
    matrix, real, low_rank, end, sparse = make(5, 200, 2, np.uint8, 0)
    before = sparse.copy()
    with Workers(1) as workers:
        Passes(matrix, real, workers).advance(
            Point(matrix, sparse, *packed(low_rank)), target(end, Soft(0.5, 3.0)), 0.0, np.eye(5, 4)
        )
    np.testing.assert_array_equal(sparse, before)


def test_a_count_is_the_number_of_entries_above_the_threshold():
    matrix, real, low_rank, end, sparse = make(6, 500, 1, np.uint8, 3)
    _, v, _ = twin(matrix, low_rank, end, sparse, 0.3, 30.0, None)
    with Workers(1) as workers:
        sums = Passes(matrix, real, workers).measure(
            Point(matrix, sparse, *packed(low_rank)), target(end, Soft(0.3, 30.0))
        )
    assert sums.count == np.count_nonzero(v)


def test_a_sample_estimates_the_whole_and_the_whole_knows_how_well():
    matrix, real, low_rank, end, sparse = make(64, 30000, 1, np.uint8, 1)
    point, goal = Point(matrix, sparse, *packed(low_rank)), target(end, Soft(0.5, 20.0))
    with Workers(2) as workers:
        passes = Passes(matrix, real, workers)
        whole, sample = passes.measure(point, goal), passes.measure(point, goal, True)
    assert sample.total == pytest.approx(whole.total, rel=0.1)
    assert sample.total != whole.total
    assert sample.total == pytest.approx(whole.sample_share * whole.total, rel=1e-9)


@CASES
def test_the_sums_of_an_elastic_net_equal_their_numpy_twins(dtype, accuracy):
    for shape, gamma in itertools.product([(1, 1), (7, 65), (3, 9000)], [0.0, 0.3, 1.0]):
        matrix, real, low_rank, end, sparse = make(*shape, 2, dtype, 4)
        point, level = Point(matrix, sparse, *packed(low_rank)), 11.0
        goal = target(end, Soft(0.8, 12.5, 0.7, level))
        g, v, _ = twin(matrix, low_rank, end, sparse, 0.8, 12.5, None)
        v, y = 0.7 * v, sparse.astype(float)
        mix = (1 - gamma) * y + gamma * v
        d = v - (matrix - end.dense().astype(float)) - g
        with Workers(2) as workers:
            passes = Passes(matrix, real, workers)
            sums, between = passes.measure(point, goal), passes.between(point, goal, gamma)
            np.testing.assert_array_equal(sparse, y)
            sketch = passes.advance(point, goal, gamma, np.eye(shape[0], 4, dtype=real))
        beyond = np.maximum(np.abs(g + gamma * d) - level, 0)
        close = {"rel": 10 * accuracy, "abs": 10 * accuracy * v.size}
        assert (sums.total, sums.length) == pytest.approx((np.abs(v).sum(), np.vdot(v, v)), **close)
        assert between == pytest.approx((np.abs(mix).sum(), np.vdot(mix, mix)), **close)
        assert sketch.penalty == pytest.approx((*between, np.vdot(beyond, beyond)), **close)
