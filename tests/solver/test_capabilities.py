from __future__ import annotations

import numpy as np
import pytest

from bgsub.errors import IncompatibleProblem
from bgsub.solver import (
    ElasticNet,
    GroupPenalty,
    L1Ball,
    L1Penalty,
    NonNegative,
    NuclearNormBall,
    NuclearNormPenalty,
    SplitProblem,
    alt_cgpg,
    alt_pgcg,
    alt_pgpg,
    auto,
    cgcg,
    cgcg_p,
    fista,
    solve,
)
from bgsub.solver.sets.base import ConstraintTerm


class BareBall(ConstraintTerm):
    """A set with a norm and nothing else."""

    diameter = 2.0

    def value(self, point):
        return 0.0

    def is_feasible(self, point, tolerance=1e-6):
        return True

    def conjugate(self, gradient, level):
        return 0.0


LMO, PROX = r"a conditional-gradient step \(lmo\)", r"a proximal step \(project or prox\)"


def test_a_missing_capability_is_named_before_the_first_iteration():
    for method, low_rank, sparse, missing, part in (
        (alt_pgcg(), BareBall(), L1Ball(1), LMO, "low-rank"),
        (alt_pgcg(), NuclearNormPenalty(1), L1Ball(1), LMO, "low-rank"),
        (alt_pgcg(), NuclearNormBall(1), BareBall(), PROX, "sparse"),
        (alt_cgpg(1), BareBall(), L1Ball(1), PROX, "low-rank"),
        (alt_cgpg(1), NuclearNormBall(1), L1Penalty(1), LMO, "sparse"),
        (cgcg(), NuclearNormBall(1), NonNegative(), LMO, "sparse"),
        (cgcg(), NuclearNormPenalty(1), L1Ball(1), LMO, "low-rank"),
        (cgcg_p(), NuclearNormBall(1), GroupPenalty(1, "rows"), LMO, "sparse"),
        (fista(), BareBall(), L1Ball(1), PROX, "low-rank"),
        (alt_pgpg(), NuclearNormBall(1), BareBall(), PROX, "sparse"),
    ):
        rows = []
        kind = type(low_rank if part == "low-rank" else sparse).__name__
        says = f"^{method.name} needs {missing} of the {part} term, and {kind} does not have it"
        with pytest.raises(IncompatibleProblem, match=says):
            solve(SplitProblem(np.ones((3, 4)), low_rank, sparse), method, callback=rows.append)
        assert not rows


def test_auto_takes_the_variant_that_the_terms_allow():
    matrix = np.ones((6, 7))
    large, small = 100.0, 1.0
    assert auto(SplitProblem(matrix, NuclearNormBall(small), L1Ball(large))).first.name == "alt-pgcg"
    assert auto(SplitProblem(matrix, NuclearNormBall(large), L1Ball(small))).first.name == "alt-cgpg"
    assert auto(SplitProblem(matrix, NuclearNormBall(large), L1Penalty(small))).first.name == "alt-pgcg"
    assert auto(SplitProblem(matrix, NuclearNormPenalty(small), L1Ball(large))).first.name == "alt-cgpg"
    assert (
        auto(SplitProblem(matrix, NuclearNormPenalty(small), ElasticNet(1.0, 1.0))).first.name == "alt-cgpg"
    )


def test_auto_goes_on_without_a_polish_where_a_term_has_no_proximal_step():
    class VertexBall(BareBall):
        def lmo(self, gradient):
            return np.zeros(gradient.shape)

    assert auto(SplitProblem(np.ones((3, 4)), NuclearNormBall(1), VertexBall())).polish is None


def test_terms_in_each_other_s_place_are_allowed():
    matrix = np.arange(12.0).reshape(3, 4)
    straight = solve(SplitProblem(matrix, NuclearNormBall(5), L1Ball(7)), alt_pgpg())
    swapped = solve(SplitProblem(matrix, L1Ball(7), NuclearNormBall(5)), alt_pgpg())
    assert abs(swapped.objective - straight.objective) <= max(swapped.gap, straight.gap)
    assert max(swapped.gap, straight.gap) < 1e-2 * straight.trace[0].objective
