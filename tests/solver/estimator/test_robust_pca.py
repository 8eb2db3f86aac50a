from __future__ import annotations

import functools
import re
import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import minimize
from solver_cases import plant

from bgsub.errors import IncompatibleProblem, InputError, OptionError
from bgsub.solver import (
    Box,
    ElasticNet,
    GroupBall,
    L1Ball,
    L1Penalty,
    LpBall,
    NuclearNormBall,
    NuclearNormPenalty,
    SplitProblem,
    TraceBall,
    TraceRow,
    certify,
)
from bgsub.solver.estimator.data import LARGEST_DOUBLE
from bgsub.solver.estimator.influence import EntryInfluence, PowerInfluence, RowInfluence
from bgsub.solver.estimator.input import DataError
from bgsub.solver.estimator.regression import robust_coefficients
from bgsub.solver.estimator.robust_pca import RobustPCA

METHODS = ["auto", "alt-pgcg", "alt-cgpg", "cgcg", "cgcg-p", "fista", "alt-pgpg"]


def distance(found, wanted):
    return float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted))


def noisy(shape=(60, 50), rank=2, density=0.05, amplitude=10.0, noise=0.05, seed=0):
    """Return a planted problem and its matrix with noise on every entry."""
    planted = plant(shape, rank, density, amplitude, seed)
    rng = np.random.default_rng(seed + 100)
    return planted, planted.matrix + noise * rng.standard_normal(shape)


@functools.cache
def default_fit():
    """Return the default fit of the noisy matrix, for tests that only look at it."""
    return RobustPCA().fit(noisy()[1])


def optimum(matrix, constraints, cost=None):
    """Return min ½‖X + Y − M‖² + cost(X, Y) under constraints on (X, Y) by an interior-point method."""
    import cvxpy as cp

    x, y = cp.Variable(matrix.shape), cp.Variable(matrix.shape)
    extra = 0 if cost is None else cost(cp, x, y)
    problem = cp.Problem(cp.Minimize(cp.sum_squares(x + y - matrix) / 2 + extra), constraints(cp, x, y))
    problem.solve(solver=cp.CLARABEL)
    assert problem.status == cp.OPTIMAL
    return float(problem.value)


# --- recovery without any knowledge -------------------------------------------------------------------------------


@pytest.mark.parametrize(("density", "amplitude"), [(0.05, 10.0), (0.1, 1.0)])
def test_the_default_recovers_what_principal_component_pursuit_promises(density, amplitude):
    planted = plant((200, 200), 5, density, amplitude)
    pca = RobustPCA().fit(planted.matrix)
    assert distance(pca.low_rank_, planted.low_rank) < 1e-3
    assert distance(pca.sparse_, planted.sparse) < 1e-3
    assert pca.n_components_ == 5
    assert pca.status_ == "converged"


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(60, 200), (200, 60)])
def test_the_default_recovers_long_and_wide_data(shape):
    planted = plant(shape, 3, 0.05, 10.0)
    assert distance(RobustPCA().fit(planted.matrix).low_rank_, planted.low_rank) < 1e-2


@pytest.mark.slow
def test_the_default_recovers_a_rank_of_a_tenth_and_a_third_of_wrong_entries():
    for rank, density in ((20, 0.1), (10, 0.3)):
        planted = plant((200, 200), rank, density, 10.0)
        assert distance(RobustPCA().fit(planted.matrix).low_rank_, planted.low_rank) < 1e-3


def test_the_default_solves_principal_component_pursuit_where_it_does_not_recover():
    """Also for data that are no sum of a low-rank and a sparse matrix, if there is no noise to be told apart."""
    import cvxpy as cp

    planted = plant((14, 12), 2, 0.1, 3.0)
    x = cp.Variable(planted.matrix.shape)
    size = cp.normNuc(x) + cp.sum(cp.abs(planted.matrix - x)) / np.sqrt(14)
    problem = cp.Problem(cp.Minimize(size))
    problem.solve(solver=cp.CLARABEL)
    assert problem.status == cp.OPTIMAL
    assert distance(x.value, planted.low_rank) > 1e-2
    pca = RobustPCA().fit(planted.matrix)
    found = np.linalg.norm(pca.low_rank_, "nuc") + np.abs(planted.matrix - pca.low_rank_).sum() / np.sqrt(14)
    assert found == pytest.approx(problem.value, rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.001, 0.3])
