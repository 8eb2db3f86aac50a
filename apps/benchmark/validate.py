"""F of every sequence as it is and in five variants, beside what anybody has at hand."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmark.machine import surroundings
from benchmark.markdown import share, signed, table
from benchmark.names import SYSTEMS, VARIANT_NAMES
from benchmark.plain import PLAIN
from benchmark.processes import each
from benchmark.separated import layers, pooled
from benchmark.sequences import cost, load, mean_of_scenes, scene_of, thinned
from benchmark.variants import VARIANTS
from benchmark.worst import draw_worst
from bgsub.comparison.dataset import Sequence as SequenceFolder
from bgsub.evaluation.counts import FOREGROUND

SCHEMA = 1
FEW = 40
"""Scored frames of a sequence, where it is to be quick."""
FIRST_SIX = ("highway", "pedestrians", "traffic", "canoe", "fall", "curtain")
"""Sequences that bgsub was first measured on."""
BELOW = 0.005
"""Difference of F from which on one is said to be lower."""


@dataclass(frozen=True, slots=True)
class Job:
    """A sequence to be measured; if *quick* in few frames and as it is, with pictures if there is a folder for them."""

    sequence: SequenceFolder
    quick: bool = False
    pictures: Path | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured of a sequence.

    Attributes
    ----------
    name, scene
        Its label, and that of the scene it shows.
    frames, scored
        How many.
    f
        By system.
    variants
        F of bgsub by variant, of those in whose scored frames there is foreground.
    precision, recall
        Of bgsub.
    seconds
        That all of it took.
    """

    name: str
    scene: str
    frames: int
    scored: int
    f: dict[str, float]
    precision: float
    recall: float
    variants: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0


def validate(
    sequences: Iterable[SequenceFolder], quick: bool, pictures: Path | None, processes: int
) -> list[Row]:
    """Measure all sequences, in processes of their own, and return them in order."""
    longest_first = sorted(sequences, key=lambda sequence: -cost(sequence.folder))
    rows = each(measure, [Job(sequence, quick, pictures) for sequence in longest_first], processes)
    return sorted(rows, key=lambda row: (_name(row) not in FIRST_SIX, row.name))


def measure(job: Job) -> Row:
    """Measure one sequence."""
    began = time.perf_counter()
    clip = load(job.sequence.folder)
    if job.quick:
        clip = thinned(clip, FEW)
    wanted = ("mask",) if job.pictures is None else ("mask", "background")
    found = layers(clip, wanted)
    if job.pictures is not None:
        file = job.pictures / f"{job.sequence.label.replace('/', '-')}.png"
        draw_worst(clip, found["mask"], found["background"], file)
    counts = pooled(clip, found["mask"])
    plain = {name: pooled(clip, masks(clip)).f_measure for name, masks in PLAIN.items()}
    variants = {}
    for name, change in ({} if job.quick else VARIANTS).items():
        other = change(clip)
        # Without anything to be found there is no F: the first frames of a scene may be empty.
        if any((labels == FOREGROUND).any() for labels in other.truth.values()):
            variants[name] = pooled(other, layers(other)["mask"]).f_measure
    return Row(
        name=job.sequence.label,
        scene=scene_of(job.sequence.label),
        frames=len(clip.frames),
        scored=len(clip.truth),
        f={"bgsub": counts.f_measure, **plain},
        precision=counts.precision,
        recall=counts.recall,
        variants=variants,
        seconds=time.perf_counter() - began,
    )


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
    first = [row for row in rows if _name(row) in FIRST_SIX]
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


GROUPS = {"all": "all scenes", "first": "first six", "others": "the others"}


def _scores(row: Row) -> dict[str, float]:
    return {**row.f, **row.variants}


def _mean(rows: list[Row], key: str) -> float:
    return mean_of_scenes({row.name: _scores(row)[key] for row in rows if key in _scores(row)})


def _name(row: Row) -> str:
    return row.name.rpartition("/")[2]
