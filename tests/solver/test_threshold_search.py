from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgsub.solver.threshold import DenseShrinkage, acceptance, find_threshold

SINGLE, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)


def test_any_start_gives_the_same_threshold(rng):
    evaluate = DenseShrinkage(rng.standard_normal(5000))
    found = [
        find_threshold(evaluate, 300.0, start, DOUBLE).theta
        for start in (0.0, 0.1, 1.2, 3.0, 4.5, 1e3, 1e12, -5.0)
    ]
    np.testing.assert_allclose(found, found[0], rtol=1e-9)


@given(
    st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=40),
    st.floats(1e-3, 1e6),
    st.floats(0, 1e7),
)
def test_the_threshold_is_feasible_and_no_larger_than_it_must_be(values, radius, start):
    evaluate = DenseShrinkage(np.array(values))
    found = find_threshold(evaluate, radius, start, DOUBLE)
    assert found.shrunk.total <= radius
    below = float(np.nextafter(found.theta, -1))
    assert (
        found.theta == 0
        or found.shrunk.total >= radius * (1 - 1e-12)
        or evaluate(below).total >= radius * (1 - 1e-12)
    )


def test_inside_the_ball_the_threshold_is_zero():
    assert find_threshold(DenseShrinkage(np.array([1.0, -2.0])), 4.0, 17.0, DOUBLE).theta == 0


def test_a_good_start_takes_fewer_passes_than_a_cold_one(rng):
    shrink, calls = DenseShrinkage(rng.standard_normal(20000)), []

    def evaluate(theta):
        calls.append(theta)
        return shrink(theta)

    theta = find_threshold(evaluate, 100.0, 0.0, SINGLE).theta
    cold = len(calls)
    calls.clear()
    find_threshold(evaluate, 100.0, theta * 1.001, SINGLE)
    assert len(calls) <= 3 < cold


def test_a_precision_too_coarse_for_the_radius_gives_the_smallest_feasible_threshold():
    found = find_threshold(DenseShrinkage(np.array([1000.0, 999.0])), 1e-9, 0.0, SINGLE)
    assert found.theta == 1000.0
    assert found.shrunk.total == 0


@pytest.mark.parametrize("dtype", [SINGLE, DOUBLE])
def test_the_sum_ends_within_the_accepted_range(rng, dtype):
    found = find_threshold(DenseShrinkage(rng.standard_normal(1000)), 50.0, 0.3, dtype)
    assert 50.0 * (1 - acceptance(dtype)) <= found.shrunk.total <= 50.0
