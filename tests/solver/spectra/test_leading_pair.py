from __future__ import annotations

import numpy as np
import pytest

from bgsub.solver.kernels.iteration import Point
from bgsub.solver.kernels.passes import Passes, Soft, packed, target
from bgsub.solver.kernels.tiles import Workers
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.spectra.ritz import first_basis, leading_pair, rayleigh_ritz

pytestmark = pytest.mark.slow  # passes over float64, which are compiled for nothing else


def find(gradient, basis, tolerance=1e-6):
    """Return the pair of a gradient that is a matrix of zeros minus its negative, and the number of passes."""
    matrix = -np.ascontiguousarray(gradient)
    matrix.flags.writeable = False
    zero = LowRank.zeros(matrix.shape, np.zeros(matrix.shape[1]))
    point, still = Point(matrix, np.zeros(matrix.shape), *packed(zero)), target(zero, Soft(0.0, np.inf))
    calls = []
    with Workers(1) as workers:
        passes = Passes(matrix, matrix.dtype, workers)

        def sketch(u):
            calls.append(u)
            return passes.advance(point, still, 0.0, u)

        pair, _, following = leading_pair(rayleigh_ritz(sketch(basis)), sketch, tolerance)
    return pair, following, len(calls)


def test_the_pair_is_the_leading_one(rng):
    for shape in ((30, 50), (50, 30), (3, 40), (1, 7), (7, 1), (2, 2), (1, 1)):
        gradient = rng.standard_normal(shape)
        pair, _, _ = find(gradient, first_basis(shape[0]))
        assert pair.value == pytest.approx(np.linalg.norm(gradient, 2), rel=1e-4)
        assert np.linalg.norm(pair.left) == pytest.approx(1)
        assert np.linalg.norm(pair.right) == pytest.approx(1)
        assert pair.left @ gradient @ pair.right == pytest.approx(pair.value)


def test_up_to_four_rows_one_pass_is_exact(rng):
    gradient = rng.standard_normal((4, 60))
    pair, _, calls = find(gradient, first_basis(4))
    assert calls == 1
    assert pair.value == pytest.approx(np.linalg.norm(gradient, 2), rel=1e-12)


def test_a_warm_start_takes_fewer_passes(rng):
    gradient = rng.standard_normal((60, 80))
    _, basis, cold = find(gradient, first_basis(60))
    _, _, warm = find(gradient + 1e-6, basis)
    assert warm < cold


def test_a_start_orthogonal_to_the_leading_direction_still_finds_it(rng):
    u = np.linalg.qr(rng.standard_normal((40, 5))).Q
    v = np.linalg.qr(rng.standard_normal((60, 5))).Q
    gradient = (u * [100.0, 1, 1, 1, 1]) @ v.T
    pair, _, _ = find(gradient, np.hstack([u[:, 1:4], u[:, 4:]]), tolerance=-1.0)
    assert pair.value == pytest.approx(100.0)


def test_a_zero_gradient_gives_unit_vectors_and_value_zero():
    pair, _, _ = find(np.zeros((6, 8)), first_basis(6))
    assert pair.value == 0
    assert np.linalg.norm(pair.left) == np.linalg.norm(pair.right) == 1
