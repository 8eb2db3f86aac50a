from __future__ import annotations

import math

import numpy as np
import pytest

from bgsub.solver.sets.nonnegative import NonNegative


def test_projection_is_nearer_than_any_point_of_a_grid():
    point, grid = np.array([[1.3, -0.4]]), np.linspace(0, 2, 201)
    members = np.array([[a, b] for a in grid for b in grid])
    best = np.linalg.norm(members - point, axis=1).min()
    found = NonNegative().project(point)
    np.testing.assert_array_equal(found, [[1.3, 0]])
    assert np.linalg.norm(found - point) <= best


def test_the_value_is_the_largest_violation():
    assert NonNegative().value(np.array([[3.0, -0.5], [-2.0, 0.0]])) == 2
    assert NonNegative().value(np.array([[3.0, 0.0]])) == 0


def test_the_conjugate_is_zero_on_the_cone_and_infinite_elsewhere(rng):
    gradient = np.abs(rng.standard_normal((3, 4)))
    assert NonNegative().conjugate(gradient, 5.0) == 0
    gradient[1, 2] = -1e-12
    assert NonNegative().conjugate(gradient, 5.0) == math.inf
    # Far out along the entry that is negative the product grows without bound.
    far = np.zeros((3, 4))
    far[1, 2] = 1e20
    assert -np.vdot(far, gradient) == pytest.approx(1e8)


def test_feasibility_is_relative_to_the_largest_modulus():
    assert NonNegative().is_feasible(np.array([[100.0, -9e-5]]))
    assert not NonNegative().is_feasible(np.array([[100.0, -2e-4]]))
    assert not NonNegative().is_feasible(np.array([[-1e-30]]))
    assert NonNegative().is_feasible(np.zeros((2, 2)))
    assert NonNegative().diameter == math.inf
    assert not hasattr(NonNegative(), "lmo")
