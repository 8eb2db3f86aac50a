"""All terms treat points that are not finite alike: steps refuse them, bounds are not finite, none is a member."""

from __future__ import annotations

import numpy as np
import pytest
from term_cases import CASES, LEVEL, SHAPE, Case

from bgsub.errors import InputError
from bgsub.solver.spectra.atoms import LowRank

BAD = [np.nan, np.inf, -np.inf]


@pytest.fixture(params=CASES)
def case(request) -> Case:
    return CASES[request.param]


def poisoned(case: Case, value: float, dtype=np.float64) -> np.ndarray:
    point = np.random.default_rng(3).standard_normal(case.shape).astype(dtype)
    point[2, 3] = value
    return point


def test_no_step_is_taken_from_a_point_that_is_not_finite_and_none_is_a_member(case: Case):
    for value in BAD:
        for dtype in (np.float32, np.float64):
            point = poisoned(case, value, dtype)
            for name, more in (("project", ()), ("prox", (1.0,)), ("lmo", ())):
                if hasattr(case.term, name):
                    with pytest.raises(InputError, match="must be finite"):
                        getattr(case.term, name)(point, *more)
    point = poisoned(case, np.nan)
    assert not case.term.is_feasible(point)
    bound = case.term.conjugate(point, LEVEL)
    assert np.isnan(bound) or bound == np.inf
    n, p = case.shape
    assert not case.term.is_feasible(LowRank(np.full((n, 1), np.nan), np.ones((p, 1))))


def test_what_is_no_array_of_real_numbers_is_refused_by_every_method():
    for case in CASES.values():
        for name, more in (
            ("value", ()),
            ("is_feasible", ()),
            ("conjugate", (LEVEL,)),
            ("lmo", ()),
            ("project", ()),
            ("prox", (1.0,)),
        ):
            if not hasattr(case.term, name):
                continue
            for bad in ([[1.0], [2.0, 3.0]], "abc", None, np.ma.masked_less(np.ones((7, 7)), 3)):
                with pytest.raises(InputError, match="a point or gradient"):
                    getattr(case.term, name)(bad, *more)
            if name not in ("is_feasible", "lmo"):
                for bad in (np.ones(SHAPE, complex), np.full(SHAPE, "a"), np.full(SHAPE, None)):
                    with pytest.raises(InputError, match="must hold real numbers"):
                        getattr(case.term, name)(bad, *more)
