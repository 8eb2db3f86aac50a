"""Some eigenvalues of a matrix, also where LAPACK's driver for some of them gives up."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

from bgsub.solver.linalg import leading_eigenpairs, one_eigenvalue, some_eigenpairs


def refused(*arguments, **options):
    raise scipy.linalg.LinAlgError("Internal Error.")


@pytest.mark.parametrize("gives_up", [False, True])
@pytest.mark.parametrize("n", [1, 2, 40])
def test_they_are_those_of_a_full_decomposition(n, gives_up, monkeypatch):
    rng = np.random.default_rng(n)
    matrix = rng.standard_normal((n, n))
    matrix = matrix + matrix.T
    values, vectors = np.linalg.eigh(matrix)
    if gives_up:
        monkeypatch.setattr(scipy.linalg, "eigh", refused)
        monkeypatch.setattr(scipy.linalg, "eigvalsh", refused)
    for index in (0, n - 1):
        assert one_eigenvalue(np.triu(matrix), index) == pytest.approx(values[index])
    found, directions = some_eigenpairs(matrix, 0, min(1, n - 1))
    assert found == pytest.approx(values[: len(found)])
    assert np.abs(np.einsum("ij,ij->j", directions, vectors[:, : len(found)])) == pytest.approx(1)
    largest, _ = leading_eigenpairs(matrix, 2)
    assert largest == pytest.approx(values[::-1][:2])