def test_noise_costs_what_it_must_and_adds_no_components(noise):
    planted, matrix = noisy((150, 120), 4, 0.05, 10.0, noise)
    pca = RobustPCA().fit(matrix)
    # The error of a projection of the noise on the true row and column spaces: nobody can do much better.
    least = noise * np.sqrt(4 * (150 + 120)) / np.linalg.norm(planted.low_rank)
    assert distance(pca.low_rank_, planted.low_rank) < 4 * least
    assert pca.n_components_ <= 6
    assert (pca.singular_values_ > 0.1 * pca.singular_values_[0]).sum() == 4


@pytest.mark.slow
def test_the_unit_of_the_data_does_not_matter():
    _, matrix = noisy()
    for scale in (1e-6, 1e6):
        other = RobustPCA().fit(scale * matrix)
        assert distance(other.low_rank_ / scale, default_fit().low_rank_) < 1e-6
        assert other.n_components_ == default_fit().n_components_


def test_exact_low_rank_data_and_sparse_data_are_told_apart():
    low_rank = plant((60, 50), 2, 0.0, 1.0).matrix
    pca = RobustPCA().fit(low_rank)
    assert distance(pca.low_rank_, low_rank) < 1e-3
    assert np.abs(pca.sparse_).max() < 1e-2
    pca = RobustPCA().fit(np.eye(30))
    assert pca.n_components_ == 0
    assert distance(pca.sparse_, np.eye(30)) < 1e-5
    assert pca.transform(np.eye(30)).shape == (30, 0)
    assert pca.inverse_transform(np.zeros((4, 0))) == pytest.approx(np.zeros((4, 30)))


def test_nothing_but_zeros_is_split_into_zeros():
    pca = RobustPCA().fit(np.zeros((5, 6)))
    assert not pca.low_rank_.any()
    assert not pca.sparse_.any()
    assert pca.status_ == "converged"


# --- the certificate, and the problem that was solved -------------------------------------------------------------


@pytest.mark.parametrize(("methods", "share"), [(METHODS, 0.5), (["auto", "alt-cgpg"], None)])
def test_the_gap_certifies_the_problem_that_was_solved(methods, share):
    planted, matrix = noisy((14, 12), 2, 0.1, 5.0, 0.2)
    given = (None, None) if share is None else (share * planted.tau, share * planted.s)
    best = None
    for method in methods:
        pca = RobustPCA(method=method, tau=given[0], sparsity=given[1], max_iter=60).fit(matrix)
        tau, s = pca.low_rank_term_.radius, pca.sparse_term_.radius
        if share is not None:
            assert (tau, s) == given
        if best is None or share is None:
            limits = lambda cp, x, y, tau=tau, s=s: [cp.normNuc(x) <= tau, cp.sum(cp.abs(y)) <= s]  # noqa: E731
            best = optimum(matrix, limits)
        split = pca.low_rank_ + pca.sparse_
        assert pca.objective_ == pytest.approx(np.sum((split - matrix) ** 2) / 2)
        assert -1e-6 * best <= pca.objective_ - best <= pca.duality_gap_ + 1e-6 * best
        assert np.linalg.norm(pca.low_rank_, "nuc") <= tau * (1 + 1e-6)
        assert np.abs(pca.sparse_).sum() <= s * (1 + 1e-6)


def test_the_certificate_is_that_of_the_attributes():
    planted, matrix = noisy((30, 20))
    pca = RobustPCA(tau=0.7 * planted.tau, sparsity=0.6 * planted.s).fit(matrix)
    problem = SplitProblem(matrix, pca.low_rank_term_, pca.sparse_term_)
    low_rank = problem.as_low_rank(pca.low_rank_)
    proof = certify(problem, low_rank, pca.sparse_)
    assert proof.objective == pytest.approx(pca.objective_)
    assert proof.gap == pytest.approx(pca.duality_gap_, abs=1e-6 * pca.trace_[0].objective)


def test_the_first_estimate_already_solves_the_problem_of_its_own_norms():
    """Lagrangian duality: with noise, from zero with the same radii, another method ends at the same point."""
    (_, matrix), pca = noisy(), default_fit()
    other = RobustPCA(tau=pca.low_rank_term_.radius, sparsity=pca.sparse_term_.radius).fit(matrix)
    assert distance(other.low_rank_, pca.low_rank_) < 1e-3
    assert other.objective_ == pytest.approx(pca.objective_, rel=1e-3)


