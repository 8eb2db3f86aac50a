"""What a run is said to need."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgsub import Options
from bgsub.background.nbytes import (
    FEWEST_COLUMNS,
    FIT_BYTES,
    MOST_COLUMNS,
    automatic_columns,
    bytes_per_column,
)
from bgsub.frames.grid import Grid
from bgsub.frames.matrix import FrameMatrix
from bgsub.frames.sample import FEWEST
from bgsub.run import budget
from bgsub.run.budget import make_plan
from bgsub.run.machine import UNKNOWN_BYTES


@pytest.fixture(autouse=True, scope="module")
def boundless():
    """No machine ends the memory of the runs that are planned."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "machine_bytes", lambda: UNKNOWN_BYTES)
        yield


GRIDS = st.builds(
    Grid, st.integers(8, 8000), st.integers(8, 5000), st.booleans(), scale=st.sampled_from([1.0, 0.5, 0.25])
)
LENGTHS = st.one_of(st.none(), st.integers(0, 10**7))


@given(GRIDS, LENGTHS)
def test_the_memory_promised_covers_frames_and_their_followers(grid, frames):
    plan = make_plan(grid, Options(), frames)
    frame_bytes = FrameMatrix.nbytes_for(plan.columns, grid.rows)
    followers = FrameMatrix.nbytes_for(min(plan.columns, 50), grid.rows)
    assert plan.need.fit >= frame_bytes + followers
    assert plan.need.peak > plan.need.fit


@given(GRIDS, LENGTHS)
def test_the_memory_promised_covers_a_foreground_that_is_written_down(grid, frames):
    plan = make_plan(grid, Options(method="alt-pgcg"), frames)
    assert plan.need.fit >= plan.columns * grid.rows * (1 + np.dtype(np.float32).itemsize)


@given(GRIDS)
def test_the_automatic_number_of_columns_lies_within_its_bounds(grid):
    assert FEWEST_COLUMNS <= automatic_columns(grid) <= MOST_COLUMNS


@given(GRIDS, LENGTHS)
def test_the_columns_stay_within_their_memory_unless_the_picture_alone_is_too_large(grid, frames):
    plan = make_plan(grid, Options(), frames)
    assert plan.columns * bytes_per_column(grid, Options()) <= FIT_BYTES or plan.columns <= FEWEST_COLUMNS


@given(GRIDS, LENGTHS, st.integers(3, 500), st.integers(3, 500))
def test_the_columns_asked_for_are_never_exceeded(grid, frames, columns, segment):
    plan = make_plan(grid, Options(columns=columns, segment=segment, memory=1 << 40), frames)
    assert FEWEST <= plan.columns <= plan.capacity == min(columns, segment)


def test_no_more_columns_are_planned_than_there_are_frames():
    assert make_plan(Grid(64, 48, True), Options(), 40).columns == 40


def test_there_is_room_for_more_when_a_claimed_length_is_too_small():
    assert make_plan(Grid(64, 48, True), Options(), 5).capacity == MOST_COLUMNS


def test_larger_pictures_get_fewer_columns():
    small, large = Grid(320, 240, True), Grid(3840, 2160, True)
    assert automatic_columns(small) == MOST_COLUMNS
    assert automatic_columns(large) == FEWEST_COLUMNS


def test_gray_and_scale_and_region_need_less():
    whole = make_plan(Grid(1920, 1080, True), Options(columns=100), 1000)
    for grid in (
        Grid(1920, 1080, False),
        Grid(1920, 1080, True, scale=0.5),
        Grid(1920, 1080, True, roi=(0, 0, 9, 9)),
    ):
        assert make_plan(grid, Options(columns=100), 1000).need.fit < whole.need.fit


def test_a_longer_video_takes_longer_but_no_more_memory():
    grid = Grid(320, 240, True)
    short, long = make_plan(grid, Options(), 10_000), make_plan(grid, Options(), 1_000_000)
    assert short.need == long.need
    assert short.seconds < long.seconds


def test_an_unknown_length_gives_no_estimate_of_time():
    for segment in ("0", "60s"):
        plan = make_plan(Grid(320, 240, True), Options(segment=segment), None)
        assert plan.seconds is None
        assert plan.columns == plan.capacity == MOST_COLUMNS
