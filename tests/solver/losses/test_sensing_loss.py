from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, aslinearoperator

from bgsub.errors import IncompatibleProblem, InputError, OptionError
from bgsub.solver.losses.sensing import SensingLoss


def with_spectrum(eigenvalues, seed=0):
    """Return an operator A of which AᵀA has these eigenvalues: a reflection between two diagonal matrices."""
    roots = np.sqrt(eigenvalues)
    h = np.random.default_rng(seed).standard_normal(roots.size)
    h /= np.linalg.norm(h)

    def reflect(v):
        return v - 2 * h * (h @ v)

    return LinearOperator(
        (roots.size, roots.size),
        matvec=lambda v: roots * reflect(v.ravel()),
        rmatvec=lambda v: reflect(roots * v.ravel()),
        dtype=np.float64,
    )


def test_the_value_is_half_the_square_of_the_residual_in_row_order(rng):
    a, b, z = rng.standard_normal((25, 12)), rng.standard_normal(25), rng.standard_normal((3, 4))
    rows = np.concatenate([z[0], z[1], z[2]])
    expected = sum((sum(a[k, j] * rows[j] for j in range(12)) - b[k]) ** 2 for k in range(25)) / 2
    assert SensingLoss(a, (3, 4)).value(b, z) == pytest.approx(expected)
    ridged = SensingLoss(a, (3, 4), ridge=0.7)
    assert ridged.value(b, z) == pytest.approx(expected + 0.35 * sum(v * v for v in rows))


def test_alpha_and_beta_are_just_outside_of_the_eigenvalues(rng):
    for kind, ridge in itertools.product(("operator", "array", "sparse"), (0.0, 2.0)):
        a = rng.standard_normal((60, 20))
        values = np.linalg.eigvalsh(a.T @ a) + ridge
        operator = {
            "array": a,
            "sparse": sparse.csr_array(a),
            "operator": aslinearoperator(a),
        }[kind]
        loss = SensingLoss(operator, (4, 5), ridge)
        assert 0.99 * values[0] <= loss.alpha <= values[0]
        assert values[-1] <= loss.beta <= 1.01 * values[-1]


@pytest.mark.parametrize(
    "eigenvalues",
    [
        np.linspace(1, 10, 900),
        np.ones(900),
        np.append(np.linspace(1, 10, 899), 0.99),
        np.append(np.linspace(1, 10, 899), 1e-6),
        np.append(np.linspace(1, 10, 899), 40.0),
        np.linspace(1e-3, 1, 900),
        1e12 * np.linspace(1, 10, 900),
        1e-12 * np.linspace(1, 10, 900),
        np.repeat([1.0, 7.0], 450),
    ],
    ids=["even", "identity", "outlier", "far outlier", "top outlier", "wide", "large", "small", "twofold"],
)
def test_lanczos_finds_the_extremes_of_larger_operators_from_the_safe_side(eigenvalues):
    for seed in range(2):
        loss = SensingLoss(with_spectrum(eigenvalues, seed), (30, 30))
        assert 0.95 * eigenvalues.min() <= loss.alpha <= eigenvalues.min()
        assert eigenvalues.max() <= loss.beta <= 1.01 * eigenvalues.max()


def test_the_constants_are_the_same_every_time():
    first, second = (SensingLoss(with_spectrum(np.linspace(1, 3, 400)), (20, 20)) for _ in range(2))
    assert (first.alpha, first.beta) == (second.alpha, second.beta)


@pytest.mark.parametrize(
    "operator",
    [
        np.zeros((20, 20)),
        np.diag([1.0] * 19 + [1e-6]),
        np.ones((5, 20)),
        with_spectrum(np.append(np.ones(399), 0.0)),
        with_spectrum(np.zeros(400)),
        sparse.eye_array(300, 400),
    ],
    ids=["zero", "nearly singular", "few rows", "large singular", "large zero", "large few rows"],
)
def test_what_is_not_positive_definite_is_refused_and_a_ridge_helps(operator):
    shape = (1, operator.shape[1])
    with pytest.raises(IncompatibleProblem, match=r"AᵀA to be positive definite.* add a ridge"):
        SensingLoss(operator, shape)
    loss = SensingLoss(operator, shape, ridge=0.25)
    assert loss.alpha == pytest.approx(0.25, rel=1e-6)


def test_where_lanczos_does_not_end_the_ridge_is_the_bound():
    """A smallest eigenvalue within a crowd near zero is not found; what is returned is still below it."""
    crowd = np.logspace(-7, 0, 900)
    assert 0.1 <= SensingLoss(with_spectrum(crowd), (30, 30), ridge=0.1).alpha <= 0.1 + crowd.min()


def test_known_bounds_are_taken_over_and_products_are_saved():
    calls = 0

    def product(v):
        nonlocal calls
        calls += 1
        return 2 * v.ravel()

    operator = LinearOperator((900, 900), matvec=product, rmatvec=product, dtype=float)
    loss = SensingLoss(operator, (30, 30), bounds=(4, 4))
    assert (loss.alpha, loss.beta) == (4, 4)
    assert calls == 3


