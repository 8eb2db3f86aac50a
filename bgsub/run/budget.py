"""What a run will need, added up from what its parts answer before anything is allocated; and how it is made to fit."""

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

MOST_BYTES = 4_000_000_000
"""Bytes that a run may take where nothing is said and half of what is free is more."""
PROGRAM_BYTES = 350_000_000
"""Bytes of the interpreter and the libraries, 100 MB of which only a run takes that compiles."""
THREAD_BYTES = 4_000_000
"""Bytes of a further thread: buffers of the passes, and what the allocator keeps for it."""
KEPT_BYTES, KEPT_SHARE = 40_000_000, 10
"""Of what was freed the allocator keeps so many bytes and one part in so many, where fits alternate with frames."""
KEPT_THREAD_BYTES = 20
"""Bytes a pixel that it keeps for each further thread then: every thread has a heap of its own."""
MOST_WORKERS = 4
"""Frames held against the background at a time: more wait for each other, for the decoder or for the encoders."""
WORKER_BYTES = 30
"""Bytes a pixel of each frame in work beyond the first: background, differences, masks and what is between them."""
SCALES = tuple(percent / 100 for percent in range(95, 5, -5))
"""Scales that are tried, in this order, where the picture does not fit into the memory."""
LESS = "look at less (--scale, --gray, --roi), write less (--outputs)"
FORGOTTEN = 100_000
"""A number of bytes below this is no memory of any program: somebody has left out the M, or of a small one the G."""
FIT_SECONDS = 1.5e-7
"""Seconds the fit takes an entry of the matrix on two ordinary processors: an estimate for people."""
DENSE_SECONDS = 4e-7
"""The same for a fit that keeps whole arrays, or takes up to thirty iterations."""
FISTA_SECONDS = 5e-6
"""The same for FISTA, which decomposes the whole matrix in every iteration."""
FRAME_SECONDS = 4.0e-8
"""Seconds a frame takes a pixel to be read twice, judged and written to five files: an estimate for people."""


@dataclass(frozen=True, slots=True)
class Need:
    """Bytes that a run takes, part by part.

    Attributes
    ----------
    program, fit, model
        The program itself, a fit on so many columns, and a background that frames are held against.
    reader, flow
        The reader of the footage that a fit waits for; and all that frames on their way are in: two readers, the frames
        in work, and every output with its encoder.
    kept
        What the allocator does not give back where one segment follows another; 0 for one segment.
    """

    program: int
    fit: int
    model: int
    reader: int
    flow: int
    kept: int

    @classmethod
    def of(cls, grid: Grid, options: Options, columns: int, several: bool) -> Need:
        """Add up what the parts answer; *several* segments are fitted one while the other is written."""
        (height, width), threads = grid.frame_shape, options.thread_count
        fit, model = fit_bytes(grid, options, columns), model_bytes(grid, options.rank)
        reader = reading.nbytes(grid, HELD)
        flow = reader + reading.nbytes(grid) + outputs.nbytes(options.outputs, (height, width), threads)
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
        """The most that the process takes, layers that are kept in memory apart.

        Of one segment the fit is over when the first frame is written. Of several, one is fitted while the frames of
        the one before are still in the encoders, and its background in use.
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
        Of the matrix a segment is fitted on: pixels × channels, frames.
    capacity
        Frames to make room for: more than *columns* where a segment is expected to be shorter than that, because a
        claimed length may be wrong. Room that is not filled takes no memory.
    need
        Memory of a run on *columns*.
    allowed
        Bytes that the process may take.
    seconds
        Rough estimate of the run's duration, or None when the number of frames is not known.
    reason
        Why the columns are fewer than otherwise, and what the fit keeps in memory; empty for a fit that streams.
    several
        Whether the frames of one segment are on their way while the next one is fitted.
    cuts
        Whether there is room to end a segment where the light or the view changes.
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
            limit = _limit(options, allowed_bytes(options, free))
            return trial, f"memory: {changed}, since it would otherwise take more than {limit}"
    # Nothing fits, so this says how much would be needed.
    make_plan(smaller, trial, frames, rate, free, strict=True)
    raise AssertionError("a plan that does not fit is refused")


def allowed_bytes(options: Options, free: int | None = None) -> int:
    """Return the bytes a run may take: as asked for, if there are so many; else half of what is free, to MOST_BYTES."""
    if options.memory is not None:
        return min(options.memory, machine_bytes())
    return min((free_bytes() if free is None else free) // 2, MOST_BYTES)


def exceeds_machine(options: Options) -> bool:
    """Tell whether more is allowed than there is."""
    return options.memory is not None and options.memory > machine_bytes()


def workers(options: Options) -> int:
    """Return how many frames are held against the background at a time."""
    return min(options.thread_count, MOST_WORKERS)


def _smaller(grid: Grid, options: Options, scale_is_asked: bool) -> Iterator[tuple[Options, str]]:
    """Yield options that need less and less, each with what has changed."""
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
    """Return the most columns with which the process stays within the bytes of *limit*, by bisection."""
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
    """Return what even so few columns need, of which only *allowed* bytes are there, and what to do."""
    height, width = grid.frame_shape
    streamed = is_streamed(options.method, options.low_rank, options.sparse)
    entry = "" if streamed else f"{keeps(options)}; "
    need = f"{megabytes(Need.of(grid, options, columns, several).peak)} ({count_of(columns, 'column')})"
    needs = f"{entry}{width} × {height} pixels need at least {need}"
    return f"{needs}, but {_given(options, allowed)}: {_ways(grid, options, columns, several, allowed)}"


def _limit(options: Options, allowed: int) -> str:
    """Return what a run may take, and why no more."""
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