def test_the_elastic_net_is_certified_and_recovers():
    planted, matrix = noisy((14, 12), 2, 0.1, 5.0, 0.2)
    tau, l1, l2 = 0.7 * planted.tau, 0.3, 0.05
    pca = RobustPCA(sparse="elastic-net", tau=tau, lambda1=l1, lambda2=l2).fit(matrix)
    assert pca.sparse_term_ == ElasticNet(l1, l2)
    best = optimum(
        matrix,
        lambda cp, x, y: [cp.normNuc(x) <= tau],
        lambda cp, x, y: l1 * cp.sum(cp.abs(y)) + l2 * cp.sum_squares(y),
    )
    assert -1e-6 * best <= pca.objective_ - best <= pca.duality_gap_ + 1e-6 * best
    planted = plant((60, 50), 2, 0.05, 10.0)
    pca = RobustPCA(sparse="elastic-net").fit(planted.matrix)
    assert distance(pca.low_rank_, planted.low_rank) < 1e-2
    # What the choice of lambda2 promises: at the largest gross error the pull is twice lambda1.
    term, largest = pca.sparse_term_, np.abs(pca.sparse_).max()
    assert term.lambda1 + 2 * term.lambda2 * largest == pytest.approx(2 * term.lambda1, rel=0.05)


def test_terms_may_be_given_as_objects():
    planted, matrix = noisy((20, 20))
    pca = RobustPCA(low_rank=NuclearNormPenalty(2.0), sparse=L1Penalty(0.4)).fit(matrix)
    best = optimum(matrix, lambda cp, x, y: [], lambda cp, x, y: 2 * cp.normNuc(x) + 0.4 * cp.sum(cp.abs(y)))
    assert -1e-6 * best <= pca.objective_ - best <= pca.duality_gap_ + 1e-6 * best
    symmetric = planted.low_rank @ planted.low_rank.T
    pca = RobustPCA(low_rank=TraceBall(float(np.trace(symmetric))), sparse=L1Ball(1.0)).fit(symmetric)
    assert np.linalg.eigvalsh(pca.low_rank_)[0] > -1e-6 * np.trace(symmetric)
    assert distance(pca.low_rank_, symmetric) < 1e-2
    # A term for one part leaves the other's radius open.
    pca = RobustPCA(sparse=L1Ball(0.9 * planted.s)).fit(matrix)
    assert isinstance(pca.low_rank_term_, NuclearNormBall)
    assert pca.sparse_term_ == L1Ball(0.9 * planted.s)


def test_one_radius_may_be_given_and_the_other_left_open():
    planted, matrix = noisy()
    pca = RobustPCA(tau=0.5 * planted.tau).fit(matrix)
    assert pca.low_rank_term_.radius == 0.5 * planted.tau
    assert pca.sparse_term_.radius == pytest.approx(planted.s, rel=0.1)
    assert "tau = " in pca.reasons_
    assert "as given" in pca.reasons_
    pca = RobustPCA(sparsity=2 * planted.s).fit(matrix)
    assert pca.low_rank_term_.radius == pytest.approx(planted.tau, rel=0.1)


def test_the_reasons_name_every_number_and_what_was_done():
    (_, matrix), pca = noisy(), default_fit()
    assert f"tau = {pca.low_rank_term_.radius:.6g}" in pca.reasons_
    assert f"sparsity = {pca.sparse_term_.radius:.6g}" in pca.reasons_
    for words in ("1/√60", "standard deviation 0.05", "start: the first estimate", "method: alt-pgpg"):
        assert words in pca.reasons_
    pca = RobustPCA(tau=1.0, sparsity=1.0, method="cgcg").fit(matrix)
    assert pca.reasons_.splitlines() == ["tau = 1 as given", "sparsity = 1 as given", "method: cgcg"]
    assert all(isinstance(row, TraceRow) for row in pca.trace_)
    assert pca.n_iter_ == pca.trace_[-1].iteration