def test_bounds_that_cannot_be_are_refused():
    for bounds, error, says in (
        ((5, 6), InputError, "are not those of the eigenvalues"),
        ((1, 3), InputError, "are not those of the eigenvalues"),
        ((5, 3), OptionError, "0 ≤ low ≤ high"),
        ((-1, 5), OptionError, "0 ≤ low ≤ high"),
        ((1, math.inf), OptionError, "0 ≤ low ≤ high"),
        ((math.nan, 5), OptionError, "0 ≤ low ≤ high"),
        ((1, 2, 3), OptionError, "two finite numbers"),
        (4, OptionError, "two finite numbers"),
        ((0, 5), IncompatibleProblem, "positive definite"),
    ):
        with pytest.raises(error, match=says):
            SensingLoss(2 * np.eye(12), (3, 4), bounds=bounds)


def test_a_wrong_adjoint_is_refused(rng):
    a = rng.standard_normal((300, 300)) + 40 * np.eye(300)
    for wrong in (a, 1.001 * a.T, -a.T):
        operator = LinearOperator(
            a.shape, matvec=lambda v: a @ v, rmatvec=lambda v, w=wrong: w @ v, dtype=float
        )
        with pytest.raises(InputError, match="rmatvec is not the adjoint of matvec"):
            SensingLoss(operator, (15, 20))


def test_single_precision_operators_are_held_to_single_precision(rng):
    a = (rng.standard_normal((300, 300)) + 40 * np.eye(300)).astype(np.float32)
    loss = SensingLoss(a, (15, 20))
    values = np.linalg.eigvalsh(a.T.astype(float) @ a.astype(float))
    assert 0.99 * values[0] <= loss.alpha <= values[0]
    operator = LinearOperator(
        a.shape, matvec=lambda v: a @ v, rmatvec=lambda v: 1.1 * (a.T @ v), dtype=a.dtype
    )
    with pytest.raises(InputError, match="not the adjoint"):
        SensingLoss(operator, (15, 20))


def test_an_operator_without_a_transpose_is_named():
    operator = LinearOperator((12, 12), matvec=lambda v: v, dtype=float)
    with pytest.raises(IncompatibleProblem, match="rmatvec"):
        SensingLoss(operator, (3, 4))


def test_operators_shapes_and_ridges_that_cannot_be_are_refused():
    eye, whole = np.eye(12), "two whole numbers above 0"
    for operator, shape, error, says in (
        (eye, (3, 5), InputError, r"length 12, but Z of shape \(3, 5\) makes one of length 15"),
        (1j * eye, (3, 4), InputError, "must be real"),
        (np.full((12, 12), np.nan), (3, 4), InputError, "NaN or infinite"),
        ("matrix", (3, 4), InputError, "must be a LinearOperator or a matrix, but is str"),
        (eye, (0, 12), OptionError, whole),
        (eye, (3, 2.5), OptionError, whole),
        (eye, (3, 2, 2), OptionError, whole),
        (eye, 12, OptionError, whole),
        (eye, (math.inf, 1), OptionError, whole),
    ):
        with pytest.raises(error, match=says):
            SensingLoss(operator, shape)
    for ridge in (-1, math.nan, math.inf, "1", True):
        with pytest.raises(OptionError, match="ridge of SensingLoss must be"):
            SensingLoss(np.eye(4), (2, 2), ridge=ridge)


def test_measurements_that_cannot_be_are_refused():
    loss = SensingLoss(np.eye(12), (3, 4))
    loss.check(np.zeros(12))
    for data in (
        np.zeros(11),
        np.zeros((3, 4)),
        np.full(12, np.nan),
        np.full(12, np.inf),
        np.zeros(12, complex),
    ):
        with pytest.raises(InputError, match="the measurements must"):
            loss.check(data)


@pytest.mark.slow
def test_the_ridge_costs_no_more_than_it_says(rng):
    """f without the ridge at the solution with it, against its minimum: cvxpy finds both."""
    import cvxpy as cp

    a, b, ridge = rng.standard_normal((20, 30)), 3 * rng.standard_normal(20), 0.2

    def solve(extra):
        x, y = cp.Variable((5, 6)), cp.Variable((5, 6))
        z = x + y
        value = cp.sum_squares(a @ cp.vec(z, order="C") - b) / 2 + extra * cp.sum_squares(z) / 2
        cp.Problem(cp.Minimize(value), [cp.normNuc(x) <= 1, cp.sum(cp.abs(y)) <= 2]).solve(solver=cp.CLARABEL)
        return z.value

    free, ridged = solve(0.0), solve(ridge)
    excess = np.sum((a @ ridged.ravel() - b) ** 2) / 2 - np.sum((a @ free.ravel() - b) ** 2) / 2
    assert -1e-5 <= excess <= ridge / 2 * np.sum(free**2) + 1e-5
    loss = SensingLoss(a, (5, 6), ridge)
    assert loss.value(b, ridged) <= loss.value(b, free) + 1e-5
