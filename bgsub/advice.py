"""Options that do nothing, or next to nothing, where they are given: one line each, and what to do."""

from __future__ import annotations

import numpy as np

from bgsub.frames.grid import Grid
from bgsub.frames.report import report
from bgsub.frames.source import Image
from bgsub.options import Options

GRAY = 1
"""Grey levels by which the channels of a gray picture in colour's format differ at most: rounding."""
ALIKE = "since without colour a shadow looks like any dark thing"


def warn_of_idle(options: Options, grid: Grid) -> None:
    """Warn of options that the others, or gray pictures, leave without effect.

    Warns
    -----
    BgsubWarning
        For ``sensitivity`` beside ``threshold``, and for ``shadows`` without colour.
    """
    if options.threshold is not None and options.sensitivity != 1:
        level, divisor = f"--threshold {options.threshold:g}", f"--sensitivity {options.sensitivity:g}"
        report(
            f"{divisor} does nothing beside {level}, a fixed level that is not divided: leave one of them out"
        )
    if options.shadows != "keep" and not grid.color:
        report(_idle_shadows(options))


def warn_of_gray(options: Options, grid: Grid, plate: Image) -> None:
    """Warn of ``shadows`` where pictures in colour's format show none, as their background *plate* tells.

    Warns
    -----
    BgsubWarning
        No two channels of a pixel differ by more than GRAY.
    """
    if options.shadows == "keep" or not grid.color:
        return
    if int(np.max(plate.max(axis=2) - plate.min(axis=2))) <= GRAY:
        report(_idle_shadows(options))


def _idle_shadows(options: Options) -> str:
    asked = f"--shadows {options.shadows} finds next to nothing"
    if options.gray:
        return f"{asked} with --gray, {ALIKE}: leave one of them out"
    return f"{asked} in gray footage, {ALIKE}: leave it out, or use footage in colour"
