"""How much memory a run takes, part by part: the program, the fit, and the frames on their way through."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from bgsub.choices import is_sampled, is_streamed, projects_background
from bgsub.frames.grid import Grid
from bgsub.frames.sample import FOLLOWERS
from bgsub.frames.watch import HELD
from bgsub.options import Options
from bgsub.size import megabytes
from bgsub.words import count_of

MOST_BYTES = 4_000_000_000
"""Bytes that a run may take where nothing is said and half of what is free is more."""
BASE_BYTES = 285_000_000
"""Bytes of the interpreter and the libraries, 40 MB of which only a run takes that compiles."""
MOST_COLUMNS = 100
"""More columns no longer change the masks: mean F over six sequences .912 with 75, .913 with 100, .912 with 150."""
FEWEST_COLUMNS = 24
"""With fewer, somebody who stands for a moment is in half of them."""
FEWEST_DENSE_COLUMNS = 8
"""Where whole arrays are kept, fewer are accepted before the fit is refused: the user has asked for the method."""
FIT_BYTES = 400_000_000
"""Bytes that the columns may take before their number is reduced: it depends on the picture, not on the machine."""
SAMPLED_BYTES = 2
"""Bytes an entry of a fit from coarse to fine counts when columns are chosen; it keeps one, the frames."""
SAMPLED_ROWS = 4_500
"""Rows of the sample, whose whole arrays such a fit keeps in its first phase: see :mod:`bgsub.background.sampled`."""
COARSE_BYTES = 60
"""Bytes an entry of that sample."""
STATISTICS_BYTES = 80_000
"""Bytes a column of the rows that the statistics are from: see :mod:`bgsub.background.noise`."""
MOST_DIRECTIONS = 7
"""Most directions in time that the last phase of such a fit takes."""
KEPT_COMPONENTS = 3
"""Components of a background, where their number is found: those that the whole picture feels are few."""
STREAMED_BYTES = 5
"""Bytes an entry of a streamed fit: the frames, and the foreground in float32."""
STREAMED_ROW_BYTES = 450
"""Bytes a row of the atoms that such a fit collects in thirty iterations."""
VERTEX_BYTES = 56
"""Bytes an entry where the background takes vertices: frames, nine float32 arrays, the certificate's float64 ones."""
PROJECTED_BYTES = 72
"""Bytes an entry where the background is projected, which may take a full singular value decomposition."""
SMALL = 64_000_000
"""Bytes that do not count: ``auto`` may take a method that keeps whole arrays where they are smaller."""
READER_BYTES = 30
"""Bytes a pixel of the input that a decoder, its frames and the five read ahead of it take; there are two."""
OUTPUT_BYTES = {"mask": 52, "overlay": 120, "side-by-side": 350}
"""Bytes a pixel of an output: frames that wait for it, the encoder, its ten frames of look-ahead."""
VIDEO_BYTES = 100
"""The same for the other videos."""
PICTURE_BYTES = 60
"""The same for folders of pictures. The plate is drawn when all else is done."""
THREAD_BYTES = 4_000_000
"""Bytes of a further thread: buffers of the passes, and what the allocator keeps for it."""
ENCODER_THREAD_BYTES = 2
"""Bytes a pixel that an encoder of video takes for a further thread: a frame of its own."""
KEPT_SHARE = 10
"""One part in so many of what was freed the allocator keeps, where fits alternate with frames on their way."""
KEPT_THREAD_BYTES = 20
"""Bytes a pixel that it keeps for each further thread then: every thread has a heap of its own."""
MOST_WORKERS = 4
"""Frames held against the background at a time: more wait for each other, for the decoder or for the encoders."""
WORKER_BYTES = 30
"""Bytes a pixel of each frame in work beyond the first: background, differences, masks and what is between them."""
ROWS_OF_A_THREAD = 32
"""Lines of the picture that x264 has at least for each thread."""
UNKNOWN_BYTES = 1 << 62
"""Where nothing limits the memory, or nothing says how much there is."""
CONTAINERS = (
    ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
    ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
"""Where the two versions of Linux control groups say what a container may take and takes."""


def automatic_columns(grid: Grid) -> int:
    """Return as many columns as FIT_BYTES hold in a streamed fit, within FEWEST_COLUMNS … MOST_COLUMNS."""
    return max(FEWEST_COLUMNS, min(MOST_COLUMNS, FIT_BYTES // bytes_per_column(grid, Options())))


def bytes_per_column(grid: Grid, options: Options) -> int:
    """Return the bytes that a sampled frame counts in the fit, with the frames that follow some of them."""
    sampled = is_sampled(options.method, options.low_rank, options.sparse)
    coarse = PROJECTED_BYTES * min(grid.rows, SAMPLED_ROWS) if sampled else 0
    return entry_bytes(options) * grid.rows + grid.rows // 3 + coarse


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
    """Return the most bytes that the fit on so many columns takes, the columns and their followers included.

    A fit from coarse to fine keeps one byte an entry, and either the whole arrays of a sample of the rows or, for all
    rows, pictures of as many directions as there may be; ``auto`` elsewhere what it may take in the end.
    """
    entries, followers = columns * grid.rows, min(columns, FOLLOWERS) * grid.rows
    if is_sampled(options.method, options.low_rank, options.sparse):
        coarse = columns * COARSE_BYTES * min(grid.rows, SAMPLED_ROWS)
        pairs = 2 * min(columns, FOLLOWERS) * (grid.rows // grid.channels)
        return (
            entries + followers + columns * STATISTICS_BYTES + max(coarse, pairs, _fine_bytes(grid, columns))
        )
    streamed = is_streamed(options.method, options.low_rank, options.sparse)
    kept = entries * entry_bytes(options, entries) + followers + columns * STATISTICS_BYTES
    return kept + (grid.rows * STREAMED_ROW_BYTES if streamed else 0)


def _fine_bytes(grid: Grid, columns: int) -> int:
    """Return what the last phase takes: k directions and the centre, padded to fours, twice; a step keeps 3k."""
    k = min(MOST_DIRECTIONS, columns)
    padded = 4 * -(-(k + 1) // 4)
    return grid.rows * (12 + 8 * padded + 12 * k)


def program_bytes(threads: int) -> int:
    """Return the bytes of the program itself, computing with so many threads."""
    return BASE_BYTES + THREAD_BYTES * (threads - 1)


def model_bytes(grid: Grid, options: Options) -> int:
    """Return the bytes of a background that frames are held against: offset, components twice, plate, maps."""
    rank = KEPT_COMPONENTS if options.rank is None else options.rank
    return grid.rows * (5 + 8 * rank) + 5 * grid.rows // grid.channels


def reader_bytes(grid: Grid) -> int:
    """Return the bytes of one reader of the footage, and of the frames that a change of light holds up."""
    return (READER_BYTES + HELD * (3 if grid.color else 1)) * grid.width * grid.height


def flow_bytes(grid: Grid, options: Options, threads: int) -> int:
    """Return the bytes of the frames on their way: two readers, and every output with its encoder."""
    height, width = grid.frame_shape
    # x264 takes half as many again as there are processors.
    more = min(3 * threads // 2, height // ROWS_OF_A_THREAD + 1) - 1
    pixel = 0
    for name in dict.fromkeys(options.outputs):
        if name.endswith("-png"):
            pixel += PICTURE_BYTES
        elif name != "plate":
            pixel += OUTPUT_BYTES.get(name, VIDEO_BYTES) + ENCODER_THREAD_BYTES * more
    pixel += WORKER_BYTES * (min(threads, MOST_WORKERS) - 1)
    return reader_bytes(grid) + READER_BYTES * grid.width * grid.height + pixel * height * width


def kept_bytes(grid: Grid, options: Options, columns: int, threads: int) -> int:
    """Return the bytes that the allocator does not give back, where one segment follows another.

    Blocks of a fit and of the frames lie side by side; what is freed between them is not always used again. It does not
    grow with the number of segments.
    """
    height, width = grid.frame_shape
    used = fit_bytes(grid, options, columns) + flow_bytes(grid, options, threads) + model_bytes(grid, options)
    return used // KEPT_SHARE + KEPT_THREAD_BYTES * height * width * (threads - 1)


def peak_bytes(grid: Grid, options: Options, columns: int, several: bool) -> int:
    """Return the most bytes that the process takes.

    Of one segment the fit is over when the first frame is written. Of several, one is fitted while the frames of the
    one before are still in the encoders, and its background in use.
    """
    fit, model = fit_bytes(grid, options, columns), model_bytes(grid, options)
    flow, program = flow_bytes(grid, options, threads_of(options)), program_bytes(threads_of(options))
    if several:
        return program + fit + flow + model + kept_bytes(grid, options, columns, threads_of(options))
    return program + max(fit + reader_bytes(grid), flow + model)


def threads_of(options: Options) -> int:
    """Return the threads of a run: as asked for, else the processors that it may use."""
    return options.threads or processors()


def processors() -> int:
    """Return how many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def memory_reason(grid: Grid, options: Options, columns: int, wanted: int) -> str:
    """Return what a fit on *columns* of the *wanted* ones takes, in words; empty for one that streams uncut."""
    streamed = is_streamed(options.method, options.low_rank, options.sparse)
    if streamed and columns >= wanted:
        return ""
    taken = f"{megabytes(fit_bytes(grid, options, columns))} for {count_of(columns, 'column')}"
    fewer = f", since {wanted} would need more than may be used" if columns < wanted else ""
    return f"{'' if streamed else keeps(options, columns * grid.rows) + ', '}{taken}{fewer}"


def keeps(options: Options, entries: int | None = None) -> str:
    """Return what a fit keeps of every entry, in words."""
    return (
        f"--method {options.method} with the terms {options.low_rank} and {options.sparse} keeps "
        f"{entry_bytes(options, entries)} bytes an entry"
    )


def allowed_bytes(options: Options, free: int | None = None) -> int:
    """Return the bytes a run may take: as asked for, if there are so many; else half of what is free, to MOST_BYTES."""
    if options.memory is not None:
        return min(options.memory, machine_bytes())
    return min((free_bytes() if free is None else free) // 2, MOST_BYTES)


def free_bytes() -> int:
    """Return the memory that this process may still take: of the machine, and of the container it runs in."""
    return min(_free_of_machine(), _free_of_container())


@cache
def machine_bytes() -> int:
    """Return all the memory that there is: of the machine, or of the container it runs in; it does not change."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        whole = UNKNOWN_BYTES
    for folder, limit, *_ in CONTAINERS:
        with suppress(OSError, ValueError):
            whole = min(whole, int(Path(folder, limit).read_text(encoding="ascii")))
    return whole


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
        return MOST_BYTES


def _free_of_container() -> int:
    for folder, limit, used, idle in CONTAINERS:
        try:
            taken = int(Path(folder, used).read_text(encoding="ascii")) - _files_in_memory(Path(folder), idle)
            return int(Path(folder, limit).read_text(encoding="ascii")) - taken
        except (OSError, ValueError):
            continue
    return UNKNOWN_BYTES


def _files_in_memory(folder: Path, idle: str) -> int:
    """Return the bytes of files that are kept in memory and are given up when something else needs the room."""
    words = (folder / "memory.stat").read_text(encoding="ascii").split()
    return int(words[words.index(idle) + 1])
