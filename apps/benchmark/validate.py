"""F of every sequence as it is and in five variants, beside what anybody has at hand."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from benchmark.plain import PLAIN
from benchmark.processes import each
from benchmark.separated import layers, pooled
from benchmark.sequences import cost, load, scene_of, thinned
from benchmark.variants import VARIANTS
from benchmark.worst import draw_worst
from bgsub.comparison.dataset import Sequence as SequenceFolder
from bgsub.evaluation.counts import FOREGROUND

FEW = 40
"""Scored frames of a sequence, where it is to be quick."""
FIRST_SIX = ("highway", "pedestrians", "traffic", "canoe", "fall", "curtain")
"""Sequences that bgsub was first measured on."""


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

    @property
    def short_name(self) -> str:
        """The name without the category."""
        return self.name.rpartition("/")[2]


def validate(
    sequences: Iterable[SequenceFolder], quick: bool, pictures: Path | None, processes: int
) -> list[Row]:
    """Measure all sequences, in processes of their own, and return them in order."""
    longest_first = sorted(sequences, key=lambda sequence: -cost(sequence.folder))
    rows = each(measure, [Job(sequence, quick, pictures) for sequence in longest_first], processes)
    return sorted(rows, key=lambda row: (row.short_name not in FIRST_SIX, row.name))


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
