"""Rates and ranges, as people write them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bgsub import Options
from bgsub.errors import OptionError, UsageError
from bgsub.options import toml


@pytest.mark.parametrize(
    ("given", "rate"),
    [
        ("12.5", Fraction(25, 2)),
        ("30000/1001", Fraction(30000, 1001)),
        (29.97, Fraction(2997, 100)),
        (30, Fraction(30)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.int32(5), Fraction(5)),
        (Fraction(24000, 1001), Fraction(24000, 1001)),
    ],
)
def test_rates_are_exact(given, rate):
    assert Options(fps=given).fps == toml.parse("fps", given) == rate


@pytest.mark.parametrize(
    "given", ["fast", "1/0", "nan", "12.5 fps", True, [25], float("nan"), float("inf"), "1/2/3"]
)
def test_what_is_no_rate_is_refused(given):
    with pytest.raises(UsageError, match=r"--fps: cannot read .*30000/1001"):
        Options(fps=given)


@pytest.mark.parametrize("given", ["0", "-5", "1001", 0.001])
def test_rates_that_no_footage_has_are_refused_with_the_range(given):
    with pytest.raises(OptionError, match=r"--fps is .*, but must be ≥ 0.01, ≤ 1000"):
        Options(fps=given)


@pytest.mark.parametrize(
    ("given", "pair"),
    [
        ("0,4095", (0, 4095)),
        (" -5.5 , 1e3", (-5.5, 1000)),
        ((0, 1), (0, 1)),
        ([np.uint16(3), np.float32(8)], (3, 8)),
    ],
)
def test_ranges_are_two_numbers(given, pair):
    assert Options(range=given).range == toml.parse("range", given) == pair


@pytest.mark.parametrize(
    "given", ["5", "5,5", "7,3", "a,b", "0,nan", "-inf,3", "1,2,3", (1, 2, 3), 5, True, (0, None)]
)
def test_what_is_no_range_is_refused(given):
    with pytest.raises(UsageError, match=r"--range: cannot read"):
        Options(range=given)
