from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgsub.errors import BgsubWarning, OptionError
from bgsub.render.sinks.clock import DEFAULT_TIME_BASE, LARGEST, LONGEST, MPEG, StreamClock, time_base_for

times = st.lists(
    st.fractions(min_value=0, max_value=1000, max_denominator=90_000), min_size=1, max_size=20, unique=True
).map(sorted)


@settings(max_examples=50)
@given(times)
def test_ticks_strictly_increase_and_follow_the_times(seconds: list[Fraction]) -> None:
    clock = StreamClock(Fraction(1, 1000), "clip")
    ticks = [clock.ticks(time) for time in seconds]
    assert ticks == sorted(set(ticks))
    # Several times within one tick push each other later, by one tick each at most.
    assert all(abs(tick - 1000 * time) <= len(ticks) for tick, time in zip(ticks, seconds, strict=True))


@settings(max_examples=50)
@given(times)
def test_a_fitting_time_base_makes_every_time_exact(seconds: list[Fraction]) -> None:
    base = time_base_for(seconds)
    clock = StreamClock(base, "clip")
    if all((time / base).denominator == 1 for time in seconds):
        assert [clock.ticks(time) * base for time in seconds] == seconds
    else:
        least = math.lcm(*(time.denominator for time in seconds))
        gaps = [b - a for a, b in pairwise(seconds)]
        assert least > LARGEST or max(gap * least for gap in gaps) > LONGEST


@settings(max_examples=50)
@given(times)
def test_a_time_base_always_fits_a_file(seconds: list[Fraction]) -> None:
    clock = StreamClock(time_base_for(seconds), "clip")
    assert [clock.ticks(time) for time in seconds]


RATES = [24, 25, 30, 50, 60, 120, 12.5, Fraction(24000, 1001), Fraction(30000, 1001), Fraction(60000, 1001)]


def test_the_default_time_base_holds_the_usual_rates() -> None:
    for rate in [*RATES, 1000, 90000]:
        assert (1 / Fraction(rate) / DEFAULT_TIME_BASE).denominator == 1, rate


def test_a_time_base_for_an_unusual_rate_is_exact_and_holds_the_usual_ones_too() -> None:
    base = time_base_for([Fraction(0), Fraction(1, 44_100)])
    assert (Fraction(1, 44_100) / base).denominator == 1
    assert (Fraction(1, MPEG) / base).denominator == 1


def test_a_long_gap_gets_a_coarser_time_base() -> None:
    day = [Fraction(0), Fraction(86_400), Fraction(2 * 86_400)]
    base = time_base_for(day)
    clock = StreamClock(base, "clip")
    assert [clock.ticks(time) * base for time in day] == day


def test_a_time_base_that_is_a_multiple_becomes_its_unit_fraction() -> None:
    clock = StreamClock(Fraction(1001, 30000), "clip")
    assert clock.time_base == Fraction(1, 30000)
    assert clock.ticks(Fraction(2002, 30000)) == 2002


def test_the_interval_is_that_of_the_last_two_frames() -> None:
    clock = StreamClock(Fraction(1, 100), "clip")
    assert clock.interval is None
    clock.ticks(Fraction(1))
    assert clock.interval is None
    clock.ticks(Fraction(3, 2))
    assert clock.interval == 50


def test_a_negative_start_is_shifted_to_zero_with_a_warning() -> None:
    clock = StreamClock(Fraction(1, 100), "clip.mp4")
    with pytest.warns(BgsubWarning, match=r"clip\.mp4 starts at 0 instead of -0\.5 s"):
        first = clock.ticks(Fraction(-1, 2))
    assert (first, clock.ticks(Fraction(0))) == (0, 50)


def test_a_pause_that_a_file_cannot_hold_is_shortened_with_a_warning() -> None:
    clock = StreamClock(DEFAULT_TIME_BASE, "clip.mp4")
    clock.ticks(Fraction(0))
    with pytest.warns(BgsubWarning, match=r"clip\.mp4: a pause of 3600 s is shortened to 1491 s"):
        late = clock.ticks(Fraction(3600))
    assert late == clock.interval == LONGEST
    assert clock.ticks(Fraction(3601)) == late + DEFAULT_TIME_BASE.denominator


def test_an_unusable_time_base_is_refused() -> None:
    for base in [Fraction(0), Fraction(-1, 25), Fraction(1, 2**31)]:
        with pytest.raises(OptionError, match="time base"):
            StreamClock(base, "clip")
