"""Sampling a segment: all of it is covered, whatever its claimed length, and memory stays bounded."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from numbered import NumberedSource, index_of, picture

from bgsub.frames.changes.watch import Watched
from bgsub.frames.grid import Grid
from bgsub.frames.read.open import open_source
from bgsub.frames.sample import FEWEST, Sample, sample_segments, segment_length
from bgsub.frames.select import Selection
from bgsub.options.position import Position

WHOLE = Position(frame=0)
LENGTHS = [3, 4, 10, 59, 60, 61, 200, 1000]
CLAIMS = {
    "unknown": lambda n: None,
    "right": lambda n: n,
    "nothing": lambda n: 0,
    "10 times too small": lambda n: max(1, n // 10),
    "a little too large": lambda n: n + n // 3,
    "3 times too large": lambda n: 3 * n,
    "100 times too large": lambda n: 100 * n,
}


def samples(source: NumberedSource, columns: int, segment: Position = WHOLE) -> list[Sample]:
    grid = Grid(4, 2, source.color)
    selection = Selection(source)
    return list(sample_segments(selection, grid, columns, selection.expected, segment))


def kept(sample: Sample) -> list[int]:
    return [index_of(rows) for rows in sample.matrix.frames]


@pytest.mark.parametrize("claim", CLAIMS)
class TestWhateverIsClaimed:
    def test_the_columns_are_bounded_different_frames_in_order_and_evenly_spread(self, claim):
        for count, columns in product(LENGTHS, [3, 7, 24, 150]):
            [sample] = samples(NumberedSource(count, CLAIMS[claim](count)), columns)
            indices, case = kept(sample), (count, columns)
            assert sample.frames == count, case
            assert min(count, columns // 2) <= len(sample.matrix) <= columns, case
            assert indices == sorted(set(indices)), case
            assert np.array_equal(sample.matrix.frames, [picture(i).ravel() for i in indices]), case
            # Every third of the segment has its share, and the gaps are even.
            thirds = np.histogram(indices, bins=3, range=(0, count))[0]
            assert thirds.min() >= len(indices) // 6, case
            gaps = np.diff([*indices, count])
            assert gaps[:-1].max(initial=1) <= gaps[:-1].min(initial=gaps.max()) + 1, case

    def test_segments_add_up_to_all_frames(self, claim):
        for segment in ("0", "3", "7", "100", "0.9s", "1/3s", "0.001s", "1000s"):
            found = samples(NumberedSource(230, CLAIMS[claim](230)), 24, Position.parse(segment))
            assert sum(sample.frames for sample in found) == 230, segment
            firsts = np.cumsum([0, *(sample.frames for sample in found)])[:-1]
            assert [sample.first for sample in found] == firsts.tolist(), segment
            for sample in found:
                assert kept(sample)[0] == sample.first, segment
                assert sample.first <= kept(sample)[-1] < sample.first + sample.frames, segment


def test_followers_are_the_frames_directly_after_sampled_ones():
    for columns, color in product([20, 60, 170], [False, True]):
        [sample] = samples(NumberedSource(300, 300, color=color), columns)
        followed = [index for index in kept(sample)[:: sample.every] if index + 1 < 300]
        expected = [picture(index + 1, color).ravel() for index in followed]
        assert np.array_equal(sample.followers.frames, expected), (columns, color)
        assert len(followed) <= 50


def test_followers_stay_with_their_frames_when_the_sampler_thins_out():
    for columns in (16, 120):
        [sample] = samples(NumberedSource(900, None), columns)
        followed = kept(sample)[:: sample.every]
        for index, row in zip(followed, sample.followers.frames, strict=False):
            assert np.array_equal(row, picture(index + 1).ravel()), columns
        assert 0 <= len(followed) - len(sample.followers) <= 1


def test_a_segment_in_frames_has_exactly_that_many():
    source = CountedSource(25, 25)
    assert [s.frames for s in samples(source, 8, Position(frame=10))] == [10, 10, 5]
    assert source.readings == 1


def test_a_segment_in_seconds_lasts_that_long_at_a_variable_rate():
    times = [Fraction(t) for t in (0, 1, 2, 10, 11, 12, 13, 14, 15, 16, 21)]
    found = samples(NumberedSource(11, None, times=times), 8, Position(seconds=Fraction(4)))
    assert [sample.frames for sample in found] == [3, 4, 3, 1]


def test_a_segment_in_seconds_holds_the_frames_of_so_many_seconds():
    for seconds, frames in (("1", [25, 25, 10]), ("0.5", [13, 13, 13, 13, 8])):
        length = Position(seconds=Fraction(seconds))
        found = samples(NumberedSource(60, 60), 100, length)
        assert [sample.frames for sample in found] == frames
        assert segment_length(length, Fraction(25)) == frames[0]


def test_a_segment_is_never_too_short_to_be_fitted_on():
    found = samples(NumberedSource(30, 30), 8, Position(seconds=Fraction(1, 1000)))
    assert {sample.frames for sample in found} == {FEWEST}


def test_the_footage_is_read_once_unless_a_claim_was_far_too_large():
    for claimed, readings in ((None, 1), (200, 1), (20, 1), (20_000, 2)):
        source = CountedSource(200, claimed)
        samples(source, 24)
        assert source.readings == readings


def test_no_frame_is_no_segment():
    assert samples(NumberedSource(0, 10), 8) == []


def test_a_stride_of_the_selection_is_kept():
    selection = Selection(NumberedSource(40, 40), Position(frame=4), None, 3)
    [sample] = sample_segments(selection, Grid(4, 2, False), 50, selection.expected, WHOLE)
    assert (sample.first, sample.frames) == (4, 12)
    assert kept(sample) == list(range(4, 40, 3))


def test_segments_in_seconds_do_not_make_the_footage_be_read_again():
    selection = Selection(CountedSource(600, 600))
    samples = list(
        sample_segments(selection, Grid(4, 2, False), 20, 600, Position(seconds=Fraction(2)), selection.rate)
    )
    assert len(samples) > 5
    assert selection.source.readings == 1
    assert all(18 <= len(sample.matrix) <= 20 for sample in samples[:-1])


class CountedSource(NumberedSource):
    readings = 0

    def __iter__(self):
        self.readings += 1
        return super().__iter__()


class SwitchedSource:
    """*count* pictures of a textured wall whose light goes at the frames *switches*; the first pixel counts frames."""

    def __init__(self, count: int, switches: list[int]) -> None:
        ramp = np.random.default_rng(1).integers(80, 200, (12, 16))
        clip = np.empty((count, 48, 64), np.uint8)
        for index in range(count):
            dark = sum(index >= switch for switch in switches) % 2
            clip[index] = np.kron(ramp, np.ones((4, 4))) * (0.5 if dark else 1)
            clip[index, 0, 0] = index % 256
        self.source = open_source(clip)
        self.info = self.source.info
        self.readings = 0

    def __iter__(self):
        self.readings += 1
        return iter(self.source)


def watched(source: SwitchedSource, columns: int, segment: Position = WHOLE) -> list[Sample]:
    selection = Selection(source)
    grid = Grid(64, 48, False)
    return list(
        sample_segments(
            Watched(selection, lambda _: None), grid, columns, selection.expected, segment, selection.rate
        )
    )


def test_a_segment_ends_before_a_change_point_and_the_next_begins_with_it():
    found = watched(SwitchedSource(200, [70, 130]), 250)
    assert [(s.first, s.frames, s.after_change) for s in found] == [
        (0, 70, False),
        (70, 60, True),
        (130, 70, True),
    ]
    for sample in found:
        # No column shows the other light.
        assert np.ptp(sample.matrix.frames[:, 1:].mean(axis=1)) < 1
        assert sample.matrix.frames[:, 0].tolist() == list(range(sample.first, sample.first + sample.frames))


def test_segments_between_change_points_have_their_columns_and_only_the_first_is_read_twice():
    for columns in (6, 20, 50):
        source = SwitchedSource(240, [40, 80, 200])
        found = watched(source, columns)
        assert [sample.frames for sample in found] == [40, 40, 120, 40], columns
        assert [sample.after_change for sample in found] == [False, True, True, True], columns
        for sample in found:
            assert len(sample.matrix) >= min(sample.frames, columns // 2), columns
            assert np.ptp(sample.matrix.frames[:, 1:].mean(axis=1)) < 1, columns
        assert source.readings <= 2, columns


def test_a_segment_that_is_read_again_still_begins_at_a_change_point():
    # The second segment's length is taken from the segment asked for, which its change point then cuts short.
    source = SwitchedSource(400, [230])
    found = watched(source, 60, Position(frame=200))
    assert [(s.first, s.frames, s.after_change) for s in found] == [
        (0, 200, False),
        (200, 30, False),
        (230, 170, True),
    ]
    assert len(found[1].matrix) == 30


def test_the_length_of_a_segment_counts_from_the_change_point():
    found = watched(SwitchedSource(200, [70]), 20, Position(frame=50))
    assert [(s.first, s.frames) for s in found] == [(0, 50), (50, 20), (70, 50), (120, 50), (170, 30)]
    assert [s.after_change for s in found] == [False, False, True, False, False]


def test_without_a_watch_a_switch_ends_no_segment():
    selection = Selection(SwitchedSource(200, [70]))
    [sample] = sample_segments(selection, Grid(64, 48, False), 50, 200, WHOLE)
    assert sample.frames == 200
