from __future__ import annotations

import numpy as np
import pytest
from solver_cases import plant

from bgsub.errors import InputError, OptionError
from bgsub.solver import (
    L1Ball,
    NuclearNormBall,
    SplitProblem,
    Stopping,
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


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
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
    ],
)
def test_a_matrix_that_cannot_be_used_is_refused_in_one_line(matrix, message):
    with pytest.raises(InputError, match=message) as caught:
        SplitProblem(matrix, *SETS)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "offset", [np.ones(4), np.ones((5, 1)), 1.0, np.full(5, np.nan), np.ones(5, complex)]
)
def test_an_offset_that_does_not_fit_is_refused(offset):
    with pytest.raises(InputError, match="offset must"):
        SplitProblem(np.ones((4, 5)), *SETS, offset=offset)


@pytest.mark.parametrize("dtype", [np.int16, np.float16, np.uint16, np.int64, bool, ">f4", ">f8", "<f8"])
def test_other_number_types_give_what_the_working_type_gives(dtype):
    matrix = np.random.default_rng(0).integers(0, 2, (6, 9)) * 3
    given = matrix.astype(dtype)
    working = given.astype(np.float32 if dtype in (bool, ">f4") else np.float64)
    one = solve(SplitProblem(given, *SETS), alt_pgcg(), stop=Stopping(4, 0, -1))
    other = solve(SplitProblem(working, *SETS), alt_pgcg(), stop=Stopping(4, 0, -1))
    assert one.sparse.dtype == other.sparse.dtype
    np.testing.assert_array_equal(one.sparse, other.sparse)


@pytest.mark.parametrize(
    ("dtype", "expected"), [(np.uint8, np.float32), (np.float32, np.float32), (float, float)]
)
@pytest.mark.parametrize("method", [alt_pgcg(), alt_cgpg(2)], ids=lambda m: m.name)
def test_results_come_in_the_working_precision(dtype, expected, method):
    matrix = np.random.default_rng(0).integers(0, 200, (6, 9)).astype(dtype)
    result = solve(SplitProblem(matrix, *SETS), method, stop=Stopping(3, 0, -1))
    assert result.sparse.dtype == result.low_rank.left.dtype == result.low_rank.right.dtype == expected


@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
def test_memory_order_and_write_protection_change_nothing(dtype):
    matrix = np.random.default_rng(0).integers(0, 200, (6, 9)).astype(dtype)
    read_only = matrix.copy()
    read_only.flags.writeable = False
    forms = [np.asfortranarray(matrix), np.repeat(matrix, 2, axis=1)[:, ::2], matrix[::-1][::-1], read_only]
    stop = Stopping(3, 0, -1)
    expected = solve(SplitProblem(matrix, *SETS), alt_pgcg(), stop=stop)
    for form in forms:
        result = solve(SplitProblem(form, *SETS), alt_pgcg(), stop=stop)
        np.testing.assert_array_equal(result.sparse, expected.sparse)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
def test_the_data_are_neither_copied_nor_written_to(dtype):
    matrix = np.random.default_rng(0).integers(0, 200, (6, 9)).astype(dtype)
    before = matrix.copy()
    problem = SplitProblem(matrix, *SETS)
    solve(problem, alt_pgcg(), stop=Stopping(3, 0, -1))
    assert np.shares_memory(problem.matrix, matrix)
    assert matrix.flags.writeable
    np.testing.assert_array_equal(matrix, before)


def test_single_precision_values_whose_squares_would_overflow_are_worked_on_in_double():
    matrix = (1e25 * np.random.default_rng(0).standard_normal((5, 6))).astype(np.float32)
    result = solve(SplitProblem(matrix, *SETS), alt_pgcg(), stop=Stopping(3, 0, -1))
    assert result.sparse.dtype == np.float64
    assert np.isfinite(result.objective)


@pytest.mark.parametrize("scale", [1e-20, 1e-30])
def test_single_precision_values_whose_squares_would_vanish_are_worked_on_in_double(scale):
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


def test_a_start_that_does_not_fit_is_refused():
    planted = plant((5, 6), 1, 0.5, 1.0)
    problem = planted.problem()
    result = solve(problem, alt_pgcg(), stop=Stopping(2, 0, -1))

    class Point:
        def __init__(self, low_rank, sparse):
            self.low_rank, self.sparse = low_rank, sparse

    with pytest.raises(InputError, match="of start have shapes"):
        solve(problem, alt_pgcg(), start=Point(result.low_rank, np.zeros((6, 5))))


def test_a_masked_array_is_not_taken_for_its_data():
    masked = np.ma.masked_greater(np.ones((4, 5)) * [1, 1, 9, 1, 1], 5)
    with pytest.raises(InputError, match="masked array: fill_missing"):
        SplitProblem(masked, *SETS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.ones((3, 4)), alt_pgcg()), "takes a SplitProblem first, but was given array"),
        ((SplitProblem(np.ones((3, 4)), *SETS), alt_pgcg), "takes a method such as"),
        ((SplitProblem(np.ones((3, 4)), *SETS), "auto"), "takes a method such as"),
        ((SplitProblem(np.ones((3, 4)), *SETS), None), "takes a method such as"),
    ],
)
def test_what_is_no_problem_or_no_method_is_named(arguments, message):
    with pytest.raises(OptionError, match=message):
        solve(*arguments)


def test_what_is_no_stopping_rule_is_named():
    with pytest.raises(OptionError, match="stop must be a Stopping, but is 5"):
        solve(SplitProblem(np.ones((3, 4)), *SETS), alt_pgcg(), stop=5)