# --- whole rows and columns, ℓp -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("groups", "noise"), [("rows", 0.05), ("columns", 0.0)])
def test_whole_rows_or_columns_that_are_wrong_are_found(groups, noise):
    rng = np.random.default_rng(3)
    clean = plant((80, 60), 3, 0.0, 1.0).matrix
    matrix = clean + noise * rng.standard_normal(clean.shape)
    bad = rng.random(80) < 0.1
    matrix[bad] = 3 * rng.standard_normal((bad.sum(), 60))
    turn = (lambda array: array) if groups == "rows" else np.transpose
    pca = RobustPCA(sparse=groups).fit(turn(matrix))
    low_rank, sparse = turn(pca.low_rank_), turn(pca.sparse_)
    assert distance(low_rank[~bad], clean[~bad]) < 1e-3 + noise
    lengths = np.linalg.norm(sparse, axis=1)
    assert lengths[bad].min() > 10 * lengths[~bad].max()
    assert isinstance(pca.sparse_term_, GroupBall)


@pytest.mark.slow
def test_the_lp_ball_is_solved_to_its_optimum():
    planted, matrix = noisy()
    pca = RobustPCA(sparse="lp", delta=0.2).fit(matrix)
    assert pca.sparse_term_.p == pytest.approx(1.2)
    assert pca.status_ == "converged"
    assert LpBall(pca.sparse_term_.radius, 1.2).is_feasible(pca.sparse_)
    assert distance(pca.low_rank_, planted.low_rank) < 0.05


# --- components and coefficients ----------------------------------------------------------------------------------


@pytest.mark.parametrize("centre", [None, "median", "mean"])
def test_coefficients_times_components_are_the_low_rank_part(centre):
    _, matrix = noisy()
    matrix = matrix + np.linspace(0, 20, 50)
    pca = RobustPCA(centre=centre)
    codes = pca.fit_transform(matrix)
    assert codes.shape == (60, pca.n_components_)
    assert pca.inverse_transform(codes) == pytest.approx(pca.low_rank_, abs=1e-4)
    assert pca.components_ @ pca.components_.T == pytest.approx(np.eye(pca.n_components_), abs=1e-10)
    beyond = np.linalg.svd(pca.low_rank_ - pca.offset_, compute_uv=False)
    assert pca.singular_values_ == pytest.approx(beyond[: pca.n_components_])
    assert np.linalg.norm(codes, axis=0) == pytest.approx(pca.singular_values_)
    wanted = {None: np.zeros(50), "median": np.median(matrix, axis=0), "mean": matrix.mean(axis=0)}[centre]
    assert pca.offset_ == pytest.approx(wanted)
    peaks = np.take_along_axis(pca.components_, np.abs(pca.components_).argmax(1)[:, None], 1)
    assert (peaks > 0).all()


def test_the_centre_may_be_given_column_by_column():
    _, matrix = noisy()
    shift = np.linspace(0, 20, 50)
    pca = RobustPCA(centre=shift).fit(matrix + shift)
    assert distance(pca.low_rank_ - shift, default_fit().low_rank_) < 1e-3


@pytest.mark.parametrize(
    ("sparse", "centre"),
    [("l1", "median"), ("lp", None), ("rows", "median"), ("columns", None), ("elastic-net", "median")],
)
def test_training_rows_get_the_coefficients_of_the_fit(sparse, centre):
    _, matrix = noisy()
    pca = RobustPCA(sparse=sparse, centre=centre)
    codes = pca.fit_transform(matrix)
    assert np.abs(pca.transform(matrix) - codes).max() < 1e-3 * np.abs(codes).max()


def test_new_rows_are_freed_of_their_gross_errors_and_holes():
    rng = np.random.default_rng(5)
    planted = plant((120, 50), 2, 0.05, 10.0)
    pca = RobustPCA().fit(planted.matrix[:60])
    rows = planted.matrix[60:].copy()
    rows[rng.random(rows.shape) < 0.1] = np.nan
    clean = planted.low_rank[60:]
    assert distance(pca.inverse_transform(pca.transform(rows)), clean) < 1e-2
    plain = np.where(np.isnan(rows), 0, rows) @ pca.components_.T
    assert distance(pca.inverse_transform(plain), clean) > 0.2


def test_a_row_of_which_nothing_is_seen_lies_at_the_offset():
    _, matrix = noisy()
    pca = RobustPCA(centre="median").fit(matrix)
    codes = pca.transform(np.full((1, 50), np.nan))
    assert codes == pytest.approx(np.zeros_like(codes))


def huber(residual, theta):
    size = np.abs(residual)
    return np.where(size <= theta, size**2 / 2, theta * size - theta**2 / 2)


