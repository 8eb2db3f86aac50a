"""The compiled passes of the dense engine against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from bgsub.solver.kernels.dense_passes import LONGEST_PRODUCT, DensePasses
from bgsub.solver.kernels.tiles import Workers
from bgsub.solver.spectra.atoms import Entry, LowRank
from bgsub.solver.spectra.ritz import first_basis

SHAPES = [(1, 1), (3, 70), (70, 3), (130, 513), (401, 97)]


@pytest.fixture(params=[(np.float64, 1e-11), (np.float32, 2e-5)], ids=["double", "single"])
def precision(request):
    return np.dtype(request.param[0]), request.param[1]


def arrays(shape, dtype, count=3):
    rng = np.random.default_rng(sum(shape))
    return [rng.standard_normal(shape).astype(dtype) for _ in range(count)]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_pass_equals_its_numpy_twin(shape, precision):
    dtype, accuracy = precision
    z, g, d = arrays(shape, dtype)
    size = float(np.linalg.norm(z) * np.linalg.norm(g)) + 1
    with Workers(2) as workers:
        passes = DensePasses(shape, dtype, workers)
        basis = first_basis(shape[0]).astype(dtype)
        seen = passes.look(z, g, basis)
        np.testing.assert_allclose(seen.image, basis.T @ g, atol=accuracy * size)
        np.testing.assert_allclose(seen.product, g @ (g.T @ basis), atol=accuracy * size * 10)
        assert seen.square == pytest.approx(np.vdot(g, g), rel=accuracy * 10)
        assert seen.inner == pytest.approx(np.vdot(g, z), abs=accuracy * size)
        assert seen.peak.value == g[seen.peak.row, seen.peak.column]
        assert abs(seen.peak.value) == np.abs(g).max()
        shrunk = passes.shrink(g, 0.5)
        assert shrunk.total == pytest.approx(np.maximum(np.abs(g) - 0.5, 0).sum(), rel=accuracy * 10)
        assert shrunk.count == np.count_nonzero(np.abs(g) > 0.5)
        soft = passes.soften(g.copy(), 0.5)
        np.testing.assert_allclose(soft, np.sign(g) * np.maximum(np.abs(g) - 0.5, 0), atol=accuracy)
        for moves in (False, True):
            moved, gradient = z.copy(), g.copy()
            passes.shift(moved, d, gradient, 0.25, moves)
            np.testing.assert_allclose(moved, z + 0.25 * d, atol=accuracy * 10)
            np.testing.assert_allclose(gradient, g + 0.25 * d * moves, atol=accuracy * 10)


@pytest.mark.parametrize("columns", [0, 1, LONGEST_PRODUCT, LONGEST_PRODUCT + 1, 30])
def test_directions_and_points_with_factors_of_any_length(columns, precision):
    dtype, accuracy = precision
    shape = (60, 80)
    z, g, end = arrays(shape, dtype)
    rng = np.random.default_rng(0)
    left, right = (rng.standard_normal((m, columns)).astype(dtype) for m in shape)
    expected = end + left @ right.T - z
    with Workers(2) as workers:
        passes = DensePasses(shape, dtype, workers)
        d = end.copy()
        slope, square = passes.towards(z, g, left, right, d)
        np.testing.assert_allclose(d, expected, atol=accuracy * 100)
        assert slope == pytest.approx(np.vdot(expected, g), abs=accuracy * 1e4)
        assert square == pytest.approx(np.vdot(expected, expected), rel=accuracy * 100)
        entry = Entry(5, 7, 2.0)
        for other, full in (
            (LowRank(left, right), left @ right.T),
            (end, end),
            (entry, entry.dense(shape)),
        ):
            np.testing.assert_allclose(passes.base(z, g, -3.0, other), z - 3 * g - full, atol=accuracy * 100)
        np.testing.assert_allclose(passes.product(left, right.T), left @ right.T, atol=accuracy * 100)
