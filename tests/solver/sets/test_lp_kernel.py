"""The compiled loops behind the ℓp projection, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

from bgsub.solver.sets import lp_kernel
from bgsub.solver.sets.lp_cells import grid_of, groups_of
from bgsub.solver.sets.lp_projection import _Held

DELTAS = [0.01, 0.05, 0.2, 0.7, 1.0]


def entries_of(point, delta):
    return _Held(point, delta, float(np.abs(point).max()))


@pytest.mark.parametrize("delta", DELTAS)
def test_a_root_equals_the_one_of_a_bracketing_solver(delta):
    """Solved for log v, so that the smallest roots are compared relatively."""
    for c in (0.0, 1e-9, 0.3, 5.0, 1e6):
        assert lp_kernel.root(0.0, c, delta) == (0.0, 0.0)
        for a in (1e-6, 0.1, 0.99, 1.0, 1.7, 1e3):
            v, u = lp_kernel.root(a, c, delta)
            highest = np.log(a) + 1

            def beyond(x, a=a, c=c):
                return np.exp(x) + c * np.exp(delta * x) - a

            logarithm = brentq(beyond, -5000, highest, xtol=1e-13)
            assert v == pytest.approx(np.exp(logarithm), rel=1e-9, abs=1e-300)
            assert u == pytest.approx(np.exp(delta * logarithm), rel=1e-9)


def test_the_measures_are_the_sum_of_powers_and_its_derivative(rng):
    moduli, ones = rng.random(50), np.ones(50)
    for delta in DELTAS:
        p = 1 + delta

        def power(c, delta=delta, p=p):
            return sum(lp_kernel.root(a, c, delta)[0] ** p for a in moduli)

        found, slope = lp_kernel.measure(moduli, ones, 0 * ones, 0.3, delta)
        assert found == pytest.approx(power(0.3), rel=1e-12)
        assert -p * slope == pytest.approx((power(0.3 + 1e-6) - power(0.3 - 1e-6)) / 2e-6, rel=1e-6)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("delta", [0.05, 0.5])
def test_groups_stand_for_all_entries_to_second_order(rng, dtype, delta):
    point = np.concatenate([rng.standard_normal(50_000), np.zeros(100), 1e-25 * rng.random(100)]).astype(
        dtype
    )
    point.flags.writeable = False
    grid = grid_of(point.dtype, float(np.abs(point).max()), delta)
    moments = np.zeros((grid.edges.size - 1, 3))
    lp_kernel.collect(point, point.view("i4" if dtype == "f4" else "i8"), grid, moments)
    groups = groups_of(grid, moments)
    assert groups.counts.sum() == point.size
    moduli = np.abs(point.astype(float)) * grid.scale
    assert (groups.counts * groups.points).sum() == pytest.approx(moduli.sum(), rel=1e-12)
    ones = np.ones(point.size)
    for c in (0.0, 0.1, 2.0):
        expected = lp_kernel.measure(moduli, ones, 0 * ones, c, delta)
        found = lp_kernel.measure(groups.points, groups.counts, groups.spreads, c, delta)
        assert found[0] == pytest.approx(expected[0], rel=1e-6)
        assert found[1] == pytest.approx(expected[1], rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("delta", [0.003, 0.01, 0.05, 0.2, 0.7, 1.0])
def test_the_sum_is_that_of_what_was_stored_even_where_all_are_rounded_alike(dtype, delta):
    for value, count in ((1.9, 1000), (1.0, 1000), (0.3, 1000), (1.9, 60_000), (1.0, 60_000), (0.3, 200_000)):
        point = np.full(count, value, dtype)
        point[0] = 2
        entries = entries_of(point, delta)
        for c in (0.0, 0.02, 0.7):
            found, _ = entries.shrink(c)
            stored = np.abs(entries.out.astype(float)) * entries.grid.scale
            assert found == pytest.approx(float((stored ** (1 + delta)).sum()), rel=2e-9)


def test_an_uneven_last_block_is_counted_once(rng):
    for count in (1, 1023, 1024, 1025, 3000):
        point = rng.random(count) + 0.1
        entries = entries_of(point, 0.5)
        found, _ = entries.shrink(0.0)
        assert found == pytest.approx(float(((point * entries.grid.scale) ** 1.5).sum()), rel=1e-13)
        np.testing.assert_array_equal(entries.out, point)
