"""A start may lie anywhere: it is brought into both sets, and a run from it finds the same optimum."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from solver_cases import plant

from bgsub.errors import InputError
from bgsub.solver import (
    Box,
    ElasticNet,
    GroupBall,
    L1Ball,
    L1Penalty,
    LowRank,
    LpBall,
    NonNegative,
    NuclearNormBall,
    NuclearNormPenalty,
    SplitProblem,
    Stopping,
    TraceBall,
    alt_cgpg,
    alt_pgpg,
    solve,
)
from bgsub.solver.sets.base import ConstraintTerm
from bgsub.solver.start import starting_point

SHAPE = (7, 7)
SETS = {
    "nuclear": NuclearNormBall(2.0),
    "trace": TraceBall(2.0),
    "l1": L1Ball(2.0),
    "lp": LpBall(2.0, 1.4),
    "rows": GroupBall(2.0, "rows"),
    "box": Box(-0.3, 0.2),
    "nonnegative": NonNegative(),
}
PENALTIES = {"nuclear": NuclearNormPenalty(0.3), "l1": L1Penalty(0.1), "net": ElasticNet(0.1, 0.1)}


@pytest.fixture
def far(rng):
    """A point far outside of all sets, X with an offset that is not that of the problem."""
    low_rank = LowRank(rng.standard_normal((7, 3)), rng.standard_normal((7, 3)), rng.standard_normal(7))
    return SimpleNamespace(low_rank=low_rank, sparse=rng.standard_normal(SHAPE))


def problem_of(low_rank, sparse, dtype=np.float64):
    matrix = np.random.default_rng(1).standard_normal(SHAPE)
    return SplitProblem((matrix + matrix.T).astype(dtype), low_rank, sparse, np.full(7, 0.1))


@pytest.mark.parametrize("name", SETS)
def test_a_part_outside_of_its_set_is_projected(name, far):
    for dtype, rounding in ((np.float32, 1e-6), (np.float64, 1e-14)):
        term = SETS[name]
        problem = problem_of(term, term, dtype)
        low_rank, sparse = starting_point(problem, far)
        assert low_rank.left.dtype == low_rank.right.dtype == sparse.dtype == dtype
        np.testing.assert_array_equal(low_rank.offset, problem.offset)
        beyond = LowRank(low_rank.left, low_rank.right).dense()
        given = far.low_rank.left @ far.low_rank.right.T
        np.testing.assert_allclose(beyond, term.project(given), atol=10 * rounding)
        np.testing.assert_allclose(sparse, term.project(far.sparse), atol=10 * rounding)
        assert term.is_feasible(beyond.astype(float), 100 * rounding)
        assert term.is_feasible(sparse, 100 * rounding if name == "trace" else rounding)


def test_a_projection_of_singular_values_stays_in_factors(far):
    for name in ("nuclear", "trace"):
        low_rank, _ = starting_point(problem_of(SETS[name], SETS["l1"]), far)
        assert low_rank.columns <= 3


def test_a_penalty_leaves_the_start_where_it_is(far):
    for term in PENALTIES.values():
        low_rank, sparse = starting_point(problem_of(term, term), far)
        np.testing.assert_array_equal(low_rank.left, far.low_rank.left)
        np.testing.assert_array_equal(sparse, far.sparse)
        assert not np.shares_memory(sparse, far.sparse)


def test_a_member_is_taken_as_it_is(rng):
    inside = SimpleNamespace(
        low_rank=LowRank(rng.random((7, 2)) / 40, rng.random((7, 2)) / 40), sparse=rng.random(SHAPE) / 40
    )
    low_rank, sparse = starting_point(problem_of(SETS["nuclear"], SETS["l1"]), inside)
    np.testing.assert_array_equal(low_rank.left, inside.low_rank.left)
    np.testing.assert_array_equal(low_rank.right, inside.low_rank.right)
    np.testing.assert_array_equal(sparse, inside.sparse)


class VertexBall(ConstraintTerm):
    """The Frobenius ball of radius 2 around *centre*, without a projection."""

    diameter = 4.0

    def __init__(self, centre=0.0):
        self.centre = centre

    def value(self, point):
        dense = point.left @ point.right.T if isinstance(point, LowRank) else point
        return float(np.linalg.norm(dense - self.centre))

    def is_feasible(self, point, tolerance=1e-6):
        return self.value(point) <= 2.0 * (1 + tolerance)

    def conjugate(self, gradient, level):
        return 2.0 * float(np.linalg.norm(gradient))


def test_where_there_is_no_projection_the_part_is_scaled_down(far):
    term = VertexBall()
    low_rank, sparse = starting_point(problem_of(term, term), far)
    given = far.low_rank.left @ far.low_rank.right.T
    np.testing.assert_allclose(
        low_rank.left @ low_rank.right.T, 2 * given / np.linalg.norm(given), atol=1e-12
    )
    np.testing.assert_allclose(sparse, 2 * far.sparse / np.linalg.norm(far.sparse), atol=1e-12)
    assert term.is_feasible(sparse, 0.0)


def test_where_zero_is_not_in_the_set_either_the_start_must_be(far):
    with pytest.raises(
        InputError, match=r"sparse part of start lies outside .* VertexBall has no projection"
    ):
        starting_point(problem_of(SETS["nuclear"], VertexBall(5.0)), far)


@pytest.mark.parametrize(("factor", "dtype"), [(1.1, np.float32), (0.9, np.float64)])
def test_a_solution_at_another_radius_is_a_start_that_leads_to_the_same_optimum(factor, dtype):
    planted = plant((30, 40), 3, 0.05, 5.0)
    tau, s = 0.8 * planted.tau, 0.8 * planted.s
    stop = Stopping(400, 1e-7 if dtype == np.float64 else 1e-4, -1)

    def problem(scale):
        sets = NuclearNormBall(scale * tau), L1Ball(scale * s)
        return SplitProblem(planted.matrix.astype(dtype), *sets)

    other = solve(problem(factor), alt_pgpg(), stop=stop)
    cold = solve(problem(1.0), alt_pgpg(), stop=stop)
    warm = solve(problem(1.0), alt_pgpg(), stop=stop, start=other)
    low_rank, sparse = starting_point(problem(1.0), other)
    rounding = 1e-12 if dtype == np.float64 else 1e-6
    assert low_rank.nuclear_norm() <= tau * (1 + rounding)
    assert np.abs(sparse, dtype=np.float64).sum() <= s * (1 + rounding)
    assert warm.status == cold.status == "converged"
    assert abs(warm.objective - cold.objective) <= max(warm.gap, cold.gap)


def test_a_result_in_single_precision_is_a_start_in_double_and_the_other_way_round():
    planted = plant((30, 40), 3, 0.05, 5.0)
    sets = NuclearNormBall(0.9 * planted.tau), L1Ball(0.9 * planted.s)
    single, double = (SplitProblem(planted.matrix.astype(t), *sets) for t in (np.float32, np.float64))
    for given, wanted in ((single, double), (double, single)):
        first = solve(given, alt_cgpg(3), stop=Stopping(60, 0, -1))
        second = solve(wanted, alt_pgpg(), stop=Stopping(0, 0, -1), start=first)
        assert second.objective == pytest.approx(first.objective, rel=1e-4)
        assert second.sparse.dtype == wanted.dtype
