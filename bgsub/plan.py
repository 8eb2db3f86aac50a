"""What a run will need, worked out before anything is allocated, and how it is made to fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from bgsub import memory
from bgsub.choices import is_sampled, is_streamed
from bgsub.errors import OptionError
from bgsub.frames.grid import Grid
from bgsub.frames.sample import FEWEST, segment_length
from bgsub.memory import (
    automatic_columns,
    fit_bytes,
    flow_bytes,
    kept_bytes,
    memory_reason,
    model_bytes,
    program_bytes,
    threads_of,
)
from bgsub.options import Options
from bgsub.shortage import SCALES, allowed_words, too_little
from bgsub.words import count_of

FIT_SECONDS = 1.5e-7
"""Seconds the fit takes an entry of the matrix on two ordinary processors: an estimate for people."""
DENSE_SECONDS = 4e-7
"""The same for a fit that keeps whole arrays, or takes up to thirty iterations."""
FISTA_SECONDS = 5e-6
"""The same for FISTA, which decomposes the whole matrix in every iteration."""
FRAME_SECONDS = 4.0e-8
"""Seconds a frame takes a pixel to be read twice, judged and written to five files: an estimate for people."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes of a run.

    Attributes
    ----------
    rows, columns
        Of the matrix a segment is fitted on: pixels × channels, frames.
    capacity
        Frames to make room for: more than *columns* where a segment is expected to be shorter than that, because a
        claimed length may be wrong. Room that is not filled takes no memory.
    frames
        Estimated number of frames to separate, or None.
    fit_bytes, peak_bytes
        Memory of the fit alone, and of the whole process at most, layers that are kept in memory apart.
    seconds
        Rough estimate of the run's duration, or None when the number of frames is not known.
    reason
        Why the columns are fewer than otherwise, and what the fit keeps in memory; empty for a fit that streams.
    program_bytes, flow_bytes, model_bytes
        Memory of the program itself, of the frames on their way (decoders, queues, encoders), and of a background.
    kept_bytes
        Memory that the allocator keeps between segments; 0 for one segment.
    allowed_bytes
        What the process may take.
    several
        Whether the frames of one segment are on their way while the next one is fitted.
    cuts
        Whether there is room to end a segment where the light or the view changes.
    """

    rows: int
    columns: int
    capacity: int
    frames: int | None
    fit_bytes: int
    peak_bytes: int
    seconds: float | None
    reason: str = ""
    program_bytes: int = 0
    flow_bytes: int = 0
    model_bytes: int = 0
    kept_bytes: int = 0
    allowed_bytes: int = 0
    several: bool = True
    cuts: bool = True


def make_plan(
    grid: Grid,
    options: Options,
    frames: int | None,
    rate: Fraction | None = None,
    free: int | None = None,
    strict: bool = False,
) -> Plan:
    """Choose the number of columns and add up what the run needs.

    The columns are as many as wanted, fewer where the whole process would otherwise take more than ``options.memory``,
    or than half of what is free, MOST_BYTES at most; but FEWEST_COLUMNS at least, or FEWEST_DENSE_COLUMNS where the fit
    keeps whole arrays. Unless *strict*, a fit that streams, of which nobody has said what it may take, is planned with
    the fewest columns even if these need more. :func:`within_memory` is what reduces threads and scale.

    *frames* and *rate* (frames per second) are estimates of what is to be separated; *free* are the bytes that are
    free, those of this machine now by default.

    Raises
    ------
    OptionError
        Even with the fewest columns the run needs more than it may take.
    """
    segment = segment_length(options.segment, rate)
    wanted = options.columns or automatic_columns(grid)
    if segment:
        wanted = min(wanted, max(segment, FEWEST))
    several = bool(segment) and (frames is None or frames > (segment or 0))
    allowed = memory.allowed_bytes(options, free)
    capacity = _capacity(grid, options, wanted, several, (allowed, strict))
    most = wanted if frames is None else max(frames, FEWEST)
    columns = min(capacity, most)
    return Plan(
        grid.rows,
        columns,
        capacity,
        frames,
        fit_bytes(grid, options, columns),
        memory.peak_bytes(grid, options, columns, several),
        None if frames is None else _seconds(grid, options, columns, frames, segment),
        memory_reason(grid, options, columns, min(wanted, most)),
        program_bytes(threads_of(options)),
        flow_bytes(grid, options, threads_of(options)),
        model_bytes(grid, options),
        kept_bytes(grid, options, columns, threads_of(options)) if several else 0,
        allowed,
        several,
        several or memory.peak_bytes(grid, options, columns, True) <= allowed,
    )


def within_memory(
    grid: Grid,
    options: Options,
    frames: int | None,
    rate: Fraction | None = None,
    scale_is_asked: bool = False,
    free: int | None = None,
) -> tuple[Options, str]:
    """Return *options* with which the run fits into the memory it may take, and what had to be changed, in words.

    What costs least comes first. Fewer columns, which :func:`make_plan` chooses: with FEWEST_COLUMNS masks are hardly
    worse. Then fewer threads, on which no mask depends. Only then a smaller picture: the largest of SCALES that fits.
    The words are empty where *options* are returned as they are. A scale and a number of threads that were asked for
    stay.

    Parameters
    ----------
    grid
        Of *options*.
    frames, rate, free
        As for :func:`make_plan`.
    scale_is_asked
        Whether ``options.scale`` was asked for; a scale other than 1 always was.

    Raises
    ------
    OptionError
        Nothing of this is enough.
    """
    if _fits(grid, options, frames, rate, free):
        return options, ""
    scale_is_asked = scale_is_asked or options.scale != 1
    smaller, trial = grid, options
    for trial, changed in _smaller(grid, options, scale_is_asked):
        smaller = replace(grid, scale=trial.scale)
        if _fits(smaller, trial, frames, rate, free):
            return (
                trial,
                f"memory: {changed}, since it would otherwise take more than {allowed_words(options, free)}",
            )
    # Nothing fits, so this says how much would be needed.
    make_plan(smaller, trial, frames, rate, free, strict=True)
    raise AssertionError("a plan that does not fit is refused")


def _smaller(grid: Grid, options: Options, scale_is_asked: bool) -> Iterator[tuple[Options, str]]:
    """Yield options that need less and less, each with what has changed."""
    words, threads = "", threads_of(options)
    while options.threads is None and threads > 1:
        threads //= 2
        words = count_of(threads, "thread")
        yield replace(options, threads=threads), words
    if words:
        options = replace(options, threads=1)
        words += " and "
    for scale in () if scale_is_asked else SCALES:
        if min(grid.width, grid.height) * scale >= 1:
            height, width = replace(grid, scale=scale).frame_shape
            yield replace(options, scale=scale), f"{words}--scale {scale:g} ({width} × {height} pixels)"


def _fits(grid: Grid, options: Options, frames: int | None, rate: Fraction | None, free: int | None) -> bool:
    try:
        plan = make_plan(grid, options, frames, rate, free)
    except OptionError:
        return False
    return memory.peak_bytes(grid, options, plan.capacity, plan.several) <= plan.allowed_bytes


def _capacity(grid: Grid, options: Options, wanted: int, several: bool, limit: tuple[int, bool]) -> int:
    """Return the most columns with which the process stays within the bytes of *limit*, by bisection."""
    allowed, strict = limit
    streamed = is_streamed(options.method, options.low_rank, options.sparse)
    least = min(wanted, memory.FEWEST_COLUMNS if streamed else memory.FEWEST_DENSE_COLUMNS)
    if memory.peak_bytes(grid, options, wanted, several) <= allowed:
        return wanted
    if memory.peak_bytes(grid, options, least, several) > allowed:
        if streamed and options.memory is None and not strict:
            return least
        raise OptionError(too_little(grid, options, least, several, allowed))
    low, high = least, wanted
    while high - low > 1:
        middle = (low + high) // 2
        fits = memory.peak_bytes(grid, options, middle, several) <= allowed
        low, high = (middle, high) if fits else (low, middle)
    return low


def apply_workers(options: Options) -> int:
    """Return how many frames are held against the background at a time."""
    return min(threads_of(options), memory.MOST_WORKERS)


def _seconds(grid: Grid, options: Options, columns: int, frames: int, segment: int | None) -> float:
    fits = max(1, round(frames / segment)) if segment else 1
    fit = fits * columns * grid.rows * _fit_seconds(options)
    return 2 + fit + frames * grid.frame_shape[0] * grid.frame_shape[1] * FRAME_SECONDS


def _fit_seconds(options: Options) -> float:
    choice = options.method, options.low_rank, options.sparse
    if is_sampled(*choice) or (is_streamed(*choice) and options.sparse == "l1"):
        return FIT_SECONDS
    return FISTA_SECONDS if options.method == "fista" else DENSE_SECONDS
