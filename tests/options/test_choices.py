"""What the option table says of methods and terms is what the solver can do."""

from __future__ import annotations

import numpy as np
import pytest

from bgsub.background.split.method import make_method
from bgsub.options.choices import METHODS, SPARSE, TAKES_VERTEX, is_streamed, refusal
from bgsub.options.table import Options
from bgsub.solver import (
    ElasticNet,
    GroupBall,
    L1Ball,
    LpBall,
    NuclearNormBall,
    NuclearNormPenalty,
    SplitProblem,
)
from bgsub.solver.capabilities import lacks
from bgsub.solver.engines.streamed import StreamedEngine

TERMS = {
    "l1": L1Ball(2.0),
    "lp": LpBall(2.0, 1.2),
    "elastic-net": ElasticNet(1.0, 0.1),
    "group": GroupBall(2.0, "columns"),
}
NAMED = [name for name in METHODS if name != "auto"]


def problem(sparse: str, low_rank: object) -> SplitProblem:
    return SplitProblem(np.ones((4, 6), np.uint8), low_rank, TERMS[sparse])


@pytest.mark.parametrize("name", NAMED)
def test_methods_take_the_vertices_that_the_table_names_and_stream_where_it_says(name: str) -> None:
    asks = make_method(name, Options(method=name)).asks
    assert {part.name.lower() for part, step in asks if step == "lmo"} == set(TAKES_VERTEX.get(name, ()))
    for sparse in SPARSE:
        ball = problem(sparse, NuclearNormBall(1.0))
        runs = not lacks(ball, asks)
        assert is_streamed(name, "nuclear", sparse) == (runs and StreamedEngine.takes(ball, asks)), sparse
        penalty = problem(sparse, NuclearNormPenalty(1.0))
        assert bool(refusal(name, "nuclear-penalty")) == any(
            step == "lmo" for part, step in lacks(penalty, asks)
        )
