"""What is said where the memory is not enough: how much there is, how much it takes, and the ways out."""

from __future__ import annotations

from dataclasses import replace

from bgsub import memory
from bgsub.choices import is_streamed
from bgsub.frames.grid import Grid
from bgsub.memory import machine_bytes, peak_bytes, program_bytes, threads_of
from bgsub.options import Options
from bgsub.size import megabytes
from bgsub.words import count_of

SCALES = tuple(percent / 100 for percent in range(95, 5, -5))
"""Scales that are tried, in this order, where the picture does not fit into the memory."""
LESS = "look at less (--scale, --gray, --roi), write less (--outputs)"
FORGOTTEN = 100_000
"""A number of bytes below this is no memory of any program: somebody has left out the M, or of a small one the G."""


def too_little(grid: Grid, options: Options, columns: int, several: bool, allowed: int) -> str:
    """Return what even so few columns need, of which only *allowed* bytes are there, and what to do."""
    height, width = grid.frame_shape
    need = megabytes(peak_bytes(grid, options, columns, several))
    entry = (
        "" if is_streamed(options.method, options.low_rank, options.sparse) else f"{memory.keeps(options)}; "
    )
    needs = f"{entry}{width} × {height} pixels need at least {need} ({count_of(columns, 'column')})"
    return f"{needs}, but {_given(options, allowed)}: {_ways(grid, options, columns, several, allowed)}"


def allowed_words(options: Options, free: int | None) -> str:
    """Return what a run may take, and why no more."""
    allowed = megabytes(memory.allowed_bytes(options, free), up=False)
    if exceeds_machine(options):
        return f"the {allowed} that there are"
    return f"the {allowed} of --memory" if options.memory is not None else f"the {allowed} that may be used"


def exceeds_machine(options: Options) -> bool:
    """Tell whether more is allowed than there is."""
    return options.memory is not None and options.memory > machine_bytes()


def _given(options: Options, allowed: int) -> str:
    words = megabytes(allowed, up=False)
    if options.memory is None:
        return f"{words} may be used (half of what is free, 4 GB at most)"
    if exceeds_machine(options):
        return f"there are {words} only"
    if allowed < FORGOTTEN:
        unit = "G" if allowed < 100 else "M"
        return f"--memory is {count_of(allowed, 'byte')} (did you mean {allowed}{unit}?)"
    return f"--memory is {words if allowed >= 10**6 else count_of(allowed, 'byte')}"


def _ways(grid: Grid, options: Options, columns: int, several: bool, allowed: int) -> str:
    enough = _enough(grid, options, columns, several)
    if allowed < peak_bytes(Grid(1, 1, color=False), options, columns, several):
        return f"the program by itself takes {_program(options)}; {enough}"
    if grid.scale <= SCALES[-1]:
        return enough
    ways = LESS if exceeds_machine(options) else f"{LESS}, or give more (--memory)"
    if is_streamed(options.method, options.low_rank, options.sparse):
        return ways
    return f"{ways}, or use --method alt-pgcg with the terms nuclear and l1"


def _program(options: Options) -> str:
    """Return what the program takes, with the threads that it was asked to have."""
    threads = threads_of(options)
    beside = f" with {count_of(threads, 'thread')}" if threads > 1 else ""
    return f"{megabytes(program_bytes(threads))}{beside}"


def _enough(grid: Grid, options: Options, columns: int, several: bool) -> str:
    """Return the way out where looking at less is none."""
    sizes = [peak_bytes(each, options, columns, several) for each in (grid, replace(grid, scale=1))]
    least, whole = (megabytes(size).removesuffix(" MB") for size in sizes)
    full = f" ({whole}M for all {grid.width} × {grid.height} pixels)" if whole != least else ""
    return f"give --memory {least}M or more{full}"
