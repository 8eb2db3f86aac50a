from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgsub.errors import OptionError
from bgsub.frames.read.timing import FrameClock, check_rate, nominal_rate

NTSC = Fraction(30000, 1001)


def milliseconds(step: Fraction, count: int = 40) -> list[Fraction]:
    return [Fraction(round(1000 * step * index), 1000) for index in range(count)]


def test_the_stamps_choose_among_the_claims():
    for claimed, stamps, expected in [
        ([Fraction(25)], milliseconds(Fraction(1, 25)), 25),
        ([Fraction(1000), Fraction(60)], milliseconds(Fraction(1, 30)), 30),
        ([Fraction(15), NTSC], milliseconds(Fraction(1, 15)), 15),
        ([Fraction(25), NTSC, Fraction(60)], milliseconds(1 / NTSC), NTSC),
        ([None, Fraction(0), Fraction(-5)], milliseconds(Fraction(1, 12)), 12),
        ([Fraction(25)], [], 25),
        ([Fraction(90000), Fraction(24)], [Fraction(0), Fraction(1)], 24),
        ([None, Fraction(90000)], [], None),
    ]:
        assert nominal_rate(claimed, stamps) == expected, claimed


def test_the_order_of_the_stamps_and_single_gaps_do_not_matter():
    stamps = milliseconds(Fraction(1, 25))
    del stamps[5:9], stamps[20]
    assert nominal_rate([], stamps[::-1]) == 25


@settings(max_examples=50)
@given(st.lists(st.none() | st.fractions(-5, 5)), st.sampled_from([None, Fraction(25), NTSC]))
def test_the_clock_never_stands_still(claimed, rate):
    clock = FrameClock(rate)
    times = [clock.stamp(claim) for claim in claimed]
    assert all(after > before for before, after in pairwise(times))


@settings(max_examples=50)
@given(st.lists(st.fractions(-5, 5), unique=True))
def test_increasing_stamps_are_kept_exactly(claimed):
    clock = FrameClock(NTSC)
    assert [clock.stamp(claim) for claim in sorted(claimed)] == sorted(claimed)


def test_a_missing_stamp_is_one_frame_later_a_repeated_one_half_and_the_clock_catches_up():
    clock = FrameClock(Fraction(10))
    claimed = [Fraction(10), None, Fraction(10), Fraction(11)]
    assert [clock.stamp(claim) for claim in claimed] == [10, Fraction(101, 10), Fraction(203, 20), 11]
    assert clock.elapsed == 1 + Fraction(1, 10)


def test_a_stamp_that_is_repeated_moves_no_other_frame():
    """Of a variable rate, whose next stamp may come long before a nominal step is over."""
    claimed = [Fraction(13 * index**2, 1000) for index in range(30)]
    claimed[5] = claimed[4]
    clock = FrameClock(Fraction(1000, 369))
    times = [clock.stamp(claim) for claim in claimed]
    assert times[:5] + times[6:] == claimed[:5] + claimed[6:]


def test_stamps_that_come_twice_keep_the_length_of_the_footage():
    clock = FrameClock(Fraction(25))
    times = [clock.stamp(Fraction(index // 2, 25)) for index in range(40)]
    assert times == [Fraction(index, 50) for index in range(40)]


def test_a_clock_that_stamps_lag_behind_waits_for_them():
    clock = FrameClock(Fraction(10))
    claimed = [Fraction(0), None, None, *(Fraction(index, 10) for index in range(1, 8))]
    times = [clock.stamp(claim) for claim in claimed]
    assert times[2] == Fraction(2, 10)
    assert times[-3:] == claimed[-3:]


def test_a_jump_back_continues_at_the_nominal_rate():
    clock = FrameClock(Fraction(10))
    assert [clock.stamp(Fraction(claim)) for claim in (100, 0, 1)] == [
        100,
        100 + Fraction(1, 10),
        100 + Fraction(2, 10),
    ]


def test_rates_are_exact_and_bounded():
    assert check_rate(NTSC) is not None
    assert check_rate(12.5) == Fraction(25, 2)
    for bad in (0, -1, 1001, float("nan"), float("inf"), "fast", None):
        with pytest.raises(OptionError, match=r"fps must be a number from 0\.01 to 1000"):
            check_rate(bad)
