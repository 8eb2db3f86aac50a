"""The projection on ℓp balls: optimality conditions, both ways through the kernels, extremes, memory."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from bgsub.errors import InputError
from bgsub.solver.sets.lp_ball import LpBall

EXPONENTS = [1.002, 1.02, 1.05, 1.2, 1.5, 1.97, 2.0]
ACCURACY = {"f8": 1e-12, "f4": 1e-6}
LARGE = 30_000
"""More entries than the table has cells: they are read from it."""


TINY = np.finfo("f8").tiny


def norm(point, p):
    return float((np.abs(point.astype(float)) ** p).sum() ** (1 / p))


def video_like(rng, count, dtype):
    """Return noise of deviation 3 with 3 % of entries up to 200, and some exact zeros."""
    point = 3 * rng.standard_normal(count)
    hit = rng.random(count) < 0.03
    point[hit] = 200 * rng.uniform(-1, 1, hit.sum())
    point[rng.random(count) < 0.1] = 0
    return point.astype(dtype)


def by_bisection(point, p, radius):
    """Return the projection of a point outside: its roots by halving intervals, and the multiplier by bracketing."""
    moduli, back, counts = np.unique(np.abs(point.astype(float)), return_inverse=True, return_counts=True)

    def shrunk(c):
        low, high = np.zeros_like(moduli), moduli.copy()
        for _ in range(54):
            middle = (low + high) / 2
            above = middle + c * middle ** (p - 1) > moduli
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        return (low + high) / 2

    def excess(c):
        return (counts * shrunk(c) ** p).sum() ** (1 / p) - radius

    highest = 1.0
    while excess(highest) > 0:
        highest *= 2
    return np.sign(point) * shrunk(brentq(excess, 0.0, highest, xtol=1e-300, rtol=1e-15))[back]


@pytest.mark.parametrize("dtype", ["f8", pytest.param("f4", marks=pytest.mark.slow)])
def test_projection_equals_the_one_by_bisection(rng, dtype):
    for p, share in itertools.product(EXPONENTS, (0.003, 0.5, 0.999)):
        for count in (1, 40, LARGE):
            point = rng.choice(video_like(rng, 150, dtype), count)
            point[0] = -5
            radius = share * norm(point, p)
            found, c = LpBall(radius, p).project_with_multiplier(point)
            assert c > 0
            assert radius * (1 - ACCURACY[dtype]) <= norm(found, p) * (1 + 1e-14)
            assert norm(found, p) <= radius * (1 + 1e-14)
            expected = by_bisection(point, p, radius)
            np.testing.assert_allclose(found, expected, atol=3 * ACCURACY[dtype] * np.abs(expected).max())


def test_entries_from_the_table_solve_their_equation(rng):
    """v + c·v^δ = |a|, in float32 with an error that a float32 number has anyway, also in the smallest entries."""
    for p in (1.01, 1.05, 1.2, 1.5, 1.97):
        for share in (1e-3, 0.3, 0.95):
            point = (rng.standard_normal(LARGE) * np.exp(3 * rng.standard_normal(LARGE))).astype("f4")
            found, c = LpBall(share * norm(point, p), p).project_with_multiplier(point)
            v, a = np.abs(found.astype(float)), np.abs(point.astype(float))
            seen = v > 0
            residual = v + c * v ** (p - 1) - a
            assert np.abs(residual[seen] / a[seen]).max() < 3e-7
            tiny = np.finfo("f4").tiny
            assert (tiny + c * tiny ** (p - 1) >= a[~seen] * (1 - 1e-6)).all()
            np.testing.assert_array_equal(np.sign(found[seen]), np.sign(point[seen]))


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=40),
    st.floats(1e-6, 1e6),
    st.floats(1.001, 2),
    st.floats(allow_nan=True, allow_infinity=True),
)
def test_the_optimality_conditions_hold_for_any_input_and_any_start(values, radius, p, start):
    """Members stay; others reach the sphere, keep their signs, and |v| + c·|v|^δ = |a| for one c > 0."""
    point = np.array(values)
    found, c = LpBall(radius, p).project_with_multiplier(point, start)
    assert norm(found, p) <= radius * (1 + 1e-13)
    if c == 0:
        # Not exactly: what lies outside by less than the norm is rounded comes to the sphere with c = 0.
        np.testing.assert_allclose(found, point, rtol=1e-15)
        return
    assert c > 0
    assert norm(found, p) >= radius * (1 - 1.01e-12)
    moduli, seen = np.abs(found), found != 0
    equation = moduli + c * moduli ** (p - 1)
    np.testing.assert_allclose(equation[seen], np.abs(point[seen]), atol=1e-11 * np.abs(point).max())
    assert (np.abs(point[~seen]) <= c * TINY ** (p - 1)).all()
    assert (found * point >= 0).all()


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("count", [50, LARGE])
def test_a_good_or_bad_start_changes_nothing_that_counts(rng, dtype, count):
    point = video_like(rng, count, dtype)
    ball = LpBall(0.1 * norm(point, 1.05), 1.05)
    found, c = ball.project_with_multiplier(point)
    for start in (c, 1.05 * c, 0.95 * c, 1e-9, 1e300, -3.0, np.nan, np.inf):
        other = ball.project(point, start)
        np.testing.assert_allclose(other, found, atol=2 * ACCURACY[dtype] * np.abs(found).max())


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("count", [50, LARGE])
def test_members_and_projections_stay_exactly(rng, dtype, count):
    for p in (1.05, 1.5, 2.0):
        point = video_like(rng, count, dtype)
        for factor in (1 + 1e-13, 1 + 1e-9, 1.5, 1e9):
            np.testing.assert_array_equal(LpBall(norm(point, p) * factor, p).project(point), point)
        ball = LpBall(0.2 * norm(point, p), p)
        once = ball.project(point)
        np.testing.assert_array_equal(ball.project(once), once)


@pytest.mark.parametrize("count", [50, LARGE])
def test_a_point_just_outside_moves_just_inside(rng, count):
    for share in (1 - 1e-11, 1 - 1e-8, 1 - 1e-4):
        point = video_like(rng, count, "f8")
        radius = share * norm(point, 1.2)
        found = LpBall(radius, 1.2).project(point)
        assert radius * (1 - 1.01e-12) <= norm(found, 1.2) <= radius * (1 + 1e-14)
        assert np.linalg.norm(found - point) <= 3 * (1 - share) * np.linalg.norm(point)


@pytest.mark.parametrize("count", [50, LARGE])
@pytest.mark.parametrize("p", [1.05, 1.5])
def test_projection_scales_with_the_point_and_the_radius(rng, count, p):
    point = rng.uniform(0.5, 2, count)
    radius = 0.1 * norm(point, p)
    expected = LpBall(radius, p).project(point)
    for scale in (1e-250, 1e-100, 1e140, 1e300):
        found = LpBall(radius * scale, p).project(point * scale)
        np.testing.assert_allclose(found / scale, expected, rtol=1e-10)


def test_results_below_the_normal_numbers_are_zero_and_no_slow_numbers(rng):
    point = video_like(rng, LARGE, "f4")
    found = LpBall(0.3 * norm(point, 1.05), 1.05).project(point)
    moduli = np.abs(found[found != 0])
    assert moduli.min() >= np.finfo("f4").tiny
    assert 0.2 < np.mean(found != 0) < 1


@pytest.mark.parametrize("count", [4, LARGE])
def test_values_that_are_not_finite_are_refused(count):
    for bad in (np.nan, np.inf, -np.inf):
        point = np.ones(count)
        point[count // 2] = bad
        for dtype in ("f4", "f8"):
            with pytest.raises(InputError, match="holds NaN or infinite values"):
                LpBall(1.0, 1.1).project(point.astype(dtype))


def test_ties_and_shapes_are_kept():
    np.testing.assert_allclose(LpBall(1, 1.5).project(np.full((2, 4), -3.0)), -(8 ** (-2 / 3)), rtol=1e-12)
    for shape in [(1, 1), (3, 2), (2, 0), (7,), (2, 3, 4)]:
        assert LpBall(1, 1.5).project(np.ones(shape)).shape == shape
    np.testing.assert_array_equal(LpBall(1, 1.5).project(np.zeros((2, 3))), np.zeros((2, 3)))


@pytest.mark.parametrize(("order", "arrays"), [("C", 1), ("F", 2)])
def test_memory_is_that_of_the_result_and_of_a_copy_where_one_is_needed(rng, order, arrays):
    point = np.asarray(video_like(rng, 1_000_000, "f4").reshape(1000, -1), order=order)
    ball = LpBall(0.1 * norm(point, 1.05), 1.05)
    ball.project(point[:, :100])
    tracemalloc.start()
    try:
        ball.project(point)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        ball.lmo(point)
        peak_of_step = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < (arrays + 0.3) * point.nbytes
    assert peak_of_step < (arrays + 0.3) * point.nbytes