@pytest.mark.parametrize("slope", [0.0, 0.1])
def test_the_regression_minimises_its_objective(slope):
    rng, theta = np.random.default_rng(0), 0.3
    for _ in range(3):
        components = np.linalg.qr(rng.standard_normal((30, 3)))[0].T
        pull = rng.random(3) * 0.1
        row = rng.standard_normal(3) @ components * 5 + 5 * rng.standard_normal(30) * (rng.random(30) < 0.3)
        row[:4] = np.nan

        def objective(c, row=row, components=components, pull=pull):
            residual = (row - c @ components)[4:]
            # min over y of ½(r − y)² + θ|y| + λ2·y², by its stationary point.
            y = np.sign(residual) * np.maximum(np.abs(residual) - theta, 0) / (1 + 2 * slope)
            part = (residual - y) ** 2 / 2 + theta * np.abs(y) + slope * y**2
            return part.sum() + (pull * c**2).sum() / 2

        found = robust_coefficients(row[None], components, pull, EntryInfluence(theta, slope))[0]
        best = minimize(objective, np.zeros(3), method="BFGS", options={"gtol": 1e-9})
        assert found == pytest.approx(best.x, abs=1e-5)


def test_without_noise_the_regression_is_that_of_least_moduli():
    import cvxpy as cp

    rng = np.random.default_rng(0)
    components = np.linalg.qr(rng.standard_normal((30, 3)))[0].T
    row = 5 * rng.standard_normal(30)
    c = cp.Variable(3)
    problem = cp.Problem(cp.Minimize(cp.sum(cp.abs(row - components.T @ c))))
    problem.solve(solver=cp.CLARABEL)
    found = robust_coefficients(row[None], components, np.zeros(3), EntryInfluence(1e-6))[0]
    assert np.abs(row - found @ components).sum() == pytest.approx(problem.value, rel=1e-5)


def test_the_regression_on_rows_minimises_its_objective():
    rng = np.random.default_rng(0)
    components = np.linalg.qr(rng.standard_normal((30, 3)))[0].T
    pull, row, theta = np.array([0.1, 0.2, 0.3]), 5 * rng.standard_normal(30), 2.0

    def objective(c):
        return float(huber(np.linalg.norm(row - c @ components), theta) + (pull * c**2).sum() / 2)

    found = robust_coefficients(row[None], components, pull, RowInfluence(theta))[0]
    best = minimize(objective, np.ones(3), method="BFGS", options={"gtol": 1e-9})
    assert found == pytest.approx(best.x, abs=1e-5)


@pytest.mark.parametrize("delta", [0.1, 0.5, 1.0])
def test_the_weights_of_the_lp_norm_leave_what_its_minimiser_leaves(delta):
    residual, multiplier = np.array([[0.0, 1e-3, 0.2, -1.5, 40.0]]), 0.7
    weights = PowerInfluence(multiplier, delta).weights(residual)
    for r, w in zip(residual[0, 1:], weights[0, 1:], strict=True):
        low, high = min(r, 0), max(r, 0)
        for _ in range(3):  # a finer grid around the best point of the one before: the cost is convex
            grid = np.linspace(low, high, 2001)
            best = np.argmin((r - grid) ** 2 / 2 + multiplier * np.abs(grid) ** (1 + delta) / (1 + delta))
            low, high = grid[max(best - 1, 0)], grid[min(best + 1, 2000)]
        assert w == pytest.approx((r - grid[best]) / r, abs=2e-6)
    assert weights[0, 0] == 1


# --- missing entries ----------------------------------------------------------------------------------------------


def test_missing_entries_are_recovered_with_the_others():
    planted = plant((100, 80), 3, 0.05, 10.0)
    matrix = planted.matrix.copy()
    hidden = np.random.default_rng(1).random(matrix.shape) < 0.2
    matrix[hidden] = np.nan
    pca = RobustPCA()
    codes = pca.fit_transform(matrix)
    assert distance(pca.low_rank_[hidden], planted.low_rank[hidden]) < 1e-2
    assert distance(pca.low_rank_, planted.low_rank) < 1e-2
    assert np.isfinite(pca.sparse_).all()
    assert np.abs(pca.sparse_[hidden]).max() < 1e-6
    assert np.abs(pca.transform(matrix) - codes).max() < 1e-2 * np.abs(codes).max()
    assert "missing: " in pca.reasons_


