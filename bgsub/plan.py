"""What a run will need, worked out before anything is allocated."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bgsub.frames.grid import Grid
from bgsub.frames.sample import FEWEST, segment_length
from bgsub.options import Options

MOST_COLUMNS = 150
"""More columns no longer change the background (150 of 500 frames give the same masks as all)."""
FEWEST_COLUMNS = 24
"""With fewer, somebody who stands for a moment is in half of them."""
FIT_BYTES = 400_000_000
"""Bytes that the fit may take before the number of columns is reduced."""
BASE_BYTES = 350_000_000
"""Bytes of the interpreter, the libraries and the encoders."""
FIT_SECONDS = 1.5e-7
"""Seconds the fit takes an entry of the matrix on two ordinary processors: an estimate for people."""
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
    """

    rows: int
    columns: int
    capacity: int
    frames: int | None
    fit_bytes: int
    peak_bytes: int
    seconds: float | None


def bytes_per_column(grid: Grid) -> int:
    """Return the bytes a sampled frame takes in the fit: uint8 rows, float32 foreground, uint8 differences."""
    return 5 * grid.rows + grid.rows // grid.channels


def make_plan(grid: Grid, options: Options, frames: int | None, rate: Fraction | None = None) -> Plan:
    """Choose the number of columns and add up what the run needs.

    *frames* and *rate* (frames per second) are estimates of what is to be separated.
    """
    segment = segment_length(options.segment, rate)
    capacity = options.columns or automatic_columns(grid)
    if segment:
        capacity = min(capacity, max(segment, FEWEST))
    columns = min(capacity, max(frames, FEWEST)) if frames is not None else capacity
    fit = columns * bytes_per_column(grid)
    # A frame exists several times at once: read ahead, scaled, separated, drawn, in the encoders' queues.
    pixels = grid.frame_shape[0] * grid.frame_shape[1]
    flow = 3 * (40 * pixels + 12 * grid.width * grid.height)
    seconds = None
    if frames is not None:
        fits = max(1, round(frames / segment)) if segment else 1
        seconds = 2 + fits * columns * grid.rows * FIT_SECONDS + frames * pixels * FRAME_SECONDS
    return Plan(grid.rows, columns, capacity, frames, fit, BASE_BYTES + fit + flow, seconds)


def automatic_columns(grid: Grid) -> int:
    """Return as many columns as FIT_BYTES hold, within FEWEST_COLUMNS … MOST_COLUMNS."""
    return max(FEWEST_COLUMNS, min(MOST_COLUMNS, FIT_BYTES // bytes_per_column(grid)))
