"""What a fit is said to take, and how many columns that leaves room for."""

from __future__ import annotations

import re
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgsub import Options
from bgsub.background.fit import fit_background
from bgsub.background.nbytes import (
    FEWEST_COLUMNS,
    FEWEST_DENSE_COLUMNS,
    MOST_COLUMNS,
    STREAMED_ROW_BYTES,
    automatic_columns,
    fit_bytes,
)
from bgsub.errors import OptionError, UsageError
from bgsub.frames.grid import Grid
from bgsub.frames.matrix import FrameMatrix
from bgsub.frames.sample import FOLLOWERS, Sample
from bgsub.options.sizes import megabytes
from bgsub.run import budget, machine
from bgsub.run.budget import MOST_BYTES, SCALES, Need, make_plan, within_memory
from bgsub.run.machine import free_bytes, machine_bytes

# What some of these clips are made of.
SAMPLED = [Options(threads=1), Options(threads=1, sparse="elastic-net")]
STREAMED = [
    Options(threads=1, method="alt-pgcg"),
    Options(threads=1, method="alt-pgcg", sparse="elastic-net"),
    Options(threads=1, method="alt-pgcg", sparse="lp"),
]
DENSE = [
    Options(threads=1, method="cgcg", sparse="elastic-net"),
    Options(threads=1, method="cgcg-p", sparse="group"),
    Options(threads=1, method="alt-pgpg", sparse="lp"),
    Options(threads=1, method="fista", low_rank="nuclear-penalty"),
]
GRIDS = st.builds(Grid, st.integers(8, 4000), st.integers(8, 3000), st.booleans())


