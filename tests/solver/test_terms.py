"""What every term (set or penalty) promises, asked of each of them with points that are members by construction."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from term_cases import BOUNDED, CASES, LEVEL, Case, dense, step

from bgsub.errors import InputError
from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.sets.box import Box
from bgsub.solver.sets.group_ball import GroupBall
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.lp_ball import LpBall
from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall
from bgsub.solver.sets.trace_ball import TraceBall
from bgsub.solver.spectra.atoms import LowRank


@pytest.fixture(params=CASES)
def case(request) -> Case:
    return CASES[request.param]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def test_a_term_is_frozen():
    for case in CASES.values():
        for field in dataclasses.fields(case.term):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(case.term, field.name, 1.0)
        assert not hasattr(case.term, "__dict__")


def test_members_are_feasible_with_the_value_of_the_definition_and_no_other_point_is(case: Case, rng):
    for _ in range(30):
        point = case.member(rng)
        assert case.term.is_feasible(point)
        assert case.term.value(point) == pytest.approx(case.definition(point), rel=1e-12)
        assert case.term.cost(point) == (0.0 if case.is_set else case.term.value(point))
    if case.is_set:
        assert not case.term.is_feasible(10 * rng.standard_normal(case.shape))
    else:
        assert not case.term.is_feasible(np.full(case.shape, np.nan))
        assert not case.term.is_feasible(LowRank(np.full((6, 1), np.inf), np.ones((9, 1))))


def test_no_two_members_are_farther_apart_than_the_diameter(rng):
    for case in CASES.values():
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
    assert isinstance(bound, float)
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
    vertex = dense(case.term.lmo(np.zeros(case.shape)), case.shape)
    assert case.term.is_feasible(vertex, 1e-12)
    assert vertex.shape == case.shape
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
            if case.is_set:
                np.testing.assert_allclose(case.term.project(member), member, atol=1e-10)


def test_precision_is_kept_and_other_types_become_double(rng):
    for case in CASES.values():
        for given in ("f4", "f8", ">f4", "f2", "i2", "u1", "i8"):
            point = (4 * rng.random(case.shape)).astype(given)
            found = step(case.term, point)
            single = given in ("f4", ">f4")
            assert found.dtype == np.dtype("f4" if single else "f8")
            wanted = step(case.term, point.astype(float))
            np.testing.assert_allclose(found, wanted, atol=1e-5 if single else 1e-10)


def test_input_of_any_memory_layout_is_read_only_to_the_term_and_shares_nothing(case: Case, rng):
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
    for scale in (1e-4, 1.0):
        point = np.abs(scale * rng.standard_normal(case.shape))
        assert not np.shares_memory(step(case.term, point), point)


def test_empty_matrices_are_members_or_are_refused_in_one_line():
    for case in CASES.values():
        term = Box(-1, 1) if isinstance(case.term, Box) else case.term
        for shape in ((0, 5), (5, 0), (0, 0)):
            empty = np.zeros(shape)
            if isinstance(term, TraceBall) and shape != (0, 0):
                with pytest.raises(InputError, match="symmetric matrices must be square, but the shape is"):
                    term.value(empty)
                continue
            assert term.value(empty) == 0
            assert term.is_feasible(empty)
            assert term.conjugate(empty, LEVEL) == 0
            assert step(term, empty).shape == shape
            if isinstance(term, (L1Ball, NuclearNormBall, TraceBall, GroupBall)):
                with pytest.raises(InputError, match="a gradient without entries has no vertex"):
                    term.lmo(empty)
            elif hasattr(term, "lmo"):
                assert term.lmo(empty).shape == shape


def test_term_and_set_are_as_strongly_convex_as_they_say(case: Case, rng):
    """Between two members of a set lies a ball of radius mix·(1 − mix)·γ/2·‖a − b‖² of members."""
    delta, gamma = case.term.convexity, case.term.set_convexity(math.prod(case.shape))
    assert (delta > 0) == (case.term == ElasticNet(0.7, 0.2))
    assert (gamma > 0) == isinstance(case.term, LpBall)
    for _ in range(60):
        a, b, towards, mix = case.member(rng), case.member(rng), case.member(rng), rng.random()
        middle, square = mix * a + (1 - mix) * b, mix * (1 - mix) / 2 * np.linalg.norm(a - b) ** 2
        chord = mix * case.term.cost(a) + (1 - mix) * case.term.cost(b)
        assert case.term.cost(middle) <= (chord - delta * square) * (1 + 1e-12) + 1e-9
        towards *= 1 / max(np.linalg.norm(towards), 1e-300)
        assert case.term.is_feasible(middle + gamma * square * towards, 1e-9)
