from __future__ import annotations

import numpy as np
import pytest

from bgsub.errors import IncompatibleProblem
from bgsub.solver import L1Ball, NuclearNormBall, SplitProblem, alt_cgpg, alt_pgcg, solve


class BareBall:
    """A set with a norm and nothing else."""

    diameter = 2.0

    def value(self, point):
        return 0.0

    def is_feasible(self, point, tolerance=1e-6):
        return True

    def support(self, dual_norm):
        return dual_norm


@pytest.mark.parametrize(
    ("method", "low_rank", "sparse", "missing", "role"),
    [
        (alt_pgcg(), BareBall(), L1Ball(1), "lmo", "low-rank"),
        (alt_pgcg(), NuclearNormBall(1), BareBall(), "shrinkage", "sparse"),
        (alt_cgpg(1), BareBall(), L1Ball(1), "project_low_rank", "low-rank"),
        (alt_cgpg(1), NuclearNormBall(1), BareBall(), "lmo", "sparse"),
    ],
)
def test_a_set_without_a_capability_is_named_before_the_first_iteration(
    method, low_rank, sparse, missing, role
):
    rows = []
    with pytest.raises(
        IncompatibleProblem, match=f"{method.name} needs .*'{missing}' of the {role} set, and BareBall"
    ):
        solve(SplitProblem(np.ones((3, 4)), low_rank, sparse), method, callback=rows.append)
    assert not rows


def test_sets_in_each_other_s_place_are_refused():
    with pytest.raises(IncompatibleProblem, match="'shrinkage'"):
        solve(SplitProblem(np.ones((3, 4)), L1Ball(1), NuclearNormBall(1)), alt_pgcg())
