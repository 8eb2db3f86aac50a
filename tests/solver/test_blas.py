from __future__ import annotations

import threading

import numpy as np
import pytest
from solver_cases import plant
from threadpoolctl import threadpool_info, threadpool_limits

from bgsub.solver import Stopping, alt_pgpg, solve
from bgsub.solver.blas import one_blas_thread


@pytest.fixture(autouse=True)
def two_threads():
    with threadpool_limits(2, "blas"):
        yield


def blas_threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_the_limit_holds_inside_and_not_after():
    before = blas_threads()
    assert 2 in before
    with one_blas_thread():
        assert set(blas_threads()) == {1}
    assert blas_threads() == before
    with pytest.raises(KeyError), one_blas_thread():
        raise KeyError
    assert blas_threads() == before


def test_overlapping_runs_in_threads_leave_blas_as_it_was():
    before = blas_threads()
    problem = plant((30, 40), 3, 0.1, 5.0).problem()
    runs = [
        threading.Thread(target=lambda n=n: solve(problem, alt_pgpg(), stop=Stopping(n, 0, -1)))
        for n in (3, 8, 16)
    ]
    for run in runs:
        run.start()
    solve(problem, alt_pgpg(), stop=Stopping(5, 0, -1))
    for run in runs:
        run.join()
    np.linalg.norm(np.ones((50, 50)) @ np.ones((50, 50)))
    assert blas_threads() == before
