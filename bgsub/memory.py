"""How much memory a fit takes, and how many columns that leaves room for."""

from __future__ import annotations

import os
from pathlib import Path

from bgsub.choices import is_sampled, is_streamed, projects_background
from bgsub.errors import OptionError
from bgsub.frames.grid import Grid
from bgsub.options import Options

MOST_COLUMNS = 150
"""More columns no longer change the background (150 of 500 frames give the same masks as all)."""
FEWEST_COLUMNS = 24
"""With fewer, somebody who stands for a moment is in half of them."""
FEWEST_DENSE_COLUMNS = 8
"""Where whole arrays are kept, fewer are accepted before the fit is refused: the user has asked for the method."""
FIT_BYTES = 400_000_000
"""Bytes that a streamed fit may take before the number of columns is reduced."""
DENSE_BYTES = 4_000_000_000
"""Bytes that a fit may take that keeps whole arrays, where half of what is free is more."""
SAMPLED_BYTES = 2
"""Bytes an entry of a fit from coarse to fine: the frames, and per row what as many directions as there may be take."""
SAMPLED_ROWS = 7_500
"""Rows of the sample, whose whole arrays such a fit keeps in its first phase: see :mod:`bgsub.background.sampled`."""
STREAMED_BYTES = 5
"""Bytes an entry of a streamed fit: the frames, and the foreground in float32."""
VERTEX_BYTES = 56
"""Bytes an entry where the background takes vertices: frames, nine float32 arrays, the certificate's float64 ones."""
PROJECTED_BYTES = 72
"""Bytes an entry where the background is projected, which may take a full singular value decomposition."""
SMALL = 64_000_000
"""Bytes that do not count: ``auto`` may take a method that keeps whole arrays where they are smaller."""
CONTAINERS = (
    ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
    ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
"""Where the two versions of Linux control groups say what a container may take and takes."""


def automatic_columns(grid: Grid) -> int:
    """Return as many columns as FIT_BYTES hold in a streamed fit, within FEWEST_COLUMNS … MOST_COLUMNS."""
    return max(FEWEST_COLUMNS, min(MOST_COLUMNS, FIT_BYTES // bytes_per_column(grid, Options())))


def bytes_per_column(grid: Grid, options: Options) -> int:
    """Return the bytes a sampled frame takes in the fit, with the uint8 differences beside it."""
    return entry_bytes(options) * grid.rows + grid.rows // grid.channels + _sample_bytes(grid, options)


def _sample_bytes(grid: Grid, options: Options) -> int:
    """Return what the first phase of a fit from coarse to fine adds to a column."""
    if not is_sampled(options.method, options.low_rank, options.sparse):
        return 0
    return PROJECTED_BYTES * min(grid.rows, SAMPLED_ROWS)


def entry_bytes(options: Options, entries: int | None = None) -> int:
    """Return the bytes an entry of the sampled matrix takes in the fit, of so many entries or of many."""
    if is_sampled(options.method, options.low_rank, options.sparse):
        return SAMPLED_BYTES
    if entries is not None and options.method == "auto" and may_project(entries):
        return PROJECTED_BYTES
    if is_streamed(options.method, options.low_rank, options.sparse):
        return STREAMED_BYTES
    return PROJECTED_BYTES if projects_background(options.method, options.low_rank) else VERTEX_BYTES


def may_project(entries: int) -> bool:
    """Tell whether ``auto`` may project the background: where that takes memory that does not count."""
    return entries * PROJECTED_BYTES <= SMALL


def fit_bytes(grid: Grid, options: Options, columns: int) -> int:
    """Return the most bytes that the fit on so many columns takes."""
    entries = columns * grid.rows
    others = grid.rows // grid.channels + _sample_bytes(grid, options)
    return entries * entry_bytes(options, entries) + columns * others


def room_for(grid: Grid, options: Options, wanted: int, free: int | None = None) -> int:
    """Return how many of the *wanted* columns there is memory for: all where the fit streams.

    Fits that keep whole arrays may take half of what is free, DENSE_BYTES at most. *free* is what is free, in bytes;
    by default that of this machine now.

    Raises
    ------
    OptionError
        There is no room for FEWEST_DENSE_COLUMNS (or for fewer, if fewer are wanted).
    """
    if is_streamed(options.method, options.low_rank, options.sparse):
        return wanted
    most = min((free_bytes() if free is None else free) // 2, DENSE_BYTES)
    column = bytes_per_column(grid, options)
    least = min(wanted, FEWEST_DENSE_COLUMNS)
    if most < least * column:
        raise OptionError(
            f"{_needs(options)}, {least * column / 1e9:.2f} GB for {least} columns, where {most / 1e9:.2f} GB may be "
            "used: look at less (--scale, --gray, --roi), or use --method alt-pgcg with the terms nuclear and l1"
        )
    return min(wanted, most // column)


def memory_reason(grid: Grid, options: Options, columns: int, wanted: int) -> str:
    """Return what a fit on *columns* of the *wanted* ones takes, in words; empty for one that streams."""
    if is_streamed(options.method, options.low_rank, options.sparse):
        return ""
    taken = fit_bytes(grid, options, columns)
    fewer = f", since {wanted} would need more than may be used" if columns < wanted else ""
    return f"{_needs(options, columns * grid.rows)}, {taken / 1e6:.0f} MB for {columns} columns{fewer}"


def _needs(options: Options, entries: int | None = None) -> str:
    return (
        f"--method {options.method} with the terms {options.low_rank} and {options.sparse} keeps "
        f"{entry_bytes(options, entries)} bytes an entry"
    )


def free_bytes() -> int:
    """Return the memory that this process may still take: of the machine, and of the container it runs in."""
    return min(_free_of_machine(), _free_of_container())


def _free_of_machine() -> int:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        # Where nothing says what is free, half of what is there is taken to be.
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return DENSE_BYTES


def _free_of_container() -> int:
    for folder, limit, used, idle in CONTAINERS:
        try:
            taken = int(Path(folder, used).read_text(encoding="ascii")) - _files_in_memory(Path(folder), idle)
            return int(Path(folder, limit).read_text(encoding="ascii")) - taken
        except (OSError, ValueError):
            continue
    return 1 << 62


def _files_in_memory(folder: Path, idle: str) -> int:
    """Return the bytes of files that are kept in memory and are given up when something else needs the room."""
    words = (folder / "memory.stat").read_text(encoding="ascii").split()
    return int(words[words.index(idle) + 1])
