"""Options that do nothing, or less than elsewhere, where they are given: one line each, and what to do."""

from __future__ import annotations

from bgsub.frames.colour import is_gray
from bgsub.frames.grid import Grid
from bgsub.frames.report import report
from bgsub.frames.source import Image
from bgsub.memory import machine_bytes
from bgsub.options import Options
from bgsub.shortage import exceeds_machine
from bgsub.size import megabytes
from bgsub.words import count_of

GRAY = 1
"""Grey levels by which the channels of a gray picture in colour's format differ at most: rounding."""
BY_TEXTURE = "knows a shadow by the ground's texture alone, so that one on smooth ground stays foreground"
"""What is left of :mod:`bgsub.masks.shadow` without colour; on ground with texture it is all that is needed."""


def warn_of_idle(options: Options, grid: Grid) -> None:
    """Warn of options that the others, or gray pictures, leave without effect.

    Warns
    -----
    BgsubWarning
        For ``sensitivity`` beside ``threshold``, for ``shadows`` without colour, which do less, for more ``memory``
        than there is, and for a ``min_area`` that nothing can have.
    """
    if exceeds_machine(options):
        asked, there = megabytes(options.memory or 0, up=False), megabytes(machine_bytes(), up=False)
        report(f"--memory is {asked}, more than the {there} that this machine has: these are planned with")
    if options.threshold is not None and options.sensitivity != 1:
        level, divisor = f"--threshold {options.threshold:g}", f"--sensitivity {options.sensitivity:g}"
        report(
            f"{divisor} does nothing beside {level}, a fixed level that is not divided: leave one of them out"
        )
    if (options.min_area or 0) > grid.pixels:
        there = count_of(grid.pixels, "pixel")
        report(
            f"--min-area {options.min_area} is more than the {there} that are looked at: nothing is foreground"
        )
    if options.shadows != "keep" and not grid.color:
        report(_shadows_without_colour(options))


def warn_of_gray(options: Options, grid: Grid, plate: Image) -> None:
    """Warn of ``shadows`` where pictures in colour's format are gray, as their background *plate* tells.

    Warns
    -----
    BgsubWarning
        It shows no colour (:func:`bgsub.frames.colour.is_gray`).
    """
    if options.shadows != "keep" and grid.color and is_gray(plate):
        report(_shadows_without_colour(options))


def _shadows_without_colour(options: Options) -> str:
    asked = f"--shadows {options.shadows}"
    if options.gray:
        return f"{asked} with --gray {BY_TEXTURE}: leave --gray out to have that one recognised, too"
    return f"{asked} in gray footage {BY_TEXTURE}: look at the masks there, or use footage in colour"