def test_one_round_of_filling_is_counted_as_one():
    matrix = np.outer(np.arange(1.0, 9), np.arange(1.0, 7))
    matrix[2, 3] = np.nan
    said = RobustPCA(max_iter=1).fit(matrix).reasons_
    assert re.search(r"filled from the low-rank part in 1 round(?!s)", said)


def test_a_masked_array_is_the_same_as_nan():
    _, matrix = noisy()
    hidden = np.random.default_rng(1).random(matrix.shape) < 0.1
    holes = np.where(hidden, np.nan, matrix)
    masked = np.ma.masked_array(matrix, hidden)
    a, b = RobustPCA().fit(holes), RobustPCA().fit(masked)
    np.testing.assert_array_equal(a.low_rank_, b.low_rank_)
    np.testing.assert_array_equal(a.transform(holes), b.transform(masked))


def test_missing_entries_hardly_count_in_the_problem_that_is_certified():
    planted, matrix = noisy((30, 25), noise=0.1)
    hidden = np.random.default_rng(1).random(matrix.shape) < 0.1
    holes = np.where(hidden, np.nan, matrix)
    pca = RobustPCA(tau=0.8 * planted.tau, sparsity=0.8 * planted.s).fit(holes)
    seen = np.sum((pca.low_rank_ + pca.sparse_ - matrix)[~hidden] ** 2) / 2
    assert pca.objective_ == pytest.approx(seen, rel=1e-4)
    assert pca.duality_gap_ < 1e-4 * seen


@pytest.mark.slow
def test_columns_and_rows_of_which_nothing_is_seen_are_borne():
    planted = plant((60, 50), 2, 0.05, 10.0)
    matrix = planted.matrix.copy()
    matrix[3], matrix[:, 7] = np.nan, np.nan
    for centre in (None, "median", "mean"):
        pca = RobustPCA(centre=centre).fit(matrix)
        assert np.isfinite(pca.low_rank_).all()
        others = np.delete(np.arange(60), 3)[:, None], np.delete(np.arange(50), 7)
        assert distance(pca.low_rank_[others], planted.low_rank[others]) < 2e-2


# --- types --------------------------------------------------------------------------------------------------------


def test_float32_is_kept_and_small_integers_become_it():
    _, matrix = noisy((15, 12))
    counts = np.clip(np.rint(40 * (matrix + 3)), 0, 250)
    for data, dtype in (
        (counts.astype("float32"), "float32"),
        (counts.astype("uint8"), "float32"),
        (matrix > 4, "float32"),
        (counts, "float64"),
        (counts.astype("int32"), "float64"),
    ):
        pca = RobustPCA(max_iter=10)
        codes = pca.fit_transform(data)
        assert codes.dtype == pca.low_rank_.dtype == pca.sparse_.dtype == pca.components_.dtype == dtype
        assert pca.transform(data).dtype == pca.inverse_transform(codes).dtype == dtype


def test_single_precision_gives_the_same_split():
    single = RobustPCA().fit(noisy()[1].astype(np.float32))
    assert distance(single.low_rank_, default_fit().low_rank_) < 1e-4


@pytest.mark.slow
def test_large_single_precision_data_are_worked_on_in_single_precision(monkeypatch):
    planted, matrix = noisy((100, 80), 3, noise=0.1)
    assert matrix.size < LARGEST_DOUBLE
    monkeypatch.setattr("bgsub.solver.estimator.data.LARGEST_DOUBLE", 0)
    pca = RobustPCA().fit(matrix.astype(np.float32))
    assert distance(pca.low_rank_, RobustPCA().fit(matrix).low_rank_) < 1e-2
    assert pca.low_rank_term_.radius == pytest.approx(planted.tau, rel=0.1)


def test_the_data_are_not_written_to_and_need_not_be_writable():
    _, matrix = noisy()
    matrix[2, 3] = np.nan
    before = matrix.copy()
    matrix.flags.writeable = False
    pca = RobustPCA(centre="median").fit(matrix)
    pca.transform(np.asfortranarray(matrix))
    np.testing.assert_array_equal(matrix, before)


class Frame:
    """As much of a data frame as is looked at."""

    def __init__(self, values, columns):
        self.values, self.columns = values, columns

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype)


