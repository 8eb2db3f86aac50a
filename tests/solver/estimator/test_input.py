from __future__ import annotations

import numpy as np
import pytest

from bgsub import RobustPCA
from bgsub.errors import InputError
from bgsub.solver import (
    L1Ball,
    NuclearNormBall,
    SplitProblem,
    Stopping,
    TraceBall,
    WeightedLoss,
    alt_cgpg,
    alt_pgcg,
    alt_pgpg,
    solve,
)

SETS = NuclearNormBall(3.0), L1Ball(5.0)


def poisoned(value, dtype=np.float64):
    matrix = np.ones((4, 5), dtype)
    matrix[2, 3] = value
    return matrix


def test_a_matrix_that_cannot_be_used_is_refused_in_one_line():
    for matrix, message in (
        (np.ones(5), "two dimensions"),
        (np.ones((2, 3, 4)), "two dimensions"),
        (np.ones((0, 5)), "empty"),
        (np.ones((5, 0)), "empty"),
        (poisoned(np.nan), "NaN or infinite values .*row 2"),
        (poisoned(np.inf), "NaN or infinite values .*row 2"),
        (poisoned(np.nan, np.float32), "NaN or infinite"),
        (poisoned(1e200), "beyond 1e140"),
        (np.ones((2, 2), complex), "real numbers.*complex128"),
        (np.array([["a", "b"]]), "real numbers"),
        (np.array([[1, None]], dtype=object), "real numbers.*object"),
        (np.ma.masked_greater(np.ones((4, 5)) * [1, 1, 9, 1, 1], 5), "masked array: fill_missing"),
    ):
        with pytest.raises(InputError, match=message) as caught:
            SplitProblem(matrix, *SETS)
        assert "\n" not in str(caught.value)


def test_a_term_of_symmetric_matrices_takes_square_data_only():
    for shape in ((60, 40), (4, 5)):
        for terms in ((TraceBall(3.0), L1Ball(5.0)), (NuclearNormBall(3.0), TraceBall(5.0))):
            with pytest.raises(InputError, match="symmetric matrices must be square, but the shape is"):
                SplitProblem(np.ones(shape), *terms)
        with pytest.raises(InputError, match="must be square"):
            RobustPCA(low_rank=TraceBall(3.0), sparse=L1Ball(5.0)).fit(np.eye(*shape))


def test_an_offset_that_does_not_fit_is_refused():
    for offset in (np.ones(4), np.ones((5, 1)), 1.0, np.full(5, np.nan), np.ones(5, complex)):
        with pytest.raises(InputError, match="offset must"):
            SplitProblem(np.ones((4, 5)), *SETS, offset=offset)


def test_other_number_types_give_what_the_working_type_gives():
    matrix = np.random.default_rng(0).integers(0, 2, (6, 9)) * 3
    for dtype in (np.int16, np.float16, np.uint16, np.int64, bool, ">f4", ">f8", "<f8"):
        given = matrix.astype(dtype)
        working = given.astype(np.float32 if dtype in (bool, ">f4") else np.float64)
        one = solve(SplitProblem(given, *SETS), alt_pgpg(), stop=Stopping(4, 0, -1))
        other = solve(SplitProblem(working, *SETS), alt_pgpg(), stop=Stopping(4, 0, -1))
        assert one.sparse.dtype == other.sparse.dtype
        np.testing.assert_array_equal(one.sparse, other.sparse)


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [(np.uint8, np.float32), pytest.param(np.float32, np.float32, marks=pytest.mark.slow), (float, float)],
)
def test_results_come_in_the_working_precision_whatever_the_memory_order_and_the_data_stay(dtype, expected):
    matrix, stop = np.random.default_rng(0).integers(0, 200, (6, 9)).astype(dtype), Stopping(3, 0, -1)
    before = matrix.copy()
    problem = SplitProblem(matrix, *SETS)
    for method in (alt_cgpg(2), alt_pgcg()):
        result = solve(problem, method, stop=stop)
        assert result.sparse.dtype == result.low_rank.left.dtype == result.low_rank.right.dtype == expected
    assert np.shares_memory(problem.matrix, matrix)
    assert matrix.flags.writeable
    np.testing.assert_array_equal(matrix, before)
    before.flags.writeable = False
    for form in (np.asfortranarray(matrix), np.repeat(matrix, 2, axis=1)[:, ::2], matrix[::-1][::-1], before):
        np.testing.assert_array_equal(
            solve(SplitProblem(form, *SETS), alt_pgcg(), stop=stop).sparse, result.sparse
        )


def test_single_precision_values_whose_squares_would_overflow_are_worked_on_in_double():
    matrix = (1e25 * np.random.default_rng(0).standard_normal((5, 6))).astype(np.float32)
    result = solve(SplitProblem(matrix, *SETS), alt_pgcg(), stop=Stopping(3, 0, -1))
    assert result.sparse.dtype == np.float64
    assert np.isfinite(result.objective)


def test_single_precision_values_whose_squares_would_vanish_are_worked_on_in_double():
    for scale in (1e-20, 1e-30):
        matrix = (scale * np.random.default_rng(0).standard_normal((20, 30))).astype(np.float32)
        problem = SplitProblem(matrix, NuclearNormBall(10 * scale), L1Ball(30 * scale))
        result = solve(problem, alt_pgpg(), stop=Stopping(200, 1e-6, -1))
        assert result.sparse.dtype == np.float64
        assert 0 < result.gap <= 1e-6 * problem.objective_at_zero()


def test_data_whose_squares_vanish_are_refused():
    matrix = np.full((6, 5), 1e-150)
    with pytest.raises(InputError, match="scale it up"):
        SplitProblem(matrix, NuclearNormBall(1.0), L1Ball(1.0))
    with pytest.raises(InputError, match=r"weight matrix .* scale it up"):
        WeightedLoss(matrix)


def test_an_objective_that_vanishes_is_refused():
    loss = WeightedLoss(np.full((6, 5), 1e-130))
    problem = SplitProblem(np.full((6, 5), 1e-90), NuclearNormBall(1.0), L1Ball(1.0), loss=loss)
    with pytest.raises(InputError, match="scale the data or the loss up"):
        solve(problem, alt_pgpg())
