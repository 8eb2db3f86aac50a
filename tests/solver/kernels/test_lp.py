"""The passes for an ℓp ball, each against its definition in NumPy and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_kit import make

from bgsub.solver.kernels.iteration import Point
from bgsub.solver.kernels.lp import Base
from bgsub.solver.kernels.lp_passes import RootPasses
from bgsub.solver.kernels.passes import packed
from bgsub.solver.kernels.tiles import Workers
from bgsub.solver.sets import lp_kernel
from bgsub.solver.sets.lp_cells import Roots, grid_of

CASES = pytest.mark.parametrize(
    ("dtype", "accuracy"), [(np.uint8, 2e-5), pytest.param(np.float64, 1e-11, marks=pytest.mark.slow)]
)
SHAPES = pytest.mark.parametrize("shape", [(1, 1), (7, 65), (3, 9000)])
RHO, C = 0.8, 3.0


def posed(shape, dtype, passes_of):
    """Return passes, a point and a step, and g, q and the moduli of a = q − ρg in float64."""
    matrix, real, low_rank, end, sparse = make(*shape, 2, dtype, 5)
    passes = passes_of(matrix, real)
    base = Base(*packed(end), real.type(1), real.type(RHO))
    g = low_rank.dense().astype(float) + sparse - matrix
    q = matrix - end.dense().astype(float)
    return passes, Point(matrix, sparse, *packed(low_rank)), base, g, q


def shrunk(a, scale, delta):
    """Return the roots of |v| + c·|v|^δ = |a|, all in units of 1/scale, by the scalar kernel that has its own test."""
    moduli = np.array([lp_kernel.root(each, C, delta)[0] for each in np.abs(a).ravel() * scale])
    return np.copysign(moduli.reshape(a.shape), a) / scale


@CASES
@SHAPES
def test_the_histogram_holds_every_modulus(shape, dtype, accuracy):
    for share in (0, 1):
        assert_held(shape, dtype, accuracy, share)


def assert_held(shape, dtype, accuracy, share):
    with Workers(2) as workers:
        passes, point, base, g, q = posed(shape, dtype, lambda *data: RootPasses(*data, workers))
        real = passes.dtype.type
        moduli = np.abs(share * q - RHO * g)
        grid = grid_of(passes.dtype, 1.01 * moduli.max(), 0.2)
        groups = passes.collect(point, base._replace(share=real(share)), grid)
    assert groups.counts.sum() == moduli.size
    total = (groups.counts * groups.points).sum() / grid.scale
    assert total == pytest.approx(moduli.sum(), rel=10 * accuracy)
    for power in (2.0, 6.0, 21.0):
        expected = moduli.max() * ((moduli / moduli.max()) ** power).sum() ** (1 / power)
        # To second order within a cell, whose width is a share of 2⁻⁷.
        assert groups.norm(power) / grid.scale == pytest.approx(expected, rel=1e-6 + 10 * accuracy)


@CASES
@SHAPES
def test_measuring_and_moving_equal_their_numpy_twins(shape, dtype, accuracy):
    for delta in (0.005, 0.05, 0.5, 1.0):
        assert_moved(shape, dtype, accuracy, delta)


def assert_moved(shape, dtype, accuracy, delta):
    with Workers(2) as workers:
        passes, point, base, g, q = posed(shape, dtype, lambda *data: RootPasses(*data, workers))
        a = q - RHO * g
        grid = grid_of(passes.dtype, 1.01 * np.abs(a).max(), delta)
        found = (grid, *Roots(grid, delta, passes.dtype, True)(C))
        v = shrunk(a, grid.scale, delta)
        d = v - q - g
        sums = passes.measure_roots(point, base, found)
        basis = np.random.default_rng(1).standard_normal((shape[0], 4)).astype(passes.dtype)
        before = point.sparse.astype(float)
        sketch = passes.advance_roots(point, base, found, 0.25, basis)
    power = (np.abs(v * grid.scale) ** (1 + delta)).sum()
    assert sums.total == pytest.approx(power, rel=30 * accuracy)
    scale = float(np.linalg.norm(d) * np.linalg.norm(g)) + 1
    assert sums.slope == pytest.approx(np.vdot(d, g), abs=accuracy * scale)
    assert sums.square == pytest.approx(np.vdot(d, d), rel=10 * accuracy)
    np.testing.assert_allclose(point.sparse, before + 0.25 * (v - before), atol=accuracy * 500)
    after = g + 0.25 * d
    size = float(np.linalg.norm(after)) + 1
    assert sketch.square == pytest.approx(np.vdot(after, after), rel=10 * accuracy)
    np.testing.assert_allclose(sketch.image, basis.T @ after, atol=accuracy * size * 10)
    np.testing.assert_allclose(sketch.product, after @ (after.T @ basis), atol=accuracy * size**2 * 10)
    assert abs(sketch.peak.value) == pytest.approx(np.abs(after).max(), abs=accuracy * 500)
