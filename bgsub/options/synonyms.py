"""What other programs call the things that are options here."""

from __future__ import annotations

from collections.abc import Container, Iterable

from bgsub.errors import nearest

_CALLED = {
    "--output": (
        "--out",
        "--out-dir",
        "--outdir",
        "--output-dir",
        "--output-folder",
        "--dest",
        "--destination",
    ),
    "--outputs": (
        "--format",
        "--formats",
        "--out-format",
        "--output-format",
        "--write",
        "--export",
        "--layers",
    ),
    "--threads": ("--jobs", "-j", "--workers", "--cpus", "--cores", "--num-threads", "--n-jobs"),
    "--fps": ("--framerate", "--frame-rate", "-r"),
    "--scale": ("--resize", "--downscale", "--downsample", "--resolution", "--size", "--shrink"),
    "--roi": ("--region", "--regions", "--crop", "--mask", "--area", "--include"),
    "--exclude": ("--ignore", "--exclude-region", "--ignore-region", "--hide"),
    "--zone": ("--zones", "--line", "--counting-zone"),
    "--start": ("--from", "--begin", "--start-time", "--ss", "-ss"),
    "--end": ("--to", "--until", "--stop", "--end-time"),
    "--duration": ("--length", "-t", "--time"),
    "--every": ("--skip", "--step", "--stride", "--frame-skip", "--skip-frames"),
    "--min-event": ("--min-event-length", "--min-event-duration", "--min-duration"),
    "--merge-gap": ("--gap", "--max-gap"),
    "--pad": ("--padding", "--time-before-event", "--time-post-event"),
    "--min-area": ("--min-size", "--min-object-size", "--minimum-area"),
    "--gray": ("--grey", "--grayscale", "--greyscale", "--mono"),
    "--background": ("--reference", "--empty", "--plate"),
    "--stabilise": ("--stabilize", "--stabilization", "--stab"),
    "--deinterlace": ("--yadif", "--interlaced"),
    "--rotate": ("--rotation", "--turn"),
    "--memory": ("--ram", "--max-memory", "--mem"),
    "--columns": ("--samples", "--history"),
    "--seed": ("--random-seed", "--random-state"),
    "--quiet": ("--silent",),
    "--verbose": ("--debug-info", "--loud"),
    "--config": ("--configuration", "--settings", "-c"),
    "--dry-run": ("-n", "--simulate", "--plan"),
    "--model": ("--load-model", "--background-model"),
    "--save-model": ("--model-out", "--output-model", "--write-model"),
}
"""By what they are called here. The first that a command has is meant."""
HERE = {word: name for name, words in _CALLED.items() for word in words}


def meant(word: str, known: Iterable[str]) -> str:
    """Return what to say of an unknown option *word*: what it is called here, or the nearest of the *known* names.

    Names have their dashes, or neither has; empty if nothing is near.

    Examples
    --------
    >>> meant("--crop", ["--roi", "--scale"])
    "; did you mean '--roi'?"
    """
    names = list(known)
    return _synonym(word, names) or nearest(word, names)


def _synonym(word: str, names: Container[str]) -> str:
    dashed = word if word.startswith("-") else f"--{word}"
    name = HERE.get(dashed.replace("_", "-"), "")
    name = name if word.startswith("-") else name[2:]
    return f"; did you mean '{name}'?" if name and name in names else ""
