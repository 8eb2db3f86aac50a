"""What the three numbers of the threshold are worth: chosen on all scenes but one, and scored on that one.

What depends on the level before the masks do, the search for ghosts, stays as it is with the values in force.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from benchmark.curves import LEVELS, Curve
from benchmark.markdown import share, table
from benchmark.sequences import mean_of_scenes, scene_of
from bgsub.masks.decisions import DECIDED, Decisions
from bgsub.masks.significance import level_of

GRID: dict[str, tuple[float, ...]] = {
    "level": (5, 6, 7, 8, 9, 10, 12),
    "confidence": (0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1.0),
    "unseen": (1e-3, 3e-3, 1e-2, 3e-2),
}
"""Fields of Decisions, and what they are tried with."""

Scores = dict[str, float]
"""F by label."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A sequence, scored with numbers that its scene had no part in.

    Attributes
    ----------
    name, scene
        Its label, and that of the scene it shows.
    chosen
        The numbers.
    level, f
        The threshold, times the ordinary deviation, that they lead to, and F there.
    level_in_force, f_in_force
        The same of the values in force.
    best_level, best_f
        The best that there is.
    """

    name: str
    scene: str
    chosen: dict[str, float]
    level: float
    f: float
    level_in_force: float
    f_in_force: float
    best_level: float
    best_f: float


def left_out(curves: Sequence[Curve]) -> list[LeftOut]:
    """Choose the numbers by the other scenes, for every scene."""
    scores = {decisions: scored(curves, decisions) for decisions in candidates()}
    return [_left_out(curve, curves, scores) for curve in curves]


def candidates() -> list[Decisions]:
    """Return the values in force with the three numbers as on the grid."""
    numbers: list[dict[str, Any]] = [
        dict(zip(GRID, values, strict=True)) for values in product(*GRID.values())
    ]
    return [replace(DECIDED, **each) for each in numbers]


def scored(curves: Iterable[Curve], decisions: Decisions) -> Scores:
    """Return F of every sequence at the level that these numbers lead to."""
    return {curve.name: curve.at(level_of(curve.histogram, decisions)) for curve in curves}


def matters(curves: Sequence[Curve]) -> dict[str, dict[float, float]]:
    """Return the mean F for each value of each number, the other two being those in force."""

    def mean(**number: Any) -> float:
        return mean_of_scenes(scored(curves, replace(DECIDED, **number)))

    return {
        name: {value: mean(**{name: value}) for value in sorted({*values, getattr(DECIDED, name)})}
        for name, values in GRID.items()
    }


def report(curves: Sequence[Curve]) -> dict[str, Any]:
    """Return everything as plain values, ready for JSON (``schema`` 1)."""
    rows = left_out(curves)
    return {
        "schema": 1,
        "in_force": {name: getattr(DECIDED, name) for name in GRID},
        "sequences": [{name: getattr(row, name) for name in LeftOut.__slots__} for row in rows],
        "means": _means(rows),
        "matters": {
            name: {"f": {f"{value:g}": f for value, f in found.items()}, "range": _range(found)}
            for name, found in matters(curves).items()
        },
    }


def tables(content: dict[str, Any]) -> str:
    """Return a table of the sequences and one of the numbers, in Markdown."""
    lines = [
        [
            row["name"],
            " / ".join(f"{value:g}" for value in row["chosen"].values()),
            *(f"{row[key]:.1f}" for key in ("level", "level_in_force", "best_level")),
            *(share(row[key]) for key in ("f", "f_in_force", "best_f")),
        ]
        for row in content["sequences"]
    ]
    means = (share(content["means"][key]) for key in ("f", "f_in_force", "best_f"))
    lines.append(["**mean of scenes**", "", "", "", "", *means])
    kinds = ("left out", "in force", "best")
    head = ["", " / ".join(GRID), *(f"level, {kind}" for kind in kinds), *(f"F, {kind}" for kind in kinds)]
    numbers = [
        [
            name,
            f"{content['in_force'][name]:g}",
            ", ".join(f"{value}: {share(f)}" for value, f in found["f"].items()),
            share(found["range"]),
        ]
        for name, found in content["matters"].items()
    ]
    return f"{table(head, lines)}\n{table(['number', 'in force', 'mean F of each value', 'range'], numbers)}"


def _left_out(curve: Curve, curves: Sequence[Curve], scores: dict[Decisions, Scores]) -> LeftOut:
    others = [each.name for each in curves if scene_of(each.name) != scene_of(curve.name)]

    def elsewhere(decisions: Decisions) -> float:
        return mean_of_scenes({name: scores[decisions][name] for name in others})

    # Of a single scene nothing can be left out.
    chosen = max(scores, key=elsewhere) if others else DECIDED
    level, in_force = level_of(curve.histogram, chosen), level_of(curve.histogram, DECIDED)
    best = int(np.argmax(curve.f))
    return LeftOut(
        name=curve.name,
        scene=scene_of(curve.name),
        chosen={name: getattr(chosen, name) for name in GRID},
        level=level,
        f=curve.at(level),
        level_in_force=in_force,
        f_in_force=curve.at(in_force),
        best_level=float(LEVELS[best]),
        best_f=float(curve.f[best]),
    )


def _means(rows: Iterable[LeftOut]) -> dict[str, float]:
    found = list(rows)
    return {
        key: mean_of_scenes({row.name: getattr(row, key) for row in found})
        for key in ("f", "f_in_force", "best_f")
    }


def _range(found: dict[float, float]) -> float:
    return max(found.values()) - min(found.values())
