from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from bgsub.errors import InputError, OptionError
from bgsub.solver.losses.weighted import WeightedLoss, fill_missing


def test_the_value_is_the_sum_over_the_entries(rng):
    weights, matrix, z = rng.uniform(0.1, 5, (7, 4)), *rng.standard_normal((2, 7, 4))
    total = 0.0
    for i in range(7):
        for j in range(4):
            total += weights[i, j] * (z[i, j] - matrix[i, j]) ** 2 / 2
    loss = WeightedLoss(weights)
    assert loss.value(matrix, z) == pytest.approx(total)
    assert loss.alpha == weights.min()
    assert loss.beta == weights.max()


@pytest.mark.parametrize("shape", [(1, 200_000), (20_000, 1), (300, 700)])
def test_sums_over_many_entries_lose_no_digits(shape):
    """0.1² in float32, up to 210,000 times, against the exact product."""
    weights = np.full(shape, 2, np.float32)
    z, zero = np.full(shape, 0.1, np.float32), np.zeros(shape, np.uint8)
    exact = weights.size * float(np.float32(0.1)) ** 2
    assert WeightedLoss(weights).value(zero, z) == pytest.approx(exact, rel=1e-12)
    assert WeightedLoss(weights).curvature(z) == pytest.approx(2 * exact, rel=1e-12)


def test_bytes_are_no_obstacle():
    """uint8 data may not wrap around where z is below them."""
    loss = WeightedLoss(np.full((1, 2), 3, np.uint8))
    data, z = np.array([[200, 0]], np.uint8), np.array([[199.0, 1.0]], np.float32)
    np.testing.assert_array_equal(loss.gradient(data, z), np.array([[-3.0, 3.0]], np.float32))
    assert loss.value(data, z) == 3


def test_the_weights_are_shared_where_they_can_be_and_never_writeable():
    weights = np.ones((3, 3), np.float32)
    loss = WeightedLoss(weights)
    assert np.shares_memory(loss.weights, weights)
    assert not loss.weights.flags.writeable
    assert weights.flags.writeable


def test_weights_that_cannot_be_are_refused():
    for weights, says in (
        ([[1.0, -2.0]], "must be above 0, but the smallest is -2"),
        ([[1.0, 0.0]], "must be above 0, but the smallest is 0: .*for_missing"),
        ([[True, False]], "must be above 0"),
        ([[1.0, np.nan]], "NaN"),
        ([[1.0, np.inf]], "infinite"),
        (np.ones(4), "two dimensions"),
        (np.ones((0, 4)), "empty"),
        (np.ones((2, 2), complex), "real numbers"),
    ):
        with pytest.raises(InputError, match=says):
            WeightedLoss(np.asarray(weights))


def test_data_of_another_shape_are_refused():
    with pytest.raises(InputError, match=r"\(2, 3\), but the data matrix has \(3, 2\)"):
        WeightedLoss(np.ones((2, 3))).check(np.ones((3, 2)))


def test_missing_entries_have_the_weight_of_the_ridge():
    observed = np.array([[True, False], [False, True]])
    loss = WeightedLoss.for_missing(observed, 0.25)
    np.testing.assert_array_equal(loss.weights, [[1, 0.25], [0.25, 1]])
    assert (loss.alpha, loss.beta) == (0.25, 1)
    assert loss.weights.dtype == np.float32


def test_a_ridge_out_of_range_is_refused():
    for ridge in (0, -1, 1.5, math.nan, math.inf, "1", True, None):
        with pytest.raises(OptionError, match="ridge of WeightedLoss must be"):
            WeightedLoss.for_missing(np.ones((2, 2), bool), ridge)
        with pytest.raises(OptionError, match="ridge of WeightedLoss must be"):
            fill_missing(np.ones((2, 2)), ridge)


def test_a_mask_that_cannot_be_is_refused():
    for observed, says in (
        (np.ones((2, 2)), "boolean matrix"),
        (np.ones(3, bool), "boolean matrix"),
        (np.zeros((2, 3), bool), "nothing is observed"),
        (np.zeros((0, 3), bool), "nothing is observed"),
    ):
        with pytest.raises(InputError, match=says):
            WeightedLoss.for_missing(observed)


