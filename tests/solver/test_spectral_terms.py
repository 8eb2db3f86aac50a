"""What terms of singular values or eigenvalues promise beyond the rest."""

from __future__ import annotations

import numpy as np
import pytest
from term_cases import CASES, LEVEL, SPECTRAL, step

from bgsub.solver.spectra.atoms import LowRank, SingularPair


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


@pytest.mark.parametrize("name", SPECTRAL)
def test_shrinking_the_values_is_the_proximal_step(name, rng):
    case = CASES[name]
    point = 2 * rng.standard_normal(case.shape)
    if case.term.decomposition == "eigen":
        values, left = np.linalg.eigh((point + point.T) / 2)
        values, left = values[::-1], left[:, ::-1]
        right = left.T
    else:
        assert case.term.decomposition == "singular"
        left, values, right = np.linalg.svd(point, full_matrices=False)
    shrunk, theta = case.term.shrink_values(values, 0.8)
    np.testing.assert_allclose((left * shrunk) @ right, step(case.term, point, 0.8), atol=1e-9)
    assert theta > 0
    kept = shrunk > 0
    np.testing.assert_allclose(values[kept] - shrunk[kept], theta, atol=1e-12)


@pytest.mark.parametrize("name", SPECTRAL)
def test_few_values_are_enough_exactly_where_the_next_one_is_below_the_threshold(name, rng):
    case = CASES[name]
    point = rng.standard_normal(case.shape)
    weight = 0.3  # of the penalty: its threshold is then 2.3
    values = (
        np.linalg.eigvalsh(point + point.T)[::-1]
        if case.term.decomposition == "eigen"
        else np.linalg.svd(point, compute_uv=False)
    )
    whole, _ = case.term.shrink_values(values, weight)
    said, true = [], []
    for rank in range(1, len(values)):
        shrunk, theta = case.term.shrink_values(values[:rank], weight)
        said.append(bool(values[rank] <= theta))
        true.append(bool(np.allclose(shrunk, whole[:rank], atol=1e-9) and not whole[rank:].any()))
    assert said == true
    assert len(set(said)) == 2


@pytest.mark.parametrize("name", SPECTRAL)
def test_nothing_is_subtracted_inside_of_a_set(name):
    term = CASES[name].term
    values = np.array([0.3, 0.2, 0.0])
    shrunk, theta = term.shrink_values(values, 0.8)
    if name == "nuclear-norm penalty":
        assert theta == pytest.approx(0.7 / 0.8)
    else:
        assert theta == 0
        np.testing.assert_array_equal(shrunk, values)


@pytest.mark.parametrize("name", SPECTRAL)
def test_one_value_of_the_gradient_is_enough_for_the_conjugate(name, rng):
    case = CASES[name]
    gradient = rng.standard_normal(case.shape)
    value = (
        np.linalg.eigvalsh((gradient + gradient.T) / 2)[0]
        if case.term.decomposition == "eigen"
        else np.linalg.norm(gradient, 2)
    )
    assert case.term.conjugate_at(float(value), LEVEL) == pytest.approx(case.term.conjugate(gradient, LEVEL))


@pytest.mark.parametrize("name", ["nuclear-norm ball", "trace ball"])
def test_the_leading_pair_is_enough_for_the_linear_step(name, rng):
    case = CASES[name]
    gradient = rng.standard_normal(case.shape)
    if name == "trace ball":
        values, vectors = np.linalg.eigh((gradient + gradient.T) / 2)
        pair = SingularPair(float(values[0]), vectors[:, 0], vectors[:, 0])
    else:
        u, values, vt = np.linalg.svd(gradient)
        pair = SingularPair(float(values[0]), u[:, 0], vt[0])
    np.testing.assert_allclose(case.term.lmo(pair).dense(), case.term.lmo(gradient).dense(), atol=1e-12)


@pytest.mark.parametrize("name", SPECTRAL)
def test_spectral_terms_take_factors_and_leave_the_offset_out(name, rng):
    case = CASES[name]
    left = rng.standard_normal((case.shape[0], 2))
    right = left if name == "trace ball" else rng.standard_normal((case.shape[1], 2))
    factors = LowRank(left, right, rng.standard_normal(case.shape[1]))
    assert case.term.value(factors) == pytest.approx(case.definition(left @ right.T))
    assert case.term.cost(factors) == pytest.approx(0 if case.is_set else case.definition(left @ right.T))
    small = LowRank(left / 100, right)
    assert case.term.is_feasible(small)
    assert case.term.is_feasible(factors) == (not case.is_set)
