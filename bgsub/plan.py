"""What a run will need, worked out before anything is allocated."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bgsub.choices import is_streamed
from bgsub.frames.grid import Grid
from bgsub.frames.sample import FEWEST, segment_length
from bgsub.memory import automatic_columns, fit_bytes, memory_reason, room_for
from bgsub.options import Options

BASE_BYTES = 350_000_000
"""Bytes of the interpreter, the libraries and the encoders."""
FIT_SECONDS = 1.5e-7
"""Seconds the fit takes an entry of the matrix on two ordinary processors: an estimate for people."""
DENSE_SECONDS = 4e-7
"""The same for a fit that keeps whole arrays."""
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
        Memory of the fit alone, and of the whole process at most.
    seconds
        Rough estimate of the run's duration, or None when the number of frames is not known.
    reason
        Why the columns are fewer than otherwise, and what the fit keeps in memory; empty for a fit that streams.
    """

    rows: int
    columns: int
    capacity: int
    frames: int | None
    fit_bytes: int
    peak_bytes: int
    seconds: float | None
    reason: str = ""


def make_plan(
    grid: Grid, options: Options, frames: int | None, rate: Fraction | None = None, free: int | None = None
) -> Plan:
    """Choose the number of columns and add up what the run needs.

    *frames* and *rate* (frames per second) are estimates of what is to be separated; *free* are the bytes that are
    free, those of this machine now by default.

    Raises
    ------
    OptionError
        The method keeps whole arrays, and there is no room for those of a few columns.
    """
    segment = segment_length(options.segment, rate)
    wanted = options.columns or automatic_columns(grid)
    if segment:
        wanted = min(wanted, max(segment, FEWEST))
    capacity = room_for(grid, options, wanted, free)
    most = wanted if frames is None else max(frames, FEWEST)
    columns = min(capacity, most)
    fit = fit_bytes(grid, options, columns)
    # A frame exists several times at once: read ahead, scaled, separated, drawn, in the encoders' queues.
    pixels = grid.frame_shape[0] * grid.frame_shape[1]
    flow = 3 * (40 * pixels + 12 * grid.width * grid.height)
    seconds = None
    if frames is not None:
        fits = max(1, round(frames / segment)) if segment else 1
        seconds = 2 + fits * columns * grid.rows * _fit_seconds(options) + frames * pixels * FRAME_SECONDS
    reason = memory_reason(grid, options, columns, min(wanted, most))
    return Plan(grid.rows, columns, capacity, frames, fit, BASE_BYTES + fit + flow, seconds, reason)


def _fit_seconds(options: Options) -> float:
    if is_streamed(options.method, options.low_rank, options.sparse):
        return FIT_SECONDS
    return FISTA_SECONDS if options.method == "fista" else DENSE_SECONDS
