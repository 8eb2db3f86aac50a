"""What every number that decides about ground and masks is worth: each made smaller and larger, on every scene.

A module called numbers would hide the standard library's from the scripts beside it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

import bgsub
from benchmark.curves import f_of_few
from benchmark.markdown import share, table
from benchmark.processes import each
from benchmark.separated import MEMORY
from benchmark.sequences import Clip, cost, load, mean_of_scenes, scene_of, thinned
from bgsub.comparison.dataset import Sequence as SequenceFolder
from bgsub.errors import BgsubWarning
from bgsub.masks.decisions import DECIDED

FEW = 12
"""Scored frames of a sequence."""
FACTORS = (0.7, 1.4)
IN_FORCE = ""
"""The change that is none."""
MATTERS = 0.003
"""Difference in the mean F that a number is kept for."""
ON_A_SCENE = 0.03
"""The same on one scene."""

Change = tuple[str, float]
"""A field of Decisions, and its value."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A sequence with every change: F by the change."""

    name: str
    f: dict[Change, float]


def changes() -> list[Change]:
    """Return each number of Decisions, FACTORS times what it is; first of all, none."""
    found: list[Change] = [(IN_FORCE, 0.0)]
    for item in fields(DECIDED):
        value = getattr(DECIDED, item.name)
        if isinstance(value, float):
            found += [(item.name, value * factor) for factor in FACTORS]
        elif isinstance(value, int):
            # The largest change below and the least above are one at least.
            low, high = (round(value * factor) for factor in FACTORS)
            found += [(item.name, max(1, min(low, value - 1))), (item.name, max(high, value + 1))]
    return found


@contextmanager
def in_force(change: Change) -> Iterator[None]:
    """Put one number in force for a while, in this process."""
    name, value = change
    usual = getattr(DECIDED, name) if name else None
    try:
        if name:
            object.__setattr__(DECIDED, name, value)
        yield
    finally:
        if name:
            object.__setattr__(DECIDED, name, usual)


def score(sequences: Iterable[SequenceFolder], processes: int) -> list[Scored]:
    """Score all sequences with every change, in processes of their own."""
    longest_first = sorted(sequences, key=lambda sequence: -cost(sequence.folder))
    return sorted(each(scored, longest_first, processes), key=lambda found: found.name)


def scored(sequence: SequenceFolder) -> Scored:
    """Fit and score a sequence with every change."""
    clip = thinned(load(sequence.folder), FEW)
    return Scored(sequence.label, {change: _f_measure(clip, change) for change in changes()})


def _f_measure(clip: Clip, change: Change) -> float:
    with in_force(change), warnings.catch_warnings():
        warnings.simplefilter("ignore", BgsubWarning)
        return f_of_few(bgsub.fit(clip.frames, bgsub.Options(threads=1, memory=MEMORY)), clip)


def report(rows: Sequence[Scored]) -> dict[str, Any]:
    """Return everything as plain values, ready for JSON (``schema`` 1)."""
    none = (IN_FORCE, 0.0)
    usual = {row.name: row.f[none] for row in rows}
    numbers = []
    for change in changes()[1:]:
        found = {row.name: row.f[change] for row in rows}
        numbers.append(
            {
                "number": change[0],
                "in_force": getattr(DECIDED, change[0]),
                "value": change[1],
                "mean": mean_of_scenes(found),
                "f": found,
            }
        )
    chosen = {row.name: _elsewhere_best(row, rows) for row in rows}
    return {
        "schema": 1,
        "mean": mean_of_scenes(usual),
        "f": usual,
        "numbers": numbers,
        "left_out": {
            "mean": mean_of_scenes({row.name: row.f[chosen[row.name]] for row in rows}),
            "chosen": {name: list(change) for name, change in chosen.items()},
        },
    }


def _elsewhere_best(row: Scored, rows: Sequence[Scored]) -> Change:
    """Return the one change that is best on the other scenes."""
    others = [other for other in rows if scene_of(other.name) != scene_of(row.name)]
    if not others:
        return IN_FORCE, 0.0
    return max(row.f, key=lambda change: mean_of_scenes({other.name: other.f[change] for other in others}))


def tables(content: Mapping[str, Any]) -> str:
    """Return a line for each change in Markdown, the means, and the numbers that do not matter."""
    lines, matter = [], set()
    for found in content["numbers"]:
        apart = {name: f - content["f"][name] for name, f in found["f"].items()}
        worst, best = min(apart, key=apart.__getitem__), max(apart, key=apart.__getitem__)
        mean = found["mean"] - content["mean"]
        if abs(mean) >= MATTERS or max(apart[best], -apart[worst]) >= ON_A_SCENE:
            matter.add(found["number"])
        ends = (f"{name} {apart[name]:+.3f}" for name in (worst, best))
        lines.append(
            [found["number"], f"{found['in_force']:g}", f"{found['value']:.3g}", f"{mean:+.4f}", *ends]
        )
    idle = sorted({found["number"] for found in content["numbers"]} - matter)
    head = ["number", "in force", "instead", "mean F", "most lost", "most gained"]
    return (
        f"{table(head, lines)}\n"
        f"Mean F of the values in force {share(content['mean'])}; of the one change that is best on the other scenes, "
        f"each scene left out: {share(content['left_out']['mean'])}.\n"
        f"Neither {MATTERS:g} on the mean nor {ON_A_SCENE:g} on a scene: {', '.join(idle) or 'none'}.\n"
    )
