"""How much is recorded is at least what is selected of it, and not much more."""

from __future__ import annotations

from fractions import Fraction

import pytest
from numbered import NumberedSource

from bgsub.frames.live.bound import Bound
from bgsub.frames.select import Selection
from bgsub.options.table import Options

RATE = 25


@pytest.mark.parametrize(
    "asked",
    [
        {"end": 60},
        {"end": "2s"},
        {"duration": 40},
        {"duration": "1.5s"},
        {"start": 30, "duration": 20},
        {"start": "1s", "duration": 20},
        {"start": 30, "duration": "0.5s"},
        {"start": "0.7s", "duration": "1s"},
        {"duration": 1},
    ],
)
def test_the_bound_is_that_of_the_selection(asked):
    options = Options(**asked)
    bound = Bound(options)
    frames = next(n for n in range(1000) if bound.reached(n, Fraction(n, RATE)))
    selected = list(Selection(NumberedSource(1000), options.start, options.end, 1, options.duration))
    needed = selected[-1].index + 1
    assert needed + 12 <= frames <= needed + 40


def test_without_a_bound_there_is_never_enough():
    bound = Bound(Options(start=5))
    assert not bound.is_given
    assert not bound.reached(10**6, Fraction(10**6))
