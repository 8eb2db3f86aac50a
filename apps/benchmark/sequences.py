"""Sequences in CDnet's layout, held in memory: their frames, and the labels of those that are scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import click
import numpy as np
from numpy.typing import NDArray

import bgsub
from bgsub.comparison.dataset import PARTS, find_sequences, scored_region
from bgsub.comparison.dataset import Sequence as SequenceFolder
from bgsub.errors import BgsubError
from bgsub.evaluation.counts import OUTSIDE
from bgsub.evaluation.truth import read_truth

DATA = Path(__file__).resolve().parents[3] / "shared/data/sequences"
"""Local sequences, beside the checkout; they are not part of the project."""
ONE_SCENE = ("thermal/remote",)
"""Sequences whose labels begin like this show one scene, and count once in every mean."""


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """A sequence in memory.

    Attributes
    ----------
    frames
        ``(n, height, width)`` or ``(n, height, width, 3)`` uint8, RGB.
    truth
        By index of the frame, in order: CDnet's labels, ``(height, width)`` uint8, 85 outside the region. Frames
        without are not scored.
    """

    frames: NDArray[np.uint8]
    truth: dict[int, NDArray[np.uint8]]


def find(data: Path, names: Sequence[str] = ()) -> list[SequenceFolder]:
    """Return the sequences of a tree that have frames and truth: all, or those of these names or labels.

    Raises
    ------
    click.ClickException
        There are none, or none of that name.
    """
    try:
        folders = find_sequences(data)
    except BgsubError as error:
        raise click.ClickException(f"--data {data}: {error}") from None
    whole = [each for each in folders if all((each.folder / part).is_dir() for part in PARTS)]
    known = {name for each in whole for name in (each.name, each.label)}
    if unknown := [name for name in names if name not in known]:
        there = ", ".join(each.name for each in whole)
        raise click.ClickException(f"there is no sequence '{unknown[0]}' in {data}; there are {there}")
    if not whole:
        raise click.ClickException(f"--data {data}: no category/sequence with input and groundtruth in it")
    return [each for each in whole if not names or {each.name, each.label} & set(names)]


def load(folder: Path) -> Clip:
    """Read a sequence; of the truth what temporalROI.txt wants scored."""
    source = bgsub.open_source(folder / "input")
    numbers, frames = zip(*((frame.number, frame.image) for frame in source), strict=True)
    inside = scored_region(folder, source.info.width, source.info.height)
    index = {number: place for place, number in enumerate(numbers)}
    labels = {index[each.number]: each.labels() for each in read_truth(folder) if each.number in index}
    if inside is not None:
        labels = {place: np.where(inside, each, np.uint8(OUTSIDE)) for place, each in labels.items()}
    return Clip(np.stack(frames), labels)


def thinned(clip: Clip, most: int) -> Clip:
    """Return the clip with *most* scored frames at most, evenly spread."""
    every = -(-len(clip.truth) // most)
    return replace(clip, truth={place: clip.truth[place] for place in sorted(clip.truth)[::every]})


def cost(folder: Path) -> int:
    """Return the pixels of all frames: sequences that take long are to begin first."""
    info = bgsub.open_source(folder / "input").info
    return info.width * info.height * (info.frame_count or 1)


def scene_of(label: str) -> str:
    """Return the scene that a sequence shows: of most, their own."""
    return next((start for start in ONE_SCENE if label.startswith(start)), label)


def mean_of_scenes(scores: Mapping[str, float]) -> float:
    """Return the mean of scores by label, each scene counted once; NaN of none."""
    scenes: dict[str, list[float]] = {}
    for label, score in scores.items():
        scenes.setdefault(scene_of(label), []).append(score)
    return fmean(map(fmean, scenes.values())) if scenes else float("nan")
