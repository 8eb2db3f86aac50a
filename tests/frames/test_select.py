"""A part of a source: which frames are in it, and how many to expect."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numbered import NumberedSource

from bgsub.errors import OptionError
from bgsub.frames.select import Selection
from bgsub.options.position import Position


def indices(source: NumberedSource, start=None, end=None, every: int = 1) -> list[int]:
    parts = (None if part is None else Position.parse(part) for part in (start, end))
    return [frame.index for frame in Selection(source, *parts, every)]


@given(st.integers(0, 40), st.integers(0, 50), st.integers(1, 50), st.integers(1, 7))
def test_frames_are_those_of_a_slice(count, start, length, every):
    source = NumberedSource(count, count)
    selection = Selection(source, Position(frame=start), Position(frame=start + length), every)
    expected = list(range(count))[start : start + length : every]
    assert [frame.index for frame in selection] == expected
    assert selection.expected == len(expected)


@given(st.integers(0, 60), st.fractions(0, 3), st.fractions(0, 3), st.integers(1, 4))
def test_the_expected_number_is_exact_at_a_constant_rate(count, start, length, every):
    source = NumberedSource(count, count)
    selection = Selection(source, Position(seconds=start), Position(seconds=start + length), every)
    assert selection.expected == len(list(selection))


@given(st.integers(0, 40), st.integers(0, 50), st.integers(1, 50), st.integers(1, 7))
def test_a_duration_counts_from_the_start(count, start, length, every):
    source = NumberedSource(count, count)
    by_end = Selection(source, Position(frame=start), Position(frame=start + length), every)
    for duration in (Position(frame=length), Position(seconds=Fraction(length, 25))):
        by_duration = Selection(source, Position(frame=start), None, every, duration)
        assert [frame.index for frame in by_duration] == [frame.index for frame in by_end]
        assert by_duration.expected == by_end.expected


def test_frames_keep_index_number_and_time():
    [frame] = Selection(NumberedSource(30), Position(frame=20), Position(frame=21))
    assert (frame.index, frame.number, frame.time) == (20, 21, Fraction(20, 25))


def test_seconds_count_from_the_first_frame_whatever_its_stamp():
    late = NumberedSource(50, first=Fraction(10))
    assert indices(late, "0.4s", "0.8s") == list(range(10, 20))


def test_seconds_follow_the_time_stamps_at_a_variable_rate():
    times = [Fraction(t) for t in (5, 6, 10, 11, 30)]
    assert indices(NumberedSource(5, times=times), "5s", "25s") == [2, 3]


def test_a_start_between_two_frames_takes_the_later_one():
    assert indices(NumberedSource(10), "0.05s", "0.13s") == [2, 3]


def test_the_stride_counts_from_the_start():
    assert indices(NumberedSource(12), "3", None, 4) == [3, 7, 11]


def test_a_selection_can_be_read_again():
    selection = Selection(NumberedSource(10), Position(frame=5))
    assert [f.index for f in selection] == [f.index for f in selection] == [5, 6, 7, 8, 9]


def test_the_reader_is_closed_at_the_end_and_when_the_consumer_leaves():
    source = NumberedSource(100)
    assert indices(source, None, "3") == [0, 1, 2]
    assert source.open_readers == 0
    frames = iter(Selection(source))
    next(frames)
    frames.close()
    assert source.open_readers == 0


def test_an_unknown_length_stays_unknown():
    assert Selection(NumberedSource(10, None), Position(frame=2)).expected is None


def test_nothing_is_expected_beyond_the_end():
    assert Selection(NumberedSource(10, 10), Position(frame=20)).expected == 0


def test_a_stride_below_one_is_refused():
    for every in [0, -2]:
        with pytest.raises(OptionError, match=f"every must be at least 1, got {every}"):
            Selection(NumberedSource(3), every=every)
