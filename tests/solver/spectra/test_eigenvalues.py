"""Some eigenvalues of a matrix, also where LAPACK's driver for some of them gives up."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

from bgsub.solver import L1Ball, SplitProblem, Stopping, TraceBall, alt_pgpg, solve
from bgsub.solver.spectra.linalg import leading_eigenpairs, one_eigenvalue, some_eigenpairs


def refused(*arguments, **options):
    raise scipy.linalg.LinAlgError("Internal Error.")


def finds_none(matrix, **options):
    return np.zeros(0), np.zeros((len(matrix), 0))


@pytest.mark.parametrize("driver", [None, refused, finds_none])
def test_they_are_those_of_a_full_decomposition(driver, monkeypatch):
    for n in (1, 2, 40):
        matrix = np.random.default_rng(n).standard_normal((n, n))
        matrix = matrix + matrix.T
        values, vectors = np.linalg.eigh(matrix)
        if driver is not None:
            monkeypatch.setattr(scipy.linalg, "eigh", driver)
            monkeypatch.setattr(
                scipy.linalg, "eigvalsh", lambda *args, **options: driver(*args, **options)[0]
            )
        for index in (0, n - 1):
            assert one_eigenvalue(np.triu(matrix), index) == pytest.approx(values[index])
        found, directions = some_eigenpairs(matrix, 0, min(1, n - 1))
        assert found == pytest.approx(values[: len(found)])
        assert np.abs(np.einsum("ij,ij->j", directions, vectors[:, : len(found)])) == pytest.approx(1)
        largest, _ = leading_eigenpairs(matrix, 2)
        assert largest == pytest.approx(values[::-1][:2])


@pytest.mark.parametrize("seed", range(2))
def test_a_corrupted_covariance_is_split_however_close_its_eigenvalues_come(seed):
    """Near the optimum the largest eigenvalues of the gradient coincide, and LAPACK may find fewer than asked for."""
    rng = np.random.default_rng(seed)
    factor = rng.standard_normal((40, 20))
    low, wrong = (
        factor @ factor.T,
        np.where(rng.random((40, 40)) < 0.05, 8 * rng.standard_normal((40, 40)), 0),
    )
    matrix = low + wrong + wrong.T + 0.1 * rng.standard_normal((40, 40))
    terms = TraceBall(0.5 * np.trace(low)), L1Ball(0.5 * np.abs(wrong + wrong.T).sum())
    result = solve(SplitProblem(matrix, *terms), alt_pgpg(), stop=Stopping(gap_tolerance=1e-10))
    assert result.gap <= 1e-4 * result.trace[0].objective
