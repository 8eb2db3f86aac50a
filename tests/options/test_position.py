"""Places in a video: reading and writing them loses nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgsub.options.position import Position

POSITIONS = st.one_of(
    st.integers(0, 10**12).map(lambda frame: Position(frame=frame)),
    st.fractions(min_value=0, max_value=10**9).map(lambda seconds: Position(seconds=seconds)),
    st.fractions(min_value=0, max_value=1).map(lambda share: Position(share=share)),
    st.integers(0, 10**18).map(lambda ns: Position(seconds=Fraction(ns, 10**9))),
)


@given(POSITIONS)
def test_a_position_is_read_back_exactly(position):
    assert Position.parse(str(position)) == position


@given(st.integers(0, 99), st.integers(0, 59), st.integers(0, 59), st.integers(0, 999))
def test_a_clock_time_is_hours_minutes_seconds(hours, minutes, seconds, thousandths):
    text = f"{hours:02d}:{minutes:02d}:{seconds:02d}.{thousandths:03d}"
    expected = hours * 3600 + minutes * 60 + seconds + Fraction(thousandths, 1000)
    assert Position.parse(text).seconds == expected


USUAL = {
    "0": Position(frame=0),
    " 120 ": Position(frame=120),
    "12.5s": Position(seconds=Fraction(25, 2)),
    "12 s": Position(seconds=Fraction(12)),
    "1/3s": Position(seconds=Fraction(1, 3)),
    "01:30": Position(seconds=Fraction(90)),
    "90:00": Position(seconds=Fraction(5400)),
    "1:00:00.5": Position(seconds=Fraction(7201, 2)),
    "2m30s": Position(seconds=Fraction(150)),
    "1h": Position(seconds=Fraction(3600)),
    "1h 0.5m": Position(seconds=Fraction(3630)),
    "50%": Position(share=Fraction(1, 2)),
    "12.5 %": Position(share=Fraction(1, 8)),
}
NO_POSITIONS = [
    "",
    "s",
    "-1",
    "1.5",
    "1,5s",
    "1:2:3:4",
    "::",
    "1/0s",
    "1e3s",
    "nan",
    "infs",
    "0:60",
    "00:00:99",
]


def test_the_usual_ways_to_write_a_position_are_read():
    assert {text: Position.parse(text) for text in USUAL} == USUAL


def test_anything_else_is_refused():
    for text in NO_POSITIONS:
        with pytest.raises(ValueError, match=r"expected frames \(120\), seconds \(12.5s\) or a time"):
            Position.parse(text)


def test_a_position_is_either_a_frame_or_a_time():
    with pytest.raises(ValueError, match=r"either"):
        Position()
    with pytest.raises(ValueError, match=r"either"):
        Position(frame=1, seconds=Fraction(1))
    with pytest.raises(ValueError, match=r"either"):
        Position(seconds=Fraction(1), share=Fraction(1))


def test_a_share_is_no_more_than_all():
    assert str(Position(share=Fraction(1))) == "100%"
    with pytest.raises(ValueError, match="100%"):
        Position.parse("101%")


def test_a_position_is_not_negative():
    with pytest.raises(ValueError, match=r"negative"):
        Position(frame=-1)
    with pytest.raises(ValueError, match=r"negative"):
        Position(seconds=Fraction(-1, 2))
