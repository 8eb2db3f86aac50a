"""What every term (set or penalty) promises, asked of each of them with points that are members by construction."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from term_cases import BOUNDED, CASES, LEVEL, SETS, SHAPE, Case, dense, step

from bgsub.errors import InputError
from bgsub.solver.atoms import LowRank
from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.sets.box import Box
from bgsub.solver.sets.group_ball import GroupBall
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.lp_ball import LpBall
from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall
from bgsub.solver.sets.trace_ball import TraceBall


@pytest.fixture(params=CASES)
def case(request) -> Case:
    return CASES[request.param]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def test_a_term_is_frozen(case: Case):
    for field in dataclasses.fields(case.term):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(case.term, field.name, 1.0)
    assert not hasattr(case.term, "__dict__")


def test_members_are_feasible_and_have_the_value_of_the_definition(case: Case, rng):
    for _ in range(30):
        point = case.member(rng)
        assert case.term.is_feasible(point)
        assert case.term.value(point) == pytest.approx(case.definition(point), rel=1e-12)
        assert case.term.cost(point) == (0.0 if case.is_set else case.term.value(point))


def test_a_point_outside_of_a_set_is_not_feasible(case: Case, rng):
    if case.is_set:
        assert not case.term.is_feasible(10 * rng.standard_normal(case.shape))
    else:
        assert not case.term.is_feasible(np.full(case.shape, np.nan))
        assert not case.term.is_feasible(LowRank(np.full((6, 1), np.inf), np.ones((9, 1))))


def test_no_two_members_are_farther_apart_than_the_diameter(case: Case, rng):
    members = [case.member(rng) for _ in range(40)]
    farthest = max(np.linalg.norm(a - b) for a in members for b in members)
    assert farthest <= case.term.diameter * (1 + 1e-12)
    if case.farthest is not None:
        first, second = case.farthest
        assert case.term.is_feasible(first)
        assert case.term.is_feasible(second)
        assert np.linalg.norm(first - second) == pytest.approx(case.term.diameter, rel=1e-12)
    else:
        assert case.term.diameter == math.inf
        assert case.term.is_feasible(np.full(case.shape, 1e100))


def test_the_conjugate_is_reached_by_no_member_within_the_level(case: Case, rng):
    for _ in range(10):
        gradient = rng.standard_normal(case.shape)
        bound = case.term.conjugate(gradient, LEVEL)
        for _ in range(30):
            point = case.member(rng)
            if not case.is_set and case.definition(point) > LEVEL:
                point *= 0.999 * LEVEL / case.definition(point)
            assert -np.vdot(point, gradient) - case.term.cost(point) <= bound + 1e-9


def test_the_conjugate_is_a_float_of_double_precision(case: Case, rng):
    gradient = rng.standard_normal(case.shape)
    assert isinstance(case.term.conjugate(gradient, LEVEL), float)
    single = gradient.astype(np.float32)
    assert case.term.conjugate(single, LEVEL) == case.term.conjugate(single.astype(float), LEVEL)
    assert case.term.conjugate(np.zeros(case.shape), LEVEL) == 0


def test_only_terms_with_a_bounded_minimum_have_a_linear_minimisation_step():
    has = {name for name, case in CASES.items() if hasattr(case.term, "lmo")}
    assert has == {*BOUNDED, "elastic net"}


@pytest.mark.parametrize("name", [*BOUNDED, "elastic net"])
def test_the_linear_step_is_a_member_and_no_worse_than_any(name, rng):
    case = CASES[name]
    for _ in range(10):
        gradient = rng.standard_normal(case.shape) * (rng.random(case.shape) < 0.7)
        vertex = dense(case.term.lmo(gradient), case.shape)
        assert vertex.shape == case.shape
        assert case.term.is_feasible(vertex, 1e-12)
        reached = np.vdot(vertex, gradient) + case.term.cost(vertex)
        assert -reached == pytest.approx(case.term.conjugate(gradient, LEVEL), rel=1e-9)
        for _ in range(30):
            point = case.member(rng)
            assert reached <= np.vdot(point, gradient) + case.term.cost(point) + 1e-9


@pytest.mark.parametrize("name", [*BOUNDED, "elastic net"])
def test_the_linear_step_of_a_zero_gradient_is_a_member(name):
    case = CASES[name]
    vertex = dense(case.term.lmo(np.zeros(case.shape)), case.shape)
    assert case.term.is_feasible(vertex, 1e-12)
    assert vertex.shape == case.shape


@pytest.mark.parametrize("name", [*BOUNDED, "elastic net"])
def test_the_linear_step_works_in_single_precision(name, rng):
    case = CASES[name]
    gradient = rng.standard_normal(case.shape).astype(np.float32)
    found = case.term.lmo(gradient)
    if isinstance(found, np.ndarray):
        assert found.dtype == np.float32
    expected = dense(case.term.lmo(gradient.astype(float)), case.shape)
    np.testing.assert_allclose(dense(found, case.shape), expected, rtol=2e-5, atol=1e-5)


def test_the_proximal_step_meets_its_variational_inequality(case: Case, rng):
    """P is the point sought if and only if R(z) ≥ R(P) + weight·⟨a − P, z − P⟩ for all members z."""
    weight = 1.0 if case.is_set else 0.8
    for scale in (0.1, 1, 5):
        point = scale * rng.standard_normal(case.shape)
        found = step(case.term, point, weight)
        assert case.term.is_feasible(found, 1e-9)
        for _ in range(60):
            member = case.member(rng)
            least = case.term.cost(found) + weight * np.vdot(point - found, member - found)
            assert case.term.cost(member) >= least - 1e-8


@pytest.mark.parametrize("name", SETS)
def test_a_projection_leaves_members_alone(name, rng):
    case = CASES[name]
    for _ in range(10):
        point = case.member(rng)
        np.testing.assert_allclose(case.term.project(point), point, atol=1e-10)


@pytest.mark.parametrize(
    ("given", "expected"),
    [("f4", "f4"), ("f8", "f8"), (">f4", "f4"), ("f2", "f8"), ("i2", "f8"), ("u1", "f8"), ("i8", "f8")],
)
def test_precision_is_kept_and_other_types_become_double(case: Case, given, expected, rng):
    point = (4 * rng.random(case.shape)).astype(given)
    found = step(case.term, point)
    assert found.dtype == np.dtype(expected)
    tolerance = 1e-5 if expected == "f4" else 1e-10
    np.testing.assert_allclose(found, step(case.term, point.astype(float)), atol=tolerance)


def test_input_of_any_memory_layout_is_read_only_to_the_term(case: Case, rng):
    n, p = case.shape
    plain = rng.standard_normal(case.shape)
    wide = np.zeros((2 * n, 3 * p))
    wide[::2, ::3] = plain
    layouts = [wide[::2, ::3], np.asfortranarray(plain), plain[::-1].copy()[::-1], plain.copy()]
    for layout in layouts:
        layout.flags.writeable = False
        np.testing.assert_array_equal(layout, plain)
        np.testing.assert_allclose(step(case.term, layout), step(case.term, plain), atol=1e-12)
        assert case.term.value(layout) == pytest.approx(case.term.value(plain), rel=1e-12)
        assert case.term.conjugate(layout, LEVEL) == pytest.approx(case.term.conjugate(plain, LEVEL))
        if hasattr(case.term, "lmo"):
            found = dense(case.term.lmo(layout), case.shape)
            np.testing.assert_allclose(found, dense(case.term.lmo(plain), case.shape), atol=1e-12)
        np.testing.assert_array_equal(layout, plain)


def test_the_result_does_not_share_memory_with_the_input(case: Case, rng):
    for scale in (1e-4, 1.0):
        point = np.abs(scale * rng.standard_normal(case.shape))
        assert not np.shares_memory(step(case.term, point), point)


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (0, 0)])
def test_empty_matrices_are_members_or_are_refused_in_one_line(case: Case, shape):
    empty = np.zeros(shape)
    term = Box(-1, 1) if isinstance(case.term, Box) else case.term
    if isinstance(term, TraceBall) and shape != (0, 0):
        with pytest.raises(InputError, match="symmetric matrices must be square, but the shape is"):
            term.value(empty)
        return
    assert term.value(empty) == 0
    assert term.is_feasible(empty)
    assert term.conjugate(empty, LEVEL) == 0
    assert step(term, empty).shape == shape
    if isinstance(term, (L1Ball, NuclearNormBall, TraceBall, GroupBall)):
        with pytest.raises(InputError, match="a gradient without entries has no vertex"):
            term.lmo(empty)
    elif hasattr(term, "lmo"):
        assert term.lmo(empty).shape == shape


@pytest.mark.parametrize("bad", [np.ones(SHAPE, complex), np.full(SHAPE, "a"), np.full(SHAPE, None)])
def test_what_is_no_real_number_is_refused(case: Case, bad):
    for use in (case.term.value, lambda a: step(case.term, a), lambda a: case.term.conjugate(a, LEVEL)):
        with pytest.raises(InputError, match="must hold real numbers"):
            use(bad)


def test_the_penalty_is_as_strongly_convex_as_it_says(case: Case, rng):
    delta = case.term.convexity
    assert (delta > 0) == (case.term == ElasticNet(0.7, 0.2))
    for _ in range(60):
        a, b, mix = case.member(rng), case.member(rng), rng.random()
        chord = mix * case.term.cost(a) + (1 - mix) * case.term.cost(b)
        bend = mix * (1 - mix) * delta / 2 * np.linalg.norm(a - b) ** 2
        assert case.term.cost(mix * a + (1 - mix) * b) <= (chord - bend) * (1 + 1e-12) + 1e-9


def test_the_set_is_as_strongly_convex_as_it_says(case: Case, rng):
    """Between two members lies a ball of radius mix·(1 − mix)·γ/2·‖a − b‖² of members."""
    gamma = case.term.set_convexity(math.prod(case.shape))
    assert (gamma > 0) == isinstance(case.term, LpBall)
    for _ in range(60):
        a, b, mix = case.member(rng), case.member(rng), rng.random()
        towards = case.member(rng)
        towards *= 1 / max(np.linalg.norm(towards), 1e-300)
        reach = mix * (1 - mix) * gamma / 2 * np.linalg.norm(a - b) ** 2
        assert case.term.is_feasible(mix * a + (1 - mix) * b + reach * towards, 1e-9)