def test_gaps_are_filled_with_the_median_of_what_their_column_shows(rng):
    for rows, dtype in itertools.product((1, 2, 5, 6), (np.float32, np.float64)):
        data = rng.standard_normal((rows, 40)).astype(dtype)
        data[rng.random(data.shape) < 0.4] = np.nan
        data[:, 3] = np.nan
        kept = data.copy()
        filled, loss = fill_missing(data, 0.01)
        np.testing.assert_array_equal(data, kept)
        assert filled.dtype == dtype
        for j in range(40):
            seen = [float(v) for v in kept[:, j] if not np.isnan(v)]
            centre = float(np.median(seen)) if seen else 0.0
            for i in range(rows):
                missing = np.isnan(kept[i, j])
                assert filled[i, j] == (dtype(centre) if missing else kept[i, j])
                assert loss.weights[i, j] == np.float32(0.01 if missing else 1)


def test_a_wide_matrix_is_filled_block_by_block(rng):
    data = rng.standard_normal((3, 90_000))
    data[1, ::7] = np.nan
    expected = (data[0, ::7] + data[2, ::7]) / 2
    np.testing.assert_allclose(fill_missing(data)[0][1, ::7], expected, rtol=1e-14)


def test_the_fill_may_be_given_as_a_number_or_per_column():
    data = [[1.0, np.nan], [np.nan, 4.0]]
    np.testing.assert_array_equal(fill_missing(data, fill=7)[0], [[1, 7], [7, 4]])
    np.testing.assert_array_equal(fill_missing(data, fill=[5, 6])[0], [[1, 6], [5, 4]])


def test_masked_arrays_and_integers_are_data_too():
    masked = np.ma.masked_equal(np.array([[3, 9], [5, 1], [9, 7]], np.uint8), 9)
    filled, loss = fill_missing(masked, 0.5)
    np.testing.assert_array_equal(filled, [[3, 4], [5, 1], [4, 7]])
    np.testing.assert_array_equal(loss.weights, [[1, 0.5], [1, 1], [0.5, 1]])
    assert filled.dtype == np.float32
    whole, loss = fill_missing(np.array([[1, 2]]))
    np.testing.assert_array_equal(whole, [[1, 2]])
    assert loss.alpha == loss.beta == 1


def test_data_that_cannot_be_filled_are_refused():
    gap = [[1.0, np.nan]]
    for data, options, says in (
        (np.full((2, 2), np.nan), {}, "nothing is observed"),
        ([[1.0, np.inf, np.nan]], {}, "infinite"),
        ([1.0, np.nan], {}, "two-dimensional"),
        ([["a"]], {}, "real"),
        (gap, {"fill": [1.0, 2.0, 3.0]}, r"fill must be a number or have shape \(2,\)"),
        (gap, {"fill": np.nan}, "NaN"),
        (gap, {"fill": "x"}, "fill must hold real numbers"),
    ):
        with pytest.raises(InputError, match=says):
            fill_missing(np.array(data), **options)


@pytest.mark.parametrize("ridge", [0.3, 0.02])
def test_the_ridge_costs_no_more_than_it_says(rng, ridge):
    """f without the ridge at the solution with it, against its minimum: cvxpy finds both."""
    import cvxpy as cp

    data = rng.standard_normal((6, 2)) @ rng.standard_normal((2, 8)) + 0.3 * rng.standard_normal((6, 8))
    data[rng.random(data.shape) < 0.3] = np.nan
    filled, loss = fill_missing(data, ridge, fill=0.0)
    seen = ~np.isnan(data)

    def solve(weights):
        x, y = cp.Variable(data.shape), cp.Variable(data.shape)
        value = cp.sum(cp.multiply(weights, cp.square(x + y - filled))) / 2
        limits = [cp.normNuc(x) <= 5, cp.sum(cp.abs(y)) <= 2]
        cp.Problem(cp.Minimize(value), limits).solve(solver=cp.CLARABEL)
        return x.value + y.value

    def misfit(z, where):
        return float(np.sum((z - filled)[where] ** 2) / 2)

    free, ridged = solve(seen.astype(float)), solve(loss.weights.astype(float))
    excess = misfit(ridged, seen) - misfit(free, seen)
    assert -1e-6 <= excess <= ridge * misfit(free, ~seen) + 1e-6
    assert loss.value(filled, ridged) <= loss.value(filled, free) + 1e-6
