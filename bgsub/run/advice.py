"""Warnings about options that have no effect, or less than usual: one line each, with what to do."""

from __future__ import annotations

from bgsub.base.plural import count_of
from bgsub.base.warn import report
from bgsub.frames.grid import Grid
from bgsub.options.choices import PARAMETERS
from bgsub.options.sizes import megabytes
from bgsub.options.table import LAYERS, Options, flag
from bgsub.render.outputs import FOLDER, layer_of
from bgsub.run.budget import exceeds_machine
from bgsub.run.machine import machine_bytes

DOUBT = 0.05
"""Share of the picture from which on it is worth a warning that its background is hardly ever seen."""
DEFAULT_PAD = Options().pad
UNSOLVED = 0.5
"""Share of the starting objective: with a larger gap, a fit has hardly progressed."""


def warn_of_idle(options: Options, grid: Grid) -> None:
    """Warn of options that have no effect because of others.

    Warns
    -----
    BgsubWarning
        For parameters of terms that are not selected, for ``sensitivity`` together with ``threshold``, for
        more ``memory`` than the machine has, a
        ``background`` without a centre, and a ``min_area`` larger than the region.
    """
    if exceeds_machine(options):
        asked, there = megabytes(options.memory or 0, up=False), megabytes(machine_bytes(), up=False)
        report(f"--memory is {asked}, more than the {there} that this machine has: these are planned with")
    for line in unused(options):
        report(line)
    if options.threshold is not None and options.sensitivity != 1:
        level, divisor = f"--threshold {options.threshold:g}", f"--sensitivity {options.sensitivity:g}"
        report(
            f"{divisor} does nothing beside {level}, a fixed level that is not divided: leave one of them out"
        )
    if options.background is not None and options.centre != "median":
        report(f"--background does nothing beside --centre {options.centre}: leave one of them out")
    for line in idle_outputs(options):
        report(line)
    if (options.min_area or 0) > grid.pixels:
        there = count_of(grid.pixels, "pixel")
        report(
            f"--min-area {options.min_area} is more than the {there} that are looked at: nothing is foreground"
        )


def idle_outputs(options: Options) -> list[str]:
    """Return a line for each option about outputs that are not written."""
    videos = {name for name in LAYERS if layer_of(name).kind == "video" and not name.endswith(FOLDER)} | {
        "clips"
    }
    given = (
        ("--codec", options.codec != "h264", videos),
        ("--crf", options.crf is not None, videos),
        ("--preset", options.preset is not None, videos),
        ("--burn", options.burn is not None, {"overlay", "overlay-png"}),
        ("--pad", options.pad != DEFAULT_PAD, {"clips"}),
    )
    outputs = set(options.outputs)
    return [
        f"{name} does nothing without one of --outputs {','.join(sorted(wanted))}: leave it out"
        for name, is_given, wanted in given
        if is_given and not outputs & wanted
    ]


def warn_of_unsolved(method: str, gap: float, start: float) -> None:
    """Warn of a fit that has hardly progressed: its certified *gap* against the objective at the *start*.

    Warns
    -----
    BgsubWarning
        The gap is more than UNSOLVED of the start.
    """
    if gap > UNSOLVED * start > 0:
        report(
            f"--method {method} has not solved the fit: the optimum may be lower by {gap / start:.0%} of "
            "where it started; use --method alt-pgpg"
        )


def warn_of_doubt(confidence: float, first: int) -> None:
    """Warn of a background of which too much is hardly ever seen: of the segment that begins at frame *first*.

    Warns
    -----
    BgsubWarning
        DOUBT of the picture has a background that fewer than a fifth of the frames show.
    """
    if 1 - confidence >= DOUBT:
        report(
            f"from frame {first} on, {1 - confidence:.0%} of the picture shows its background in fewer than a fifth "
            "of the frames: what stands there may be taken for background; a picture of the empty scene "
            "(--background) would tell"
        )


def unused(options: Options) -> tuple[str, ...]:
    """Return a line for each parameter given for a term other than the selected one."""
    lines = []
    for name, (part, terms) in PARAMETERS.items():
        value, term = getattr(options, name), getattr(options, part)
        if value is not None and term not in terms:
            lines.append(
                f"{flag(name)} {value:.6g} is not used: {flag(part)} is {term}, and it belongs to {_either(terms)}"
            )
    return tuple(lines)


def _either(terms: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(terms[:-1]), terms[-1])))
