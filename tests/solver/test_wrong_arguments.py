"""Every wrong argument gives one clear line that names it: each kind of mistake, wherever it can be made."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from bgsub.errors import BgsubError, InputError, OptionError
from bgsub.solver import (
    Accelerated,
    Alternating,
    Auto,
    Backtracking,
    Box,
    Conditional,
    DiameterRule,
    ElasticNet,
    ExactLineSearch,
    FollowWeight,
    GroupBall,
    L1Ball,
    L1Penalty,
    LowRank,
    LpBall,
    NuclearNormBall,
    OpenLoop,
    Part,
    RobustPCA,
    SensingLoss,
    Setting,
    SplitProblem,
    SquaredLoss,
    Stopping,
    StrongPenaltyRule,
    StrongSetFixed,
    StrongSetRule,
    TraceBall,
    WeightedLoss,
    alt_cgpg,
    alt_pgcg,
    alt_pgpg,
    auto,
    certify,
    cgcg,
    cgcg_p,
    fill_missing,
    paper_rule,
    solve,
)

MATRIX = np.random.default_rng(0).standard_normal((4, 5))
PROBLEM = SplitProblem(MATRIX, NuclearNormBall(1), L1Ball(1))
X, Y = LowRank(np.ones((4, 1)) / 9, np.ones((5, 1)) / 9), np.full((4, 5), 0.01)
SETTING = Setting(1, 2, 3, 0.5, 0.5, 1)
HOLED = np.where(np.eye(4, 5) > 0, np.nan, MATRIX)
RAGGED = [[1.0], [2.0, 3.0]]


@cache
def fitted():
    return RobustPCA(tau=5.0, sparsity=3.0, max_iter=20).fit(MATRIX)


def refused(use, value, name, error=BgsubError):
    """Assert that *use* refuses *value* in one line that calls it by its name."""
    with pytest.raises(error) as caught:
        use(value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


WHOLE = {
    "max_iterations": lambda v: Stopping(max_iterations=v).max_iterations,
    "threads": lambda v: solve(PROBLEM, cgcg(), stop=Stopping(1), threads=v) and v,
    "rank of alt_cgpg": lambda v: alt_cgpg(rank=v).rank,
    "rank of alt_pgpg": lambda v: alt_pgpg(v).rank,
    "rank of Accelerated": lambda v: Accelerated(True, v).rank,
    "evaluations": lambda v: Backtracking(evaluations=v).evaluations,
    "max_iter": lambda v: RobustPCA(tau=5.0, sparsity=3.0, max_iter=v).fit(MATRIX) and v,
    "entries": lambda v: LpBall(1, 1.5).set_convexity(v) and v,
    "shape of Box": lambda v: Box(0, 1, (v, 4)).shape[0],
    "shape of SensingLoss": lambda v: SensingLoss(np.eye(8), (v, 4)).size[0],
    "shape of LowRank": lambda v: LowRank.zeros((v, 4)).shape[0],
    "iteration": lambda v: DiameterRule().bound(SETTING, v) and v,
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_are_taken_as_numpy_has_them_and_nothing_else_is(name):
    for value in (np.int64(2), np.int32(2), np.uint8(2), np.array(2)):
        assert WHOLE[name](value) == 2
    for value in (-1, 2.0, 1.5, True, np.True_, "2", 1j, np.ones(2), [2], np.float64(2)):
        refused(WHOLE[name], value, name, OptionError)


REAL = {
    "gap_tolerance": lambda v: Stopping(gap_tolerance=v).gap_tolerance,
    "change_tolerance": lambda v: Stopping(change_tolerance=v).change_tolerance,
    "seconds": lambda v: Stopping(seconds=v).seconds,
    "shrink": lambda v: Backtracking(shrink=v).shrink,
    "armijo": lambda v: Backtracking(armijo=v).armijo,
    "gradient_bound": lambda v: StrongSetFixed(v).gradient_bound,
    "alpha": lambda v: Setting(v, 1, 1, 1, 1, 1).alpha,
    "beta": lambda v: Setting(0.1, v, 1, 1, 1, 1).beta,
    "diameter": lambda v: Setting(1, 1, v, 1, 1, 1).diameter,
    "gap of": lambda v: Setting(1, 1, 1, 1, 1, v).gap,
    "radius of NuclearNormBall": lambda v: NuclearNormBall(v).radius,
    "radius of TraceBall": lambda v: TraceBall(v).radius,
    "radius of GroupBall": lambda v: GroupBall(v, "rows").radius,
    "weight of L1Penalty": lambda v: L1Penalty(v).weight,
    "lambda1": lambda v: ElasticNet(v, 1).lambda1,
    "weight of the proximal step": lambda v: L1Penalty(1).prox(MATRIX, v) is not None and v,
    "start of L1Ball": lambda v: L1Ball(1).project(MATRIX, v) is not None and v,
    "start of LpBall": lambda v: LpBall(1, 1.5).project(MATRIX, v) is not None and v,
    "ridge of SensingLoss": lambda v: SensingLoss(np.eye(12), (3, 4), v).ridge,
    "ridge of WeightedLoss": lambda v: float(WeightedLoss.for_missing(np.eye(3) > 0, v).alpha),
    "bounds": lambda v: SensingLoss(np.eye(12), (3, 4), bounds=(v, 2.0)).alpha,
    "tau": lambda v: RobustPCA(tau=v, sparsity=3.0).fit(MATRIX).low_rank_term_.radius,
    "sparsity": lambda v: RobustPCA(tau=5.0, sparsity=v).fit(MATRIX).sparse_term_.radius,
    "delta": lambda v: RobustPCA(tau=5.0, sparsity=3.0, delta=v).fit(MATRIX) and v,
    "tol": lambda v: RobustPCA(tau=5.0, sparsity=3.0, tol=v).fit(MATRIX) and v,
}


MAY_BE_INFINITE = "gap_tolerance", "change_tolerance", "seconds", "diameter", "gap of"
TAKES_ANY_START = "start of L1Ball", "start of LpBall"
HUGE = 10**400, np.longdouble("1e400"), 10**5000, np.inf
"""The third is too long to print."""


@pytest.mark.parametrize("name", REAL)
def test_real_numbers_of_every_kind_are_taken_and_nothing_else_is(name):
    for kind in (np.float32, np.float64, np.longdouble, np.array, Fraction, np.float16):
        assert REAL[name](kind(0.25)) == pytest.approx(0.25, rel=2e-3)
    for value in ("1", 1j, True, np.ones(2), [1.0], np.complex64(1), "a", np.array("a")):
        refused(REAL[name], value, name, OptionError)
    # Beyond the range of a float: infinite or refused, without an overflow.
    if name in MAY_BE_INFINITE:
        assert REAL[name](HUGE[0]) == np.inf
        refused(REAL[name], np.nan, name, OptionError)
    elif name not in TAKES_ANY_START:
        for value in HUGE:
            refused(REAL[name], value, name, OptionError)


def test_tolerances_and_seconds_are_not_negative():
    for name in ("gap_tolerance", "seconds", "tol"):
        refused(REAL[name], -1e-3, name, OptionError)


SWITCHES = {
    "full": lambda v: Backtracking(full=v),
    "other_is_set": lambda v: Setting(1, 1, 1, 1, 1, 1, v),
    "correct": Conditional,
    "alternating": lambda v: Accelerated(v, 1),
    "polish": lambda v: auto(PROBLEM, v),
}


def test_switches_are_true_or_false():
    for name, use in SWITCHES.items():
        use(np.True_)
        for value in (1, "yes", None, np.ones(2), []):
            refused(use, value, name, OptionError)


OBJECTS = {
    "low_rank of SplitProblem": (lambda v: SplitProblem(MATRIX, v, L1Ball(1)), SquaredLoss()),
    "sparse of SplitProblem": (lambda v: SplitProblem(MATRIX, NuclearNormBall(1), v), L1Ball),
    "loss": (lambda v: SplitProblem(MATRIX, NuclearNormBall(1), L1Ball(1), loss=v), SquaredLoss),
    "weight of alt-pgcg": (alt_pgcg, ExactLineSearch()),
    "weight of alt-cgpg": (lambda v: alt_cgpg(weight=v), OpenLoop),
    "combination of alt-pgcg": (lambda v: alt_pgcg(combination=v), OpenLoop()),
    "combination of alt-cgpg": (lambda v: alt_cgpg(combination=v), ExactLineSearch),
    "combination of cgcg": (cgcg, FollowWeight),
    "combination of cgcg-p": (cgcg_p, DiameterRule()),
    "projected": (Alternating, "sparse"),
    "first": (lambda v: Auto(v, None), cgcg()),
    "polish": (lambda v: Auto(alt_pgcg(), v), alt_pgcg()),
    "SplitProblem": (lambda v: solve(v, cgcg()), SplitProblem),
    "auto takes": (auto, MATRIX.tolist()),
    "paper_rule takes": (paper_rule, alt_pgcg()),
    "certify takes": (lambda v: certify(v, X, Y), SplitProblem),
    "low_rank of certify": (lambda v: certify(PROBLEM, v, Y), MATRIX.tolist()),
    "method": (lambda v: solve(PROBLEM, v), [alt_pgcg()]),
    "stop": (lambda v: solve(PROBLEM, cgcg(), stop=v), Stopping),
    "callback": (lambda v: solve(PROBLEM, cgcg(), callback=v), Stopping()),
    "start": (lambda v: solve(PROBLEM, cgcg(), start=v), (X, Y)),
    "low_rank of start": (
        lambda v: solve(PROBLEM, cgcg(), start=SimpleNamespace(low_rank=v, sparse=Y)),
        (X, X),
    ),
    "workers": (lambda v: certify(PROBLEM, X, Y, v), Stopping()),
    "setting of DiameterRule": (DiameterRule().prepare, Setting),
    "setting of StrongSetRule": (StrongSetRule().prepare, Stopping()),
    "setting of StrongPenaltyRule": (lambda v: StrongPenaltyRule().bound(v, 1), OpenLoop()),
    "trial": (Backtracking().step, SETTING),
    "groups of GroupBall": (lambda v: GroupBall(1, v), ["rows"]),
    "method of RobustPCA": (lambda v: RobustPCA(method=v).fit(MATRIX), ["auto"]),
    "low_rank of RobustPCA": (lambda v: RobustPCA(low_rank=v).fit(MATRIX), NuclearNormBall),
    "sparse of RobustPCA": (lambda v: RobustPCA(sparse=v).fit(MATRIX), L1Ball),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_what_is_of_another_kind_is_refused_and_named(name):
    use, its_own = OBJECTS[name]
    for value in (3, "squared", MATRIX, object(), 0, [], its_own):
        refused(use, value, name, OptionError)


ARRAYS = {
    "data matrix": lambda v: SplitProblem(v, NuclearNormBall(1), L1Ball(1)),
    "offset": lambda v: SplitProblem(MATRIX, NuclearNormBall(1), L1Ball(1), v),
    "weight matrix": WeightedLoss,
    "observed": WeightedLoss.for_missing,
    "fill ": lambda v: fill_missing(HOLED, fill=v),
    "operator": lambda v: SensingLoss(v, (3, 4)),
    "low of Box": lambda v: Box(v, 9),
    "sparse of start": lambda v: solve(PROBLEM, cgcg(), start=SimpleNamespace(low_rank=X, sparse=v)),
    "sparse of certify": lambda v: certify(PROBLEM, X, v),
    "centre": lambda v: RobustPCA(tau=5.0, sparsity=3.0, centre=v).fit(MATRIX),
    "X ": lambda v: RobustPCA(tau=5.0, sparsity=3.0).fit(v),
    "coefficients": lambda v: fitted().inverse_transform(v),
    "left and right": lambda v: LowRank(v, MATRIX),
}
BAD_ARRAYS = (
    RAGGED,
    "abc",
    [[object()]],
    1j * MATRIX,
    csr_matrix(1j * MATRIX),
    np.zeros((4, 5), "M8[s]"),
    {"a": 1},
)


@pytest.mark.parametrize("name", ARRAYS)
def test_what_is_no_array_of_real_numbers_is_refused(name):
    # The estimator follows scikit-learn's words, in which X is X.
    called = {"coefficients": "", "X ": ""}.get(name, name)
    error = InputError if name not in ("low of Box", "centre") else OptionError
    for value in BAD_ARRAYS:
        # LowRank looks at shapes only; what it holds is looked at where it is used.
        if name != "left and right" or not isinstance(value, np.ndarray):
            refused(ARRAYS[name], value, called, error)


def test_values_too_large_for_the_work_are_refused_before_they_overflow():
    sets = NuclearNormBall(1), L1Ball(1)
    for dtype in (np.float32, np.float64):
        for value in (1e200, np.longdouble("1e400"), np.nan, np.inf):
            column = np.full(5, value)
            refused(lambda v, t=dtype: SplitProblem(MATRIX.astype(t), *sets, v), column, "offset", InputError)
            refused(lambda v, t=dtype: fill_missing(HOLED.astype(t), fill=v), column, "fill", InputError)
            refused(
                lambda v: RobustPCA(tau=5.0, sparsity=3.0, centre=v).fit(MATRIX),
                column,
                "centre",
                OptionError,
            )
            refused(lambda v: SplitProblem(v, *sets), np.tile(column, (4, 1)), "data matrix", InputError)
    column = np.full(5, 1e39)
    refused(lambda v: SplitProblem(MATRIX.astype(np.float32), *sets, v), column, "offset", InputError)
    refused(lambda v: fill_missing(HOLED.astype(np.float32), fill=v), column, "fill", InputError)
    for scale in (1e-200, 1e200, np.nan):
        refused(lambda v: SensingLoss(v, (3, 4)), scale * np.eye(12), "product with the operator", InputError)


def test_extended_precision_is_taken_as_double():
    problem = SplitProblem(MATRIX.astype(np.longdouble), NuclearNormBall(1), L1Ball(1))
    np.testing.assert_array_equal(problem.matrix, MATRIX)


def test_a_loss_with_impossible_constants_is_refused():
    class Loss:
        quadratic = on_matrices = True
        check = shape = value = gradient = curvature = lambda self, *arguments: None

        def __init__(self, alpha, beta):
            self.alpha, self.beta = alpha, beta

    def use(loss):
        SplitProblem(MATRIX, NuclearNormBall(1), L1Ball(1), loss=loss)

    for constants in ((0, 1), (2, 1), (np.nan, 1), (1, np.inf), ("1", 1), (-1, 1)):
        refused(use, Loss(*constants), "of Loss", OptionError)


def test_a_delta_that_vanishes_beside_one_is_named_itself():
    for delta in (1e-17, 5e-324):
        refused(
            lambda v: RobustPCA(sparse="lp", delta=v).fit(MATRIX), delta, "delta of RobustPCA", OptionError
        )


def test_factors_that_do_not_fit_are_refused():
    for factors in (
        (np.ones((4, 2)), np.ones((5, 3))),
        (np.ones(4), np.ones(5)),
        ([[1.0]], [[1.0]]),
        (np.ones((4, 2)), np.ones((5, 2)), np.ones(4)),
    ):
        refused(lambda v: LowRank(*v), factors, "of LowRank must be", InputError)


POINTS = (
    (LowRank(np.ones((3, 1)), np.ones((5, 1))), Y),
    (X, Y.T),
    (LowRank(X.left * np.nan, X.right), Y),
    (LowRank(X.left * 1j, X.right), Y),
    (X, Y + np.inf),
    (LowRank(X.left * 1e200, X.right), Y),
    (X, np.ma.masked_less(Y, 5)),
)


def test_points_that_cannot_be_are_refused():
    for low_rank, sparse in POINTS:
        start = SimpleNamespace(low_rank=low_rank, sparse=sparse)
        refused(lambda v: solve(PROBLEM, alt_pgcg(), start=v), start, " of start", InputError)
        refused(lambda v: certify(PROBLEM, *v), (low_rank, sparse), " of certify", InputError)


def test_certify_takes_the_offset_of_the_problem():
    problem = SplitProblem(MATRIX, NuclearNormBall(1), L1Ball(1), np.arange(5.0))
    assert certify(problem, X, Y) == certify(problem, LowRank(X.left, X.right, problem.offset), Y)
    residual = X.left @ X.right.T + np.arange(5.0) + Y - MATRIX
    assert certify(problem, X, Y).objective == pytest.approx((residual**2).sum() / 2)


def test_coefficients_that_cannot_be_are_refused():
    k = fitted().n_components_
    for codes in (np.full((3, k), np.nan), np.ones((3, k + 1)), np.ones(k)):
        with pytest.raises(ValueError, match="coefficients"):
            fitted().inverse_transform(codes)


def test_parts_are_given_by_name_of_the_enumeration():
    assert Alternating(Part.SPARSE).name == "alt-pgcg"
