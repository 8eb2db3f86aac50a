"""What a fit is said to take, and how many columns that leaves room for."""

from __future__ import annotations

import sys
import tracemalloc
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgsub import Options, memory
from bgsub.background.fit import fit_background
from bgsub.errors import OptionError, UsageError
from bgsub.frames.grid import Grid
from bgsub.frames.matrix import FrameMatrix
from bgsub.frames.sample import Sample
from bgsub.memory import DENSE_BYTES, FEWEST_DENSE_COLUMNS, bytes_per_column, fit_bytes, free_bytes, room_for
from bgsub.plan import make_plan

SAMPLED = [Options(threads=1), Options(threads=1, sparse="elastic-net")]
DENSE = [
    Options(threads=1, method="alt-pgcg", sparse="elastic-net"),
    Options(threads=1, method="cgcg-p", sparse="group"),
    Options(threads=1, method="alt-pgpg", sparse="lp"),
    Options(threads=1, method="fista", low_rank="nuclear-penalty"),
]
GRIDS = st.builds(Grid, st.integers(8, 4000), st.integers(8, 3000), st.booleans())


def noise(columns: int, grid: Grid) -> Sample:
    """Return frames of noise with a bright thing in each."""
    matrix, differences = FrameMatrix(columns, grid.rows), FrameMatrix(columns, grid.rows // grid.channels)
    rng = np.random.default_rng(1)
    for index in range(columns):
        frame = rng.integers(90, 110, grid.rows, dtype=np.uint8)
        frame[1000 * index : 1000 * index + 5000] = 240
        matrix.append(frame)
        differences.append(np.zeros(grid.rows // grid.channels, np.uint8))
    return Sample(matrix, differences, columns, 0)


@pytest.mark.parametrize(
    ("columns", "options"),
    [*product([12], DENSE), *product([50], DENSE[:3])],
    ids=lambda value: f"{value.method}-{value.sparse}" if isinstance(value, Options) else str(value),
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


@pytest.mark.parametrize("options", SAMPLED, ids=lambda options: options.sparse)
@pytest.mark.parametrize("columns", [12, 150])
def test_the_default_fit_keeps_little_but_the_frames(columns: int, options: Options) -> None:
    fit_background(noise(5, Grid(80, 60, True)), Grid(80, 60, True), options)
    grid = Grid(320, 240, True)
    sample = noise(columns, grid)
    tracemalloc.start()
    fit_background(sample, grid, options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    taken = peak + sample.matrix.frames.nbytes + sample.differences.frames.nbytes
    # What does not grow with the columns: pictures of the centre, of the directions, sampled rows.
    assert taken <= fit_bytes(grid, options, columns) + 100 * grid.rows


@given(GRIDS, st.integers(1, 500), st.integers(0, 1 << 36))
def test_no_more_columns_are_sampled_than_fit_into_half_of_what_is_free(grid, wanted, free) -> None:
    options = DENSE[2]
    most = min(free // 2, DENSE_BYTES)
    try:
        columns = room_for(grid, options, wanted, free)
    except OptionError:
        assert min(wanted, FEWEST_DENSE_COLUMNS) * bytes_per_column(grid, options) > most
        return
    assert columns * bytes_per_column(grid, options) <= most
    assert columns == wanted or (columns + 1) * bytes_per_column(grid, options) > most
    assert min(wanted, FEWEST_DENSE_COLUMNS) <= columns <= wanted


def test_a_fit_that_streams_is_not_cut() -> None:
    assert room_for(Grid(3840, 2160, True), Options(), 150, 0) == 150


def test_too_little_memory_is_one_line_with_two_ways_out() -> None:
    with pytest.raises(OptionError) as caught:
        make_plan(Grid(3840, 2160, True), Options(method="alt-pgpg"), 1000)
    text = str(caught.value)
    assert not isinstance(caught.value, UsageError)
    assert "\n" not in text
    assert "--method alt-pgpg with the terms nuclear and l1 keeps 72 bytes an entry" in text
    assert "--scale, --gray, --roi" in text
    assert "alt-pgcg" in text


def test_the_plan_cuts_the_columns_and_says_so() -> None:
    grid = Grid(640, 480, True)
    plan = make_plan(grid, Options(method="alt-pgpg"), 1000, free=1 << 40)
    column = 72 * 640 * 480 * 3 + 640 * 480
    wanted = memory.automatic_columns(grid)
    assert plan.columns == plan.capacity == DENSE_BYTES // column < wanted
    assert plan.fit_bytes == plan.columns * column <= DENSE_BYTES
    assert plan.reason.endswith(
        f"{plan.fit_bytes / 1e6:.0f} MB for {plan.columns} columns, since {wanted} would need more than may be used"
    )
    asked = make_plan(grid, Options(method="alt-pgpg", columns=20), 1000, free=1 << 40)
    assert (asked.columns, asked.reason.endswith("MB for 20 columns")) == (20, True)
    few = make_plan(grid, Options(method="alt-pgpg"), 15, free=1 << 40)
    assert (few.columns, few.capacity, few.reason.endswith("MB for 15 columns")) == (15, plan.capacity, True)


def test_a_method_that_keeps_whole_arrays_is_planned_as_such_and_the_default_is_not() -> None:
    grid = Grid(320, 240, True)
    default = make_plan(grid, Options(), 1000, free=1 << 40)
    assert (default.fit_bytes, default.reason) == (150 * (2 * grid.rows + 320 * 240 + 72 * 7500), "")
    plan = make_plan(grid, Options(sparse="lp"), 1000, free=1 << 40)
    assert plan.fit_bytes == 150 * (56 * grid.rows + 320 * 240)
    assert plan.seconds > default.seconds
    assert make_plan(grid, Options(method="fista"), 1000, free=1 << 40).seconds > plan.seconds


def test_auto_is_planned_with_the_projected_background_only_where_that_is_small() -> None:
    small, asked = Grid(64, 48, True), Options(sparse="group")
    assert fit_bytes(small, asked, 40) == 40 * (small.rows * 72 + 64 * 48)
    assert fit_bytes(small, Options(method="alt-pgcg"), 40) == 40 * (small.rows * 5 + 64 * 48)
    large = Grid(320, 240, True)
    assert fit_bytes(large, asked, 150) == 150 * bytes_per_column(large, asked)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_what_is_free_is_no_more_than_the_machine_has() -> None:
    total = int(Path("/proc/meminfo").read_text().split("MemTotal:")[1].split()[0]) * 1024
    assert 0 < free_bytes() < total


def test_a_container_may_have_less_and_files_in_memory_are_not_counted(tmp_path, monkeypatch) -> None:
    for name, text in {"max": "5000", "now": "3000", "memory.stat": "anon 7\ninactive_file 1500\n"}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(memory, "CONTAINERS", ((str(tmp_path), "max", "now", "inactive_file"),))
    assert free_bytes() == 5000 - (3000 - 1500)
    (tmp_path / "max").write_text("max\n")
    assert free_bytes() > 1e6