def test_column_names_of_a_frame_are_kept_and_compared():
    _, matrix = noisy()
    names = [f"c{i}" for i in range(50)]
    pca = RobustPCA().fit(Frame(matrix, names))
    assert list(pca.feature_names_in_) == names
    pca.transform(Frame(matrix, names))
    with pytest.raises(DataError, match=r"same order"):
        pca.transform(Frame(matrix, names[::-1]))
    with pytest.raises(DataError, match=r"unseen at fit time:\n- other"):
        pca.transform(Frame(matrix, ["other", *names[1:]]))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        pca.transform(matrix)
    pca.fit(Frame(matrix, range(50)))
    assert not hasattr(pca, "feature_names_in_")
    with pytest.warns(UserWarning, match="fitted without feature names"):
        pca.transform(Frame(matrix, names))


# --- parameters and errors ----------------------------------------------------------------------------------------


def test_a_parameter_out_of_range_is_named_by_fit():
    only = "has a meaning only"
    for parameters, message in (
        ({"method": "fist"}, "did you mean 'fista'"),
        ({"method": None}, "method of RobustPCA"),
        ({"sparse": "l2"}, "sparse of RobustPCA"),
        ({"low_rank": "trace"}, "low_rank of RobustPCA"),
        ({"tau": 0.0}, "tau of RobustPCA"),
        ({"sparsity": -1.0}, "sparsity of RobustPCA"),
        ({"sparsity": np.nan}, "sparsity of RobustPCA"),
        ({"delta": 0.0}, "delta of RobustPCA"),
        ({"delta": 1.5}, "delta of RobustPCA"),
        ({"lambda1": 0.1}, f"lambda1 of RobustPCA {only} with sparse='elastic-net'"),
        ({"lambda2": 0.1}, f"lambda2 of RobustPCA {only}"),
        ({"sparse": "elastic-net", "lambda1": -0.1}, "lambda1 of RobustPCA"),
        ({"sparse": "elastic-net", "lambda2": 0.0}, "lambda2 of RobustPCA"),
        ({"sparse": "elastic-net", "sparsity": 1.0}, f"sparsity of RobustPCA {only}"),
        ({"low_rank": NuclearNormBall(1.0), "tau": 1.0}, f"tau of RobustPCA {only}"),
        ({"sparse": L1Ball(1.0), "sparsity": 1.0}, f"sparsity of RobustPCA {only}"),
        ({"centre": "mode"}, "centre must be"),
        ({"centre": [1.0, 2.0]}, "centre must be"),
        ({"centre": [np.nan] * 50}, "centre must be"),
        ({"max_iter": 0}, "max_iter of RobustPCA"),
        ({"tol": -1e-3}, "tol of RobustPCA"),
        ({"tol": np.nan}, "tol of RobustPCA"),
    ):
        pca = RobustPCA(**parameters)
        with pytest.raises(OptionError, match=message) as error:
            pca.fit(np.ones((60, 50)))
        assert isinstance(error.value, ValueError)
        assert not hasattr(pca, "components_")


def test_a_ridge_out_of_range_is_named_whether_something_is_missing_or_not():
    matrix = np.ones((6, 5))
    for hole in (0.0, np.nan):
        matrix[2, 2] = hole
        for ridge in (0.0, -1.0, 1.5, np.nan, "a"):
            with pytest.raises(OptionError, match="ridge of RobustPCA"):
                RobustPCA(ridge=ridge).fit(matrix)


def test_a_method_that_does_not_fit_the_terms_is_refused():
    with pytest.raises(IncompatibleProblem, match=r"cgcg needs .* L1Penalty"):
        RobustPCA(method="cgcg", tau=1.0, sparse=L1Penalty(1.0)).fit(np.ones((6, 5)))
    with pytest.raises(IncompatibleProblem):
        RobustPCA(method="cgcg", low_rank=NuclearNormPenalty(1.0), sparse=Box(-1.0, 1.0)).fit(np.ones((6, 5)))


def test_data_that_cannot_be_used_are_refused_in_one_line():
    for data, message in (
        (np.ones(5), "Expected 2D array"),
        (np.ones((2, 3, 4)), "Expected 2D array"),
        (np.ones((1, 5)), r"1 sample\(s\)"),
        (np.ones((5, 1)), r"1 feature\(s\)"),
        (np.ones((0, 5)), r"0 sample\(s\)"),
        (np.full((5, 5), np.nan), "nothing but NaN"),
        (np.array([[1.0, np.inf], [1.0, 2.0]]), "infinite"),
        (np.array([[1.0, 1e200], [1.0, 2.0]]), "beyond"),
        (np.ones((3, 3), complex), "Complex data"),
        ([["a", "b"], ["c", "d"]], "must hold numbers"),
        ([[1.0, 2.0], [3.0]], "must be a matrix"),
    ):
        with pytest.raises(ValueError, match=message) as error:
            RobustPCA().fit(data)
        assert "\n" not in str(error.value)
        assert isinstance(error.value, InputError)


