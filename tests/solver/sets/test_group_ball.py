from __future__ import annotations

import numpy as np
import pytest

from bgsub.errors import InputError
from bgsub.solver.sets.group_ball import GroupBall
from bgsub.solver.spectra.atoms import LowRank

GROUPS = pytest.mark.parametrize("groups", ["rows", "columns"])
MATRIX = np.array([[3.0, 4.0, 0.0], [0.0, 0.0, 1.0]])


def norms(point, groups):
    """Return the lengths of the groups, written out."""
    lines = point if groups == "rows" else point.T
    return np.array([np.sqrt(sum(x * x for x in line)) for line in lines])


def test_rows_are_the_rows_of_the_matrix_as_given():
    assert GroupBall(1, "rows").value(MATRIX) == pytest.approx(5 + 1)
    assert GroupBall(1, "columns").value(MATRIX) == pytest.approx(3 + 4 + 1)
    assert GroupBall(2, "rows").conjugate(MATRIX, 0) == pytest.approx(2 * 5)
    assert GroupBall(2, "columns").conjugate(MATRIX, 0) == pytest.approx(2 * 4)


def test_the_linear_step_fills_one_row_or_one_column():
    vertex = GroupBall(2, "rows").lmo(MATRIX)
    assert (vertex.left.shape, vertex.right.shape) == ((2, 1), (3, 1))
    np.testing.assert_allclose(vertex.dense(), [[-1.2, -1.6, 0], [0, 0, 0]], atol=1e-14)
    np.testing.assert_allclose(
        GroupBall(2, "columns").lmo(MATRIX).dense(), [[0, -2, 0], [0, 0, 0]], atol=1e-14
    )


@GROUPS
def test_projection_equals_the_one_of_a_general_solver(rng, groups):
    import cvxpy as cp

    for radius in (0.5, 4.0, 1e3):
        point = rng.standard_normal((5, 4))
        y = cp.Variable(point.shape)
        total = cp.mixed_norm(y if groups == "rows" else y.T, 2, 1)
        cp.Problem(cp.Minimize(cp.sum_squares(y - point)), [total <= radius]).solve(solver=cp.CLARABEL)
        np.testing.assert_allclose(GroupBall(radius, groups).project(point), y.value, atol=1e-4)


@GROUPS
def test_linear_step_equals_the_one_of_a_general_solver(rng, groups):
    import cvxpy as cp

    gradient = rng.standard_normal((5, 4))
    y = cp.Variable(gradient.shape)
    total = cp.mixed_norm(y if groups == "rows" else y.T, 2, 1)
    problem = cp.Problem(cp.Minimize(cp.sum(cp.multiply(gradient, y))), [total <= 1.5])
    problem.solve(solver=cp.CLARABEL)
    ball = GroupBall(1.5, groups)
    assert np.vdot(ball.lmo(gradient).dense(), gradient) == pytest.approx(problem.value, rel=1e-6)
    assert ball.conjugate(gradient, 0) == pytest.approx(-problem.value, rel=1e-6)


@GROUPS
def test_whole_groups_are_shortened_or_vanish(rng, groups):
    point = rng.standard_normal((8, 6)) * np.geomspace(0.01, 3, 8)[:, None] * np.geomspace(0.02, 2, 6)
    found = GroupBall(2.0, groups).project(point)
    before, after = norms(point, groups), norms(found, groups)
    kept = after > 0
    assert 0 < kept.sum() < len(kept)
    assert after.sum() == pytest.approx(2.0, rel=1e-11)
    np.testing.assert_allclose((before - after)[kept], (before - after)[kept][0], rtol=1e-9)
    assert (before[~kept] <= (before - after)[kept][0] + 1e-9).all()


@GROUPS
def test_a_zero_group_stays_zero_and_a_zero_gradient_has_a_vertex(groups):
    point = np.array([[0.0, 0.0], [0.0, 5.0]])
    np.testing.assert_allclose(GroupBall(1, groups).project(point), [[0, 0], [0, 1]], atol=1e-12)
    vertex = GroupBall(3, groups).lmo(np.zeros((2, 3))).dense()
    assert norms(vertex, groups).sum() == 3


@GROUPS
def test_factors_are_measured_as_their_product(rng, groups):
    left, right = rng.standard_normal((5, 2)), rng.standard_normal((7, 2))
    factors = LowRank(left, right, rng.standard_normal(7))
    expected = norms(left @ right.T, groups).sum()
    assert GroupBall(1, groups).value(factors) == pytest.approx(expected)
    assert not GroupBall(0.99 * expected, groups).is_feasible(factors)
    assert GroupBall(1.01 * expected, groups).is_feasible(factors)
    assert GroupBall(1, groups).value(LowRank.zeros((5, 7))) == 0


@GROUPS
def test_long_matrices_are_measured_in_parts(rng, groups):
    for shape in ((3, 100_000), (100_000, 3), (1, 1)):
        point = rng.standard_normal(shape).astype(np.float32)
        expected = np.linalg.norm(point.astype(float), axis=1 if groups == "rows" else 0)
        assert GroupBall(1, groups).value(point) == pytest.approx(expected.sum(), rel=1e-12)
        assert GroupBall(1, groups).conjugate(point, 0) == pytest.approx(expected.max(), rel=1e-12)


def test_only_matrices_have_rows_and_columns():
    ball = GroupBall(1, "rows")
    for shape in ((4,), (2, 2, 2), ()):
        for use in (ball.value, ball.project, ball.lmo, lambda a: ball.conjugate(a, 1)):
            with pytest.raises(InputError, match="must have two dimensions"):
                use(np.ones(shape))
