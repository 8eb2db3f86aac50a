"""How many bytes a fit and a background take, from the size of the picture alone; and how many columns that allows."""

from __future__ import annotations

from bgsub.background.scene import noise
from bgsub.background.split import coarse_to_fine
from bgsub.base.plural import count_of
from bgsub.frames.grid import Grid
from bgsub.frames.sample import FOLLOWERS
from bgsub.options.choices import is_sampled, is_streamed, projects_background
from bgsub.options.sizes import megabytes
from bgsub.options.table import Options

MOST_COLUMNS = 50
"""More columns no longer change the masks: mean F over nineteen sequences .852 with 50, .850 with 75 and with 100."""
FEWEST_COLUMNS = 24
"""With fewer, somebody who stands for a moment is in half of them."""
FEWEST_DENSE_COLUMNS = 8
"""Where whole arrays are kept, fewer are accepted before the fit is refused: the user has asked for the method."""
FIT_BYTES = 400_000_000
"""Bytes that the columns may take before their number is reduced: it depends on the picture, not on the machine."""
SAMPLED_BYTES = 2
"""Bytes an entry of a fit from coarse to fine counts when columns are chosen; it keeps one, the frames."""
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


def automatic_columns(grid: Grid) -> int:
    """Return as many columns as FIT_BYTES hold in a streamed fit, within FEWEST_COLUMNS … MOST_COLUMNS."""
    return max(FEWEST_COLUMNS, min(MOST_COLUMNS, FIT_BYTES // bytes_per_column(grid, Options())))


def bytes_per_column(grid: Grid, options: Options) -> int:
    """Return the bytes that a sampled frame counts in the fit, with the frames that follow some of them."""
    sampled = is_sampled(options.method, options.low_rank, options.sparse)
    coarse = PROJECTED_BYTES * min(grid.rows, coarse_to_fine.ROWS) if sampled else 0
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
    statistics = noise.nbytes(columns)
    if is_sampled(options.method, options.low_rank, options.sparse):
        pairs = 2 * min(columns, FOLLOWERS) * (grid.rows // grid.channels)
        return entries + followers + statistics + max(pairs, coarse_to_fine.nbytes(grid.rows, columns))
    streamed = is_streamed(options.method, options.low_rank, options.sparse)
    kept = entries * entry_bytes(options, entries) + followers + statistics
    return kept + (grid.rows * STREAMED_ROW_BYTES if streamed else 0)


def model_bytes(grid: Grid, rank: int | None = None) -> int:
    """Return the bytes of a background that frames are held against: offset, components twice, plate, maps."""
    rank = KEPT_COMPONENTS if rank is None else rank
    return grid.rows * (5 + 8 * rank) + 5 * grid.rows // grid.channels


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
