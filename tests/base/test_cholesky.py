"""Small symmetric systems against LAPACK."""

from __future__ import annotations

import numpy as np

from bgsub.base.cholesky import solve_in_place


def test_the_solution_is_that_of_lapack() -> None:
    for size in (1, 2, 4, 9):
        rng = np.random.default_rng(size)
        factor, right = rng.normal(size=(size + 3, size)), rng.normal(size=size)
        matrix = factor.T @ factor
        expected = np.linalg.solve(matrix, right)
        assert solve_in_place(matrix, right)
        np.testing.assert_allclose(right, expected, rtol=1e-9)


def test_what_is_not_positive_definite_is_refused() -> None:
    for matrix in (np.zeros((1, 1)), np.ones((2, 2)), np.diag([1.0, -1.0]), np.full((2, 2), np.nan)):
        assert not solve_in_place(matrix.copy(), np.ones(len(matrix)))