@pytest.fixture(autouse=True, scope="module")
def endless():
    """Let these tests plan on a machine that has whatever they ask for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "machine_bytes", lambda: machine.UNKNOWN_BYTES)
        yield


def peak(grid: Grid, options: Options, columns: int, several: bool) -> int:
    return Need.of(grid, options, columns, several).peak


def taken_by(sample: Sample, grid: Grid, options: Options) -> int:
    """Return the bytes that a fit takes at most, those of its sample with them."""
    tracemalloc.start()
    fit_background(sample, grid, options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak + sum(part.frames.nbytes for part in (sample.matrix, sample.followers))


def noise(columns: int, grid: Grid) -> Sample:
    """Return frames of noise with a bright thing in each."""
    every = -(-columns // FOLLOWERS)
    matrix, followers = FrameMatrix(columns, grid.rows), FrameMatrix(-(-columns // every), grid.rows)
    rng = np.random.default_rng(1)
    for index in range(columns):
        frame = rng.integers(90, 110, grid.rows, dtype=np.uint8)
        frame[1000 * index : 1000 * index + 5000] = 240
        matrix.append(frame)
        if index % every == 0:
            followers.append(frame)
    return Sample(matrix, followers, every, columns, 0)


def named(value: object) -> str:
    return f"{value.method}-{value.sparse}-{value.rank}" if isinstance(value, Options) else str(value)


def late(*values: object) -> object:
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "options"),
    [(12, DENSE[1]), late(12, DENSE[2]), late(12, DENSE[3]), late(50, DENSE[0])],
    ids=named,
)
def test_a_fit_takes_no_more_than_is_planned_for_it(columns: int, options: Options) -> None:
    fit_background(noise(5, Grid(80, 60, True)), Grid(80, 60, True), options)  # compiled by now
    grid = Grid(160, 120, True)
    sample = noise(columns, grid)
    tracemalloc.start()
    fit_background(sample, grid, options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 20 * columns * grid.rows < peak + sample.matrix.frames.nbytes
    # What does not grow with the footage: sampled rows, tables of the kernels.
    assert peak + sample.matrix.frames.nbytes <= fit_bytes(grid, options, columns) + 4_000_000


def swaying(columns: int, grid: Grid, modes: int) -> Sample:
    """Return frames in which the whole picture changes along so many directions."""
    sample, rng = noise(columns, grid), np.random.default_rng(2)
    pictures = rng.normal(0, 8, (modes, grid.rows))
    factors = np.linalg.qr(rng.normal(size=(columns, modes)))[0] * np.sqrt(columns)
    for frame, row in zip(sample.matrix.frames, factors, strict=True):
        frame[:] = np.clip(frame + row @ pictures, 0, 255)
    return sample


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "method"), [(12, "cgcg"), (50, "cgcg-p"), (12, "alt-pgcg")])
def test_a_small_streamed_fit_of_many_iterations_is_planned_for(columns: int, method: str) -> None:
    options = Options(threads=1, method=method)
    fit_background(noise(5, Grid(80, 60, True)), Grid(80, 60, True), options)
    grid = Grid(160, 120, True)
    assert taken_by(noise(columns, grid), grid, options) <= fit_bytes(grid, options, columns) + 4_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "modes", "options"),
    [
        (24, 10, SAMPLED[0]),
        (5, 5, STREAMED[0]),
        late(24, 10, STREAMED[0]),
        late(24, 10, STREAMED[2]),
        late(24, 10, SAMPLED[1]),
        late(24, 1, STREAMED[1]),
        late(60, 10, Options(threads=1, rank=7)),
    ],
    ids=named,
)
def test_a_fit_takes_no_more_however_many_directions_the_scene_has(columns, modes, options) -> None:
    fit_background(noise(5, Grid(80, 60, True)), Grid(80, 60, True), options)
    grid = Grid(320, 240, True)
    sample = swaying(columns, grid, modes)
    assert taken_by(sample, grid, options) <= fit_bytes(grid, options, columns) + 4_000_000


@pytest.mark.slow
def test_the_default_fit_keeps_little_but_the_frames() -> None:
    [options, _] = SAMPLED
    fit_background(noise(5, Grid(80, 60, True)), Grid(80, 60, True), options)
    grid = Grid(320, 240, True)
    assert taken_by(noise(150, grid), grid, options) <= fit_bytes(grid, options, 150) + 4_000_000


def attempt(function, *arguments):
    """Return what a function returns and an empty text, or None and what it refused."""
    try:
        return function(*arguments), ""
    except OptionError as error:
        return None, str(error)


@given(
    GRIDS,
    st.sampled_from([Options(), *SAMPLED, *STREAMED, *DENSE]),
    st.integers(1, 1 << 34),
    st.one_of(st.none(), st.integers(3, 10**6)),
    st.sampled_from([0, 3, 40, 3000]),
)
def test_the_plan_stays_within_the_memory_given_or_is_refused(
    grid, options, given_bytes, frames, segment
) -> None:
    options = replace(options, memory=given_bytes, segment=segment)
    plan, error = attempt(make_plan, grid, options, frames)
    if plan is None:
        columns = int(re.search(r"\((\d+) columns?\)", error)[1])
        several = bool(segment) and (frames is None or frames > segment)
        need = peak(grid, options, columns, several)
        assert need > given_bytes
        assert f"need at least {-(-need // 10**6)} MB" in error
        assert columns <= FEWEST_COLUMNS
        return
    assert plan.need.peak <= plan.allowed == given_bytes
    # A length that is claimed too short changes nothing: all the room there is may be filled.
    assert peak(grid, options, plan.capacity, plan.several) <= given_bytes


@given(GRIDS, st.integers(1, 1 << 34), st.booleans(), st.sampled_from([None, 1, 16]))
def test_what_is_made_to_fit_fits_and_keeps_what_was_asked_for(grid, given_bytes, asked, threads) -> None:
    options = Options(memory=given_bytes, threads=threads)
    done, error = attempt(within_memory, grid, options, 1000, None, asked)
    if done is None:
        assert "need at least" in error
        return
    fitting, changed = done
    plan = make_plan(replace(grid, scale=fitting.scale), fitting, 1000)
    assert plan.need.peak <= given_bytes
    assert fitting == replace(options, scale=fitting.scale, threads=fitting.threads)
    assert (changed == "") == (fitting == options)
    assert threads in (None, fitting.threads)
    assert fitting.scale == 1 or (not asked and f"--scale {fitting.scale:g} " in changed)


def test_columns_are_given_up_before_threads_and_threads_before_the_scale(monkeypatch) -> None:
    monkeypatch.setattr("bgsub.options.table.processors", lambda: 16)
    grid = Grid(1280, 720, True)
    wanted = automatic_columns(grid)

    def need(columns: int, threads: int) -> int:
        return peak(grid, Options(threads=threads), columns, False)

    def chosen(given_bytes: int) -> tuple[int, int | None, float]:
        options, _ = within_memory(grid, Options(memory=given_bytes), 1000)
        return (
            make_plan(replace(grid, scale=options.scale), options, 1000).columns,
            options.threads,
            options.scale,
        )

    assert chosen(need(wanted, 16)) == (wanted, None, 1.0)
    assert chosen(need(wanted, 16) - 1) == (wanted - 1, None, 1.0)

    def room(threads: int) -> int:
        """The most columns that take no more than the fewest: the fit is over when frames are on their way."""
        return max(
            n for n in range(FEWEST_COLUMNS, wanted + 1) if need(n, threads) == need(FEWEST_COLUMNS, threads)
        )

    assert chosen(need(FEWEST_COLUMNS, 16)) == (room(16), None, 1.0)
    assert chosen(need(FEWEST_COLUMNS, 1)) == (room(1), 1, 1.0)
    _, threads, scale = chosen(need(FEWEST_COLUMNS, 1) - 1)
    assert (threads, scale) == (1, SCALES[0])


def test_the_scale_is_the_largest_that_fits() -> None:
    grid, options = Grid(1920, 1080, True), Options(memory=10**9, threads=2)
    fitting, changed = within_memory(grid, options, 1000)
    smaller = replace(grid, scale=fitting.scale)
    larger = replace(grid, scale=SCALES[SCALES.index(fitting.scale) - 1])
    assert peak(smaller, fitting, FEWEST_COLUMNS, False) <= 10**9
    assert peak(larger, options, FEWEST_COLUMNS, False) > 10**9
    height, width = smaller.frame_shape
    assert changed == (
        f"memory: --scale {fitting.scale:g} ({width} × {height} pixels), since it would otherwise take more than the "
        "1000 MB of --memory"
    )


def test_a_scale_that_was_asked_for_is_an_error_of_one_line_instead() -> None:
    for options in (Options(memory=10**9, scale=0.9), Options(memory=10**9)):
        grid = Grid(1920, 1080, True, scale=options.scale)
        with pytest.raises(OptionError) as caught:
            within_memory(grid, options, 1000, scale_is_asked=True)
        height, width = grid.frame_shape
        least = -(-peak(grid, replace(options, threads=1), FEWEST_COLUMNS, False) // 10**6)
        assert str(caught.value).startswith(
            f"{width} × {height} pixels need at least {least} MB (24 columns), but --memory is 1000 MB: "
        )
        assert "--scale, --gray, --roi" in str(caught.value)
        assert "\n" not in str(caught.value)


def test_without_a_limit_half_of_what_is_free_may_be_used_and_4_gb_at_most() -> None:
    grid = Grid(320, 240, True)
    assert make_plan(grid, Options(), 1000, free=10**9).allowed == 5 * 10**8
    assert make_plan(grid, Options(), 1000, free=1 << 40).allowed == MOST_BYTES == 4 * 10**9
    assert make_plan(grid, Options(memory=1 << 33), 1000, free=10**9).allowed == 1 << 33


def test_a_streamed_fit_of_which_nobody_said_what_it_may_take_is_not_refused_but_made_to_fit() -> None:
    grid = Grid(3840, 2160, True)
    plan = make_plan(grid, Options(), 1000, free=1 << 40)
    assert plan.columns == FEWEST_COLUMNS
    assert plan.need.peak > plan.allowed
    options, changed = within_memory(grid, Options(), 1000, free=1 << 40)
    assert options.scale < 1
    assert changed.endswith("more than the 4000 MB that may be used")
    with pytest.raises(
        OptionError,
        match=r"but 1 MB may be used \(half of what is free, 4 GB at most\): the program by itself",
    ):
        within_memory(grid, Options(), 1000, free=2 * 10**6)


def test_too_little_memory_is_one_line_with_ways_out() -> None:
    with pytest.raises(OptionError) as caught:
        make_plan(Grid(3840, 2160, True), Options(method="alt-pgpg"), 1000)
    text = str(caught.value)
    assert not isinstance(caught.value, UsageError)
    assert "\n" not in text
    assert "--method alt-pgpg with the terms nuclear and l1 keeps 72 bytes an entry" in text
    assert "--scale, --gray, --roi" in text
    assert "alt-pgcg" in text


@pytest.mark.parametrize("options", [Options(memory=565 * 10**6), Options(method="alt-pgpg")])
def test_the_plan_cuts_the_columns_and_says_so(options) -> None:
    grid = Grid(1280, 720, True) if options.memory is None else Grid(320, 240, True)
    if options.memory is not None:
        options = replace(options, method="alt-pgpg")
    plan = make_plan(grid, options, 1000, free=1 << 40)
    wanted = automatic_columns(grid)
    assert FEWEST_DENSE_COLUMNS <= plan.columns == plan.capacity < wanted
    assert peak(grid, options, plan.columns + 1, False) > plan.allowed >= plan.need.peak
    assert plan.reason.endswith(
        f"{megabytes(plan.need.fit)} for {plan.columns} columns, since {wanted} would need more than may be used"
    )
    few = make_plan(grid, replace(options, columns=9), 1000, free=1 << 40)
    assert (few.columns, few.reason.endswith("MB for 9 columns")) == (9, True)


def test_a_fit_that_streams_says_that_columns_were_cut_and_nothing_otherwise() -> None:
    grid = Grid(640, 480, True)
    assert make_plan(grid, Options(memory=10**9), 1000).reason == ""
    cut = make_plan(grid, Options(memory=580 * 10**6), 1000)
    assert FEWEST_COLUMNS <= cut.columns < MOST_COLUMNS
    assert cut.reason == (
        f"{megabytes(cut.need.fit)} for {cut.columns} columns, since {MOST_COLUMNS} would need more than may be used"
    )


def test_a_method_that_keeps_whole_arrays_is_planned_as_such_and_the_default_is_not() -> None:
    grid = Grid(320, 240, True)
    default = make_plan(grid, Options(), 1000, free=1 << 40)
    # Seven directions and the centre, padded to eight, take more than the coarse phase.
    expected = MOST_COLUMNS * (grid.rows + 80_000) + (FOLLOWERS + 12 + 8 * 8 + 12 * 7) * grid.rows
    assert (default.need.fit, default.reason) == (expected, "")
    plan = make_plan(grid, Options(sparse="group"), 1000, free=1 << 40)
    assert plan.need.fit == MOST_COLUMNS * (56 * grid.rows + 80_000) + FOLLOWERS * grid.rows
    assert plan.seconds > default.seconds
    assert make_plan(grid, Options(method="fista"), 1000, free=1 << 40).seconds > plan.seconds


def test_what_streams_is_planned_as_such_and_says_nothing() -> None:
    grid = Grid(320, 240, True)
    for method, sparse in (("alt-pgcg", "elastic-net"), ("alt-pgcg", "lp"), ("auto", "lp")):
        plan = make_plan(grid, Options(method=method, sparse=sparse), 1000, free=1 << 40)
        expected = (MOST_COLUMNS * 5 + FOLLOWERS + STREAMED_ROW_BYTES) * grid.rows
        assert plan.need.fit == expected + MOST_COLUMNS * 80_000
        assert plan.reason == ""


def test_auto_is_planned_with_the_projected_background_only_where_that_is_small() -> None:
    small, asked = Grid(64, 48, True), Options(sparse="group")
    assert fit_bytes(small, asked, 40) == 40 * (small.rows * 73 + 80_000)
    assert (
        fit_bytes(small, Options(method="alt-pgcg"), 40) == 40 * (small.rows * 6 + 80_000) + 450 * small.rows
    )
    large = Grid(320, 240, True)
    assert fit_bytes(large, asked, 150) == 150 * (56 * large.rows + 80_000) + 50 * large.rows


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_what_is_free_is_no_more_than_the_machine_has() -> None:
    total = int(Path("/proc/meminfo").read_text().split("MemTotal:")[1].split()[0]) * 1024
    assert 0 < free_bytes() < total


def test_a_container_may_have_less_and_files_in_memory_are_not_counted(tmp_path, monkeypatch) -> None:
    for name, text in {"max": "5000", "now": "3000", "memory.stat": "anon 7\ninactive_file 1500\n"}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(machine, "CONTAINERS", ((str(tmp_path), "max", "now", "inactive_file"),))
    assert free_bytes() == 5000 - (3000 - 1500)
    (tmp_path / "max").write_text("max\n")
    assert free_bytes() > 1e6


def test_segments_are_cut_at_changes_only_where_there_is_room_for_one_more_fit() -> None:
    grid = Grid(640, 480, True)
    roomy = make_plan(grid, Options(memory=2 * 10**9), 500)
    tight = make_plan(grid, Options(memory=roomy.need.peak + 10**6), 500)
    assert roomy.cuts
    assert not roomy.several
    assert not tight.cuts
    assert make_plan(grid, Options(memory=2 * 10**9, segment="100"), 500).cuts


def test_no_more_is_planned_with_than_there_is(monkeypatch) -> None:
    monkeypatch.setattr(budget, "machine_bytes", lambda: 10**9)
    plan = make_plan(Grid(640, 480, True), Options(memory=1 << 50), 1000)
    assert plan.need.peak <= plan.allowed == 10**9


def test_what_there_is_is_that_of_the_container_where_it_is_less(monkeypatch, tmp_path) -> None:
    machine_bytes.cache_clear()
    monkeypatch.setattr(machine, "CONTAINERS", ((str(tmp_path), "max", "now", "idle"),))
    (tmp_path / "max").write_text("max")
    whole = machine_bytes()
    assert whole > free_bytes() > 0
    machine_bytes.cache_clear()
    (tmp_path / "max").write_text("5000")
    assert machine_bytes() == 5000
    machine_bytes.cache_clear()
