"""F of a sequence at every level of the threshold, and what the level is chosen by."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bgsub
from benchmark.processes import each
from benchmark.replaced import replaced
from benchmark.separated import MEMORY, pooled
from benchmark.sequences import Clip, cost, load, thinned
from bgsub.comparison.dataset import Sequence
from bgsub.masks.decisions import DECIDED

LEVELS = np.geomspace(*DECIDED.range, 24)
"""Times the ordinary deviation."""
FEW = 40
"""Scored frames of a sequence."""
BINS = 256


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A sequence whose background has been fitted once.

    Attributes
    ----------
    name
        Its label.
    histogram
        ``(256,)``: how many pixels of the frames looked at have each log significance.
    f
        ``(24,)``: F at each of LEVELS.
    """

    name: str
    histogram: NDArray[np.float64]
    f: NDArray[np.float64]

    def at(self, level: float) -> float:
        """Return F at a level, from the two nearest."""
        return float(np.interp(np.log(level), np.log(LEVELS), self.f))


def curves(sequences: Iterable[Sequence], processes: int) -> list[Curve]:
    """Fit and score all sequences, in processes of their own."""
    longest_first = sorted(sequences, key=lambda sequence: -cost(sequence.folder))
    return sorted(each(curve, longest_first, processes), key=lambda found: found.name)


def curve(sequence: Sequence) -> Curve:
    """Fit the background of a sequence, and score its masks at every level."""
    clip = thinned(load(sequence.folder), FEW)
    seen: list[NDArray[np.float64]] = []
    with replaced("bgsub.background.scene.judged", "stable_level", lambda usual: _noting(usual, seen)):
        model = bgsub.fit(clip.frames, bgsub.Options(threads=1, memory=MEMORY))
    f = [f_of_few(replace(model, level=float(level)), clip) for level in LEVELS]
    # The last: those before it are of the search for ghosts.
    return Curve(sequence.label, seen[-1], np.array(f))


def _noting(usual: Callable[..., float], seen: list[NDArray[np.float64]]) -> Callable[..., float]:
    def stable_level(
        significances: Iterable[NDArray[np.uint8]], inside: NDArray[np.bool_] | None = None
    ) -> float:
        histogram = np.zeros(BINS)

        def counted() -> Iterable[NDArray[np.uint8]]:
            for picture in significances:
                values = picture if inside is None else picture[inside]
                histogram[:] += np.bincount(values.reshape(-1), minlength=BINS)
                yield picture

        level = usual(counted(), inside)
        seen.append(histogram)
        return level

    return stable_level


def f_of_few(model: bgsub.BackgroundModel, clip: Clip) -> float:
    """Return F, each frame being judged by itself."""
    masks: dict[int, Any] = {place: next(model.stream([clip.frames[place]])).mask for place in clip.truth}
    return pooled(clip, masks).f_measure
