"""A long video in pieces, each with a background of its own, so that memory does not grow with its length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bgsub.background.model import BackgroundModel
from bgsub.errors import TooFewFrames
from bgsub.frames.grid import Grid
from bgsub.frames.sample import FEWEST, Sample
from bgsub.frames.source import Image
from bgsub.options.table import Options

TAIL = 0.25
"""A last piece shorter than this share of the one before it is too short to see behind what stands in it."""


def fit_segments(
    samples: Iterable[Sample],
    grid: Grid,
    options: Options,
    name: str,
    on_iteration: Callable[[], None] | None = None,
    given: Image | None = None,
) -> Iterator[tuple[BackgroundModel, int]]:
    """Yield a fitted background and the number of frames it is for, one segment at a time.

    A short tail keeps the background of the segment before it; but not across a change point, however short it is: a
    background of few frames is better than one of another light. Only fewer than FEWEST frames keep even that one.
    *given* is the region of a picture of the empty scene, for all segments.

    Raises
    ------
    TooFewFrames
        When there are fewer than FEWEST frames in all.
    """
    model: BackgroundModel | None = None
    longest = 0
    changed = False
    for sample in samples:
        if model is None and sample.frames < FEWEST:
            raise TooFewFrames(too_few(name, sample.frames, options))
        changed = changed or sample.after_change
        longest = 0 if changed else longest
        if model is None or sample.frames >= max(TAIL * longest, FEWEST):
            model = BackgroundModel.fit(sample, grid, options, on_iteration, given)
            changed = False
        frames = sample.frames
        longest = max(longest, frames)
        # Not needed while the segment is separated.
        del sample
        yield model, frames
    if model is None:
        raise TooFewFrames(too_few(name, 0, options))


def too_few(name: str, frames: int, options: Options | None = None) -> str:
    """Say how many frames there are (within what *options* choose), and how many it takes."""
    options = options or Options()
    chosen = [
        f"--start {options.start}" if options.start else "",
        f"--end {options.end}" if options.end else "",
        f"--duration {options.duration}" if options.duration else "",
    ]
    chosen += [f"--every {options.every}" if options.every > 1 else ""]
    of_these = " and ".join(filter(None, chosen))
    have = "no frame" if frames == 0 else f"only {frames} frame{'s' * (frames > 1)}"
    within = f" with {of_these}" * bool(of_these)
    return f"{name}: {have}{within}, but at least {FEWEST} are needed to tell what moves"
