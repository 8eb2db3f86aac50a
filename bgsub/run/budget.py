"""Memory planning: add up what the parts of a run need before anything is allocated, and make it fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from bgsub.background.nbytes import (
    FEWEST_COLUMNS,
    FEWEST_DENSE_COLUMNS,
    automatic_columns,
    fit_bytes,
    keeps,
    memory_reason,
    model_bytes,
)
from bgsub.base.plural import count_of
from bgsub.errors import OptionError
from bgsub.frames.changes.watch import HELD
from bgsub.frames.grid import Grid
from bgsub.frames.sample import FEWEST, segment_length
from bgsub.options.choices import is_sampled, is_streamed
from bgsub.options.sizes import megabytes
from bgsub.options.table import Options
from bgsub.render import outputs
from bgsub.run import reading
from bgsub.run.machine import free_bytes, machine_bytes
from bgsub.run.outputs import layers

MOST_BYTES = 4_000_000_000
"""Most bytes that a run may take if no limit is given, even if half of the free memory is more."""
PROGRAM_BYTES = 350_000_000
"""Bytes of the interpreter and the libraries; 100 MB of them only if the run compiles."""
THREAD_BYTES = 4_000_000
"""Bytes per extra thread: buffers of the kernels, and what the allocator retains for it."""
KEPT_BYTES, KEPT_SHARE = 40_000_000, 10
"""If fits alternate with frames, the allocator retains this many bytes, plus one part in this many of what
was freed."""
KEPT_THREAD_BYTES = 20
"""Bytes per pixel that it then retains for each extra thread: every thread has its own heap."""
MOST_WORKERS = 4
"""Most frames compared with the background at a time: more wait for each other, for the decoder or for the encoders."""
WORKER_BYTES = 30
"""Bytes per pixel for each such frame beyond the first: background, differences, masks and intermediate results."""
SCALES = tuple(percent / 100 for percent in range(95, 5, -5))
"""Scales to try, in this order, if the image does not fit into memory."""
LESS = "look at less (--scale, --gray, --roi), write less (--outputs)"
FORGOTTEN = 100_000
"""No program can run in fewer bytes: the user has left out the M, or for a small number the G."""
FIT_SECONDS = 1.5e-7
"""Seconds per matrix entry of a fit on two ordinary processors: a rough estimate for the user."""
DENSE_SECONDS = 4e-7
"""The same for a fit that keeps whole arrays, or takes up to thirty iterations."""
FISTA_SECONDS = 5e-6
"""The same for FISTA, which decomposes the whole matrix in every iteration."""
FRAME_SECONDS = 4.0e-8
"""Seconds per frame and pixel for reading twice, segmenting and writing five files: a rough estimate for the user."""


@dataclass(frozen=True, slots=True)
class Need:
    """Bytes that a run takes, by part.

    Attributes
    ----------
    program, fit, model
        The program itself, a fit on a given number of columns, and the background that frames are compared with.
    reader, flow
        The reader that feeds a fit; and everything that frames pass through: two readers, the frames being
        processed, and every output with its encoder.
    kept
        What the allocator does not release between segments; 0 for a single segment.
    """

    program: int
    fit: int
    model: int
    reader: int
    flow: int
    kept: int

    @classmethod
    def of(cls, grid: Grid, options: Options, columns: int, several: bool) -> Need:
        """Add up the needs of the parts; of *several* segments, one is fitted while the previous one is written."""
        (height, width), threads = grid.frame_shape, options.thread_count
        fit, model = fit_bytes(grid, options, columns), model_bytes(grid, options.rank)
        reader = reading.nbytes(grid, HELD)
        flow = (
            reader + reading.nbytes(grid) + outputs.nbytes(layers(options.outputs), (height, width), threads)
        )
        flow += WORKER_BYTES * (workers(options) - 1) * height * width
        kept = (
            KEPT_BYTES
            + (fit + flow + model) // KEPT_SHARE
            + KEPT_THREAD_BYTES * height * width * (threads - 1)
        )
        program = PROGRAM_BYTES + THREAD_BYTES * (threads - 1)
        return cls(program, fit, model, reader, flow, kept if several else 0)

    @property
    def peak(self) -> int:
        """Peak memory of the process, not counting layers that are kept in memory.

        With one segment, the fit is over when the first frame is written. With several, one is fitted while
        the frames of the previous one are still in the encoders, and its background in use.
        """
        if self.kept:
            return self.program + self.fit + self.flow + self.model + self.kept
        return self.program + max(self.fit + self.reader, self.flow + self.model)


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes of a run.

    Attributes
    ----------
    rows, columns
        Shape of the matrix a segment is fitted on: pixels × channels, frames.
    capacity
        Frames to allocate for: more than *columns* if a segment is expected to be shorter, since claimed
        lengths may be wrong. Unused capacity takes no memory.
    need
        Memory of a run with *columns*.
    allowed
        Bytes that the process may take.
    seconds
        Rough estimate of the run's duration, or None if the number of frames is unknown.
    reason
        Why there are fewer columns than otherwise, and what the fit keeps in memory; empty for a streaming fit.
    several
        Whether frames of one segment are processed while the next one is fitted.
    cuts
        Whether there is enough memory to end a segment where the light or the view changes.
    """

    rows: int
    columns: int
    capacity: int
    need: Need
    allowed: int
    seconds: float | None
    reason: str
    several: bool
    cuts: bool


