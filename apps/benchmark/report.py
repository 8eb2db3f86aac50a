"""The report in Markdown: the ratios beside what is required, then everything that was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from benchmark.machine import surroundings
from benchmark.names import RATIOS, STAGES, SYSTEMS
from benchmark.objective import SAME, TOLERANCE
from benchmark.ratios import Held
from benchmark.subtractors import THRESHOLD

Row = dict[str, Any]

OBJECTIVES = f"""\
Gray. bgsub takes its own radii and stops as it does by default, its certificate counted. The others solve principal
component pursuit; they are looked at off the clock after every iteration: when ½‖X+Y−M‖² is at most bgsub's for the
first time ("objective alone": what the required ratios are of), when F is within {SAME:g} of bgsub's for the first time
("F alone"), and when both hold ("s", and all that follows it). tensorly cannot be looked at: "s" is when its own two
residuals are at most √(2·bgsub's objective). F is that of |M − X| > {THRESHOLD}, cleaned. `>` marks a run stopped at
the limit. A small objective is no good split yet: it may be that of an iterate with all of the video in Y, F = 0.
"""
ENDS = f"The inexact ALM to its own end, ‖X+Y−M‖_F ≤ {TOLERANCE:g} ‖M‖_F:"


def report(about: Row, rows: list[Row], found: Sequence[Held]) -> str:
    """Return the report; *about* is the plan, as JSON holds it."""
    parts = [_head(about), _ratios(found), _masks(rows), _objectives(rows), _ends(rows)]
    return "\n".join(part for part in parts if part)


def _head(about: Row) -> str:
    known = surroundings()
    machine = known.pop("machine")
    versions = ", ".join(f"{name} {version}" for name, version in known.items())
    lines = [
        "# Speed\n",
        f"- Machine: {machine}; threads of every system: {about['threads']}.",
        f"- Versions: {versions}.",
        f"- Every measurement in a process of its own, warm; the fastest of {about['rounds']}, systems taking turns.",
    ]
    if about["missing"]:
        lines.append(f"- Not installed, so left out: {', '.join(about['missing'])}.")
    return "\n".join(lines) + "\n"


def _ratios(found: Sequence[Held]) -> str:
    rows = [
        (
            RATIOS[item.name],
            item.place.replace("x", "×"),
            f"{'≥ ' if item.at_least else ''}{item.value:.3g}",
            "–" if item.required is None else f"{'≤' if item.is_most else '≥'} {item.required:g}",
            item.verdict,
        )
        for item in found
    ]
    return "## Ratios\n\n" + _table(("ratio", "at", "measured", "required", "kept"), "llrrl", rows)


def _masks(rows: list[Row]) -> str:
    cells = [
        (
            SYSTEMS[row["system"]],
            STAGES[row["stage"]],
            f"{row['width']}×{row['height']}",
            f"{row['frames']}",
            f"{row['frames_per_s']:.1f}",
            f"{row['peak_mb']:.0f}",
            _number(row.get("f"), ".3f"),
        )
        for row in rows
        if row["stage"] in STAGES
    ]
    head = ("system", "stage", "size", "frames", "frames/s", "peak, MB", "F")
    text = (
        "Colour. Masks are cleaned alike: 5 × 5 median, small holes and objects. Without codecs but for the whole "
        "program, which is timed from start to exit.\n\n"
    )
    return "## Masks\n\n" + text + _table(head, "lllrrrr", cells)


def _objectives(rows: list[Row]) -> str:
    cells = [
        (
            SYSTEMS[row["system"]],
            f"{row['width'] * row['height']:,} × {row['frames']}",
            f"{'> ' if row['at_least'] else ''}{row['seconds']:.2f}",
            _number(row.get("seconds_to_objective"), ".2f"),
            _number(row.get("seconds_to_f"), ".2f"),
            _number(row["iterations"], "d"),
            _number(row["objective"], ".3g"),
            _number(row["rank"], "d"),
            _number(row["f"], ".3f"),
            f"{row['frames_per_s']:.1f}",
            f"{row['peak_mb']:.0f}",
        )
        for row in rows
        if row["stage"] == "objective"
    ]
    head = (
        "system",
        "pixels × frames",
        "s",
        "s, objective alone",
        "s, F alone",
        "iterations",
        "½‖X+Y−M‖²",
        "rank of X",
        "F",
    )
    return f"## Seconds to the same objective\n\n{OBJECTIVES}\n" + _table(
        (*head, "frames/s", "peak, MB"), "llrrrrrrrrr", cells
    )


def _ends(rows: list[Row]) -> str:
    """Say how long the inexact ALM takes to its own end, where it got there."""
    ours = {
        _clip(row): row["seconds"] for row in rows if row["stage"] == "objective" and row["system"] == "bgsub"
    }
    lines = [
        f"- {row['width'] * row['height']:,} × {row['frames']}: {row['seconds_to_end']:.2f} s, "
        f"{len(row['trace'])} iterations, {row['seconds_to_end'] / ours[_clip(row)]:.1f} × bgsub's seconds"
        for row in rows
        if row["stage"] == "objective" and row["system"] == "alm" and row["seconds_to_end"] is not None
    ]
    return f"{ENDS}\n\n" + "\n".join(lines) + "\n" if lines else ""


def _clip(row: Row) -> tuple[int, int, int]:
    return row["width"], row["height"], row["frames"]


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _table(head: Sequence[str], sides: str, rows: Iterable[Sequence[str]]) -> str:
    rules = ["---:" if side == "r" else "---" for side in sides]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, rules, *rows))
