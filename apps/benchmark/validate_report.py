"""What a validation has found: means over scenes, what the variants cost, and a table of it all."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from benchmark.machine import surroundings
from benchmark.markdown import share, signed, table
from benchmark.names import SYSTEMS, VARIANT_NAMES
from benchmark.sequences import mean_of_scenes
from benchmark.validate import FIRST_SIX, Row
from benchmark.variants import VARIANTS

SCHEMA = 1
BELOW = 0.005
"""Difference of F from which on one is said to be lower."""
GROUPS = {"all": "all scenes", "first": "first six", "others": "the others"}


def report(rows: list[Row], quick: bool) -> dict[str, Any]:
    """Return everything as plain values, ready for JSON (``schema`` 1)."""
    return {
        "schema": SCHEMA,
        "surroundings": surroundings(),
        "quick": quick,
        "sequences": [asdict(row) for row in rows],
        "means": {name: means(own) for name, own in groups(rows).items()},
        "drops": drops(rows),
        "below_median": below_median(rows),
    }


def groups(rows: list[Row]) -> dict[str, list[Row]]:
    """Return the rows that means are taken of: all, the first six and the others, as far as there are any."""
    first = [row for row in rows if row.short_name in FIRST_SIX]
    others = [row for row in rows if row not in first]
    found = {"all": rows, "first": first, "others": others}
    return {name: own for name, own in found.items() if own}


def means(rows: list[Row]) -> dict[str, float]:
    """Return the mean of each column over the sequences that have it, each scene counted once."""
    return {key: _mean(rows, key) for key in columns(rows)}


def drops(rows: list[Row]) -> dict[str, float]:
    """Return by how much F of bgsub falls in each variant, in the mean over the scenes that have it."""
    variants = [key for key in columns(rows) if key in VARIANTS]
    found = {key: [row for row in rows if key in row.variants] for key in variants}
    return {key: _mean(own, "bgsub") - _mean(own, key) for key, own in found.items()}


def columns(rows: list[Row]) -> list[str]:
    """Return the keys of all systems and variants that are scored, in order."""
    there = {key for row in rows for key in _scores(row)}
    return [key for key in (*SYSTEMS, *VARIANTS) if key in there]


def below_median(rows: list[Row]) -> list[str]:
    """Return the sequences on which the plain median is better by more than BELOW."""
    return [row.name for row in rows if row.f["bgsub"] < row.f["median"] - BELOW]


def tables(rows: list[Row]) -> str:
    """Return the table in Markdown, and which sequences are below the median."""
    keys, nothing = columns(rows), float("nan")
    names = SYSTEMS | VARIANT_NAMES
    lines = [[row.name, *(share(_scores(row).get(key, nothing)) for key in keys)] for row in rows]
    for name, own in groups(rows).items():
        scenes, found = len({row.scene for row in own}), means(own)
        title = f"**mean, {GROUPS[name]} ({scenes})**"
        lines.append([title, *(share(found.get(key, nothing)) for key in keys)])
    if changes := {key: -drop for key, drop in drops(rows).items()}:
        lines.append(["**mean change**", *(signed(changes.get(key, nothing)) for key in keys)])
    worse = ", ".join(below_median(rows)) or "none"
    head = ["F", *(names[key] for key in keys)]
    return f"{table(head, lines)}\nBelow the temporal median by more than {share(BELOW)}: {worse}.\n"


def _scores(row: Row) -> dict[str, float]:
    return {**row.f, **row.variants}


def _mean(rows: list[Row], key: str) -> float:
    return mean_of_scenes({row.name: _scores(row)[key] for row in rows if key in _scores(row)})