def make_plan(
    grid: Grid,
    options: Options,
    frames: int | None,
    rate: Fraction | None = None,
    free: int | None = None,
    strict: bool = False,
) -> Plan:
    """Choose the number of columns and add up what the run needs.

    The columns are as many as wanted, or fewer if the whole process would otherwise take more than
    ``options.memory``, by default half of the free memory and at most MOST_BYTES; but at least
    FEWEST_COLUMNS, or FEWEST_DENSE_COLUMNS if the fit keeps whole arrays. Unless *strict*, a streaming fit
    without a given memory limit is planned with the fewest columns even if these need more.
    :func:`within_memory` is what reduces threads and scale.

    *frames* and *rate* (frames per second) are estimates for the footage to be separated; *free* is the free
    memory in bytes, by default that of this machine now.

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
    allowed = allowed_bytes(options, free)
    capacity = _capacity(grid, options, wanted, several, (allowed, strict))
    most = wanted if frames is None else max(frames, FEWEST)
    columns = min(capacity, most)
    return Plan(
        grid.rows,
        columns,
        capacity,
        Need.of(grid, options, columns, several),
        allowed,
        None if frames is None else _seconds(grid, options, columns, frames, segment),
        memory_reason(grid, options, columns, min(wanted, most)),
        several,
        several or Need.of(grid, options, columns, True).peak <= allowed,
    )


def within_memory(
    grid: Grid,
    options: Options,
    frames: int | None,
    rate: Fraction | None = None,
    scale_is_asked: bool = False,
    free: int | None = None,
) -> tuple[Options, str]:
    """Return *options* with which the run fits into its memory limit, and a description of what was changed.

    The cheapest measures come first. Fewer columns, which :func:`make_plan` chooses: with FEWEST_COLUMNS,
    masks are hardly worse. Then fewer threads, on which no mask depends. Only then a smaller image: the
    largest of SCALES that fits. The description is empty if *options* are returned unchanged. A scale and a
    number of threads that were requested are kept.

    Parameters
    ----------
    grid
        Of *options*.
    frames, rate, free
        As for :func:`make_plan`.
    scale_is_asked
        Whether ``options.scale`` was requested; a scale other than 1 always was.

    Raises
    ------
    OptionError
        None of this is enough.
    """
    if _fits(grid, options, frames, rate, free):
        return options, ""
    scale_is_asked = scale_is_asked or options.scale != 1
    smaller, trial = grid, options
    for trial, changed in _smaller(grid, options, scale_is_asked):
        smaller = replace(grid, scale=trial.scale)
        if _fits(smaller, trial, frames, rate, free):
            limit = _limit(options, allowed_bytes(options, free))
            return trial, f"memory: {changed}, since it would otherwise take more than {limit}"
    # Nothing fits, so this raises the error that says how much is needed.
    make_plan(smaller, trial, frames, rate, free, strict=True)
    raise AssertionError("a plan that does not fit is refused")


def allowed_bytes(options: Options, free: int | None = None) -> int:
    """Return the bytes a run may take: as requested, up to all there is; else half of what is free, to MOST_BYTES."""
    if options.memory is not None:
        return min(options.memory, machine_bytes())
    return min((free_bytes() if free is None else free) // 2, MOST_BYTES)


def exceeds_machine(options: Options) -> bool:
    """Return whether the requested memory is more than the machine has."""
    return options.memory is not None and options.memory > machine_bytes()


def workers(options: Options) -> int:
    """Return how many frames are compared with the background at a time."""
    return min(options.thread_count, MOST_WORKERS)


def _smaller(grid: Grid, options: Options, scale_is_asked: bool) -> Iterator[tuple[Options, str]]:
    """Yield options that need less and less memory, each with a description of the change."""
    words, threads = "", options.thread_count
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
    return Need.of(grid, options, plan.capacity, plan.several).peak <= plan.allowed


def _capacity(grid: Grid, options: Options, wanted: int, several: bool, limit: tuple[int, bool]) -> int:
    """Return the most columns for which the process stays within the bytes of *limit*, by bisection."""
    allowed, strict = limit
    streamed = is_streamed(options.method, options.low_rank, options.sparse)
    least = min(wanted, FEWEST_COLUMNS if streamed else FEWEST_DENSE_COLUMNS)

    def fits(columns: int) -> bool:
        return Need.of(grid, options, columns, several).peak <= allowed

    if fits(wanted):
        return wanted
    if not fits(least):
        if streamed and options.memory is None and not strict:
            return least
        raise OptionError(_too_little(grid, options, least, several, allowed))
    low, high = least, wanted
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _seconds(grid: Grid, options: Options, columns: int, frames: int, segment: int | None) -> float:
    choice = options.method, options.low_rank, options.sparse
    entry = FISTA_SECONDS if options.method == "fista" else DENSE_SECONDS
    if is_sampled(*choice) or (is_streamed(*choice) and options.sparse == "l1"):
        entry = FIT_SECONDS
    fits = max(1, round(frames / segment)) if segment else 1
    height, width = grid.frame_shape
    return 2 + fits * columns * grid.rows * entry + frames * height * width * FRAME_SECONDS


def _too_little(grid: Grid, options: Options, columns: int, several: bool, allowed: int) -> str:
    """Return an error message: what *columns* columns need, that only *allowed* bytes are available, and what to do."""
    height, width = grid.frame_shape
    streamed = is_streamed(options.method, options.low_rank, options.sparse)
    entry = "" if streamed else f"{keeps(options)}; "
    need = f"{megabytes(Need.of(grid, options, columns, several).peak)} ({count_of(columns, 'column')})"
    needs = f"{entry}{width} × {height} pixels need at least {need}"
    return f"{needs}, but {_given(options, allowed)}: {_ways(grid, options, columns, several, allowed)}"


def _limit(options: Options, allowed: int) -> str:
    """Describe the memory limit of a run and where it comes from."""
    size = megabytes(allowed, up=False)
    if exceeds_machine(options):
        return f"the {size} that there are"
    return f"the {size} of --memory" if options.memory is not None else f"the {size} that may be used"


def _given(options: Options, allowed: int) -> str:
    size = megabytes(allowed, up=False)
    if options.memory is None:
        return f"{size} may be used (half of what is free, 4 GB at most)"
    if exceeds_machine(options):
        return f"there are {size} only"
    if allowed < FORGOTTEN:
        unit = "G" if allowed < 100 else "M"
        return f"--memory is {count_of(allowed, 'byte')} (did you mean {allowed}{unit}?)"
    return f"--memory is {size if allowed >= 10**6 else count_of(allowed, 'byte')}"


def _ways(grid: Grid, options: Options, columns: int, several: bool, allowed: int) -> str:
    def need(grid: Grid) -> Need:
        return Need.of(grid, options, columns, several)

    least, whole = (megabytes(need(each).peak).removesuffix(" MB") for each in (grid, replace(grid, scale=1)))
    full = f" ({whole}M for all {grid.width} × {grid.height} pixels)" if whole != least else ""
    enough = f"give --memory {least}M or more{full}"
    one_pixel = need(Grid(1, 1, color=False))
    if allowed < one_pixel.peak:
        threads = options.thread_count
        beside = f" with {count_of(threads, 'thread')}" if threads > 1 else ""
        return f"the program by itself takes {megabytes(one_pixel.program)}{beside}; {enough}"
    if grid.scale <= SCALES[-1]:
        return enough
    ways = LESS if exceeds_machine(options) else f"{LESS}, or give more (--memory)"
    if is_streamed(options.method, options.low_rank, options.sparse):
        return ways
    return f"{ways}, or use --method alt-pgcg with the terms nuclear and l1"