def test_coefficients_and_rows_of_the_wrong_shape_are_refused():
    with pytest.raises(DataError, match="expecting 50 features"):
        default_fit().transform(noisy()[1][:, :20])
    with pytest.raises(DataError, match="coefficients must have shape"):
        default_fit().inverse_transform(np.ones((3, 17)))


def test_nothing_works_before_the_fit_whether_scikit_learn_is_there_or_not(monkeypatch):
    from bgsub.solver.estimator import protocol

    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr(protocol, "import_module", absent)
    for name in ("transform", "inverse_transform"):
        with pytest.raises(ValueError, match="call fit first") as error:
            getattr(RobustPCA(), name)(np.ones((3, 3)))
        assert isinstance(error.value, AttributeError)


@pytest.mark.slow
def test_a_fit_does_not_import_scikit_learn():
    program = (
        "import sys, numpy; from bgsub.solver.estimator.robust_pca import RobustPCA; "
        "m = numpy.random.default_rng(0).random((9, 8)); RobustPCA().fit(m).transform(m); "
        "print(sorted(name for name in sys.modules if name.split('.')[0] in ('sklearn', 'pandas')))"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_parameters_are_read_set_and_shown():
    pca = RobustPCA(tau=2.0)
    assert pca.get_params()["tau"] == 2.0
    assert pca.set_params(sparse="rows", tau=None) is pca
    assert repr(pca) == "RobustPCA(sparse='rows')"
    with pytest.raises(OptionError, match="did you mean 'sparsity'"):
        pca.set_params(sparsty=1.0, method="fista")
    assert pca.method == "auto"


def test_a_limit_of_iterations_is_a_status_and_no_error():
    planted, matrix = noisy()
    pca = RobustPCA(tau=planted.tau, sparsity=planted.s, max_iter=3).fit(matrix)
    assert pca.status_ == "max_iterations"
    assert pca.n_iter_ == 3
    assert pca.duality_gap_ > 1e-7 * pca.trace_[0].objective


def test_iterations_are_limited_for_all_fillings_together_and_running_out_of_them_is_said():
    _, matrix = noisy((80, 60), 3)
    matrix[np.random.default_rng(3).random(matrix.shape) < 0.2] = np.nan
    whole, short = RobustPCA().fit(matrix), RobustPCA(max_iter=5).fit(matrix)
    assert (whole.status_, short.status_) == ("converged", "max_iterations")
    assert short.n_iter_ < whole.n_iter_
    assert "the fills still change" in short.reasons_
    assert "the fills still change" not in whole.reasons_


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.01, 0.1])
def test_light_noise_does_not_keep_the_default_from_converging(noise):
    planted, matrix = noisy((200, 200), 5, noise=noise)
    pca = RobustPCA().fit(matrix)
    assert pca.status_ == "converged"
    assert distance(pca.low_rank_, planted.low_rank) < 0.3 * noise


@pytest.mark.parametrize(
    ("method", "dtype"), [("auto", np.float32), ("fista", np.float64), ("alt-cgpg", np.float64)]
)
def test_low_rank_and_components_are_the_same_whatever_is_negligible(method, dtype):
    planted = plant((60, 50), 2, 0.05, 10.0)
    pca = RobustPCA(method=method, tau=planted.tau, sparsity=planted.s, max_iter=100)
    codes = pca.fit_transform(planted.matrix.astype(dtype))
    scale = np.abs(pca.low_rank_).max()
    assert np.abs(pca.inverse_transform(codes) - pca.low_rank_).max() <= 8 * np.finfo(dtype).eps * scale
    assert pca.singular_values_.min() > 0


def test_a_second_fit_forgets_the_first():
    pca, fresh = RobustPCA().fit(plant((20, 30), 1, 0.0, 1.0).matrix), default_fit()
    again = pca.fit(noisy()[1])
    np.testing.assert_array_equal(again.low_rank_, fresh.low_rank_)
    np.testing.assert_array_equal(again.components_, fresh.components_)
    assert again.reasons_ == fresh.reasons_
