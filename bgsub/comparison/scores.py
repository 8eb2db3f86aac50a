"""The results of a comparison, and their means."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from bgsub.comparison.methods import is_opencv
from bgsub.evaluation.counts import Counts

SCHEMA = 1
MEASURES = {
    "recall": "recall",
    "specificity": "specificity",
    "fpr": "fpr",
    "fnr": "fnr",
    "pwc": "pwc",
    "precision": "precision",
    "f": "f_measure",
}
"""CDnet's seven measures, and what :class:`.Counts` calls them."""


@dataclass(frozen=True, slots=True)
class Score:
    """Score of a system on a sequence: pixels pooled over the scored frames, and the time for all frames."""

    counts: Counts
    frames: int
    seconds: float

    @property
    def frames_per_s(self) -> float:
        """Frames per second."""
        return self.frames / max(self.seconds, 1e-9)

    def measure(self, name: str) -> float:
        """Return one of MEASURES."""
        return float(getattr(self.counts, MEASURES[name]))


@dataclass(frozen=True, slots=True)
class SequenceScores:
    """Scores of all systems on a sequence, with its numbers of frames and of scored frames."""

    category: str
    name: str
    frames: int
    scored: int
    methods: dict[str, Score]

    @property
    def label(self) -> str:
        """``category/name``."""
        return f"{self.category}/{self.name}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """All systems on all readable sequences. Every mean is over sequences, equally weighted."""

    methods: tuple[str, ...]
    sequences: tuple[SequenceScores, ...]

    def categories(self) -> dict[str, list[SequenceScores]]:
        """Return the sequences of each category."""
        found: dict[str, list[SequenceScores]] = {}
        for sequence in self.sequences:
            found.setdefault(sequence.category, []).append(sequence)
        return found

    def mean_f(self) -> dict[str, float]:
        """Return the mean F of each system."""
        return {method: mean(self.sequences, method, "f") for method in self.methods}

    def best_single(self) -> dict[str, Any] | None:
        """Return the OpenCV system with the highest mean F, and that F; None if there is none."""
        means = {method: f for method, f in self.mean_f().items() if is_opencv(method)}
        best = max(means, key=lambda method: means[method], default=None)
        return None if best is None else {"method": best, "f": means[best]}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values (``schema`` 1)."""
        return {
            "schema": SCHEMA,
            "sequences": [
                {
                    "category": each.category,
                    "name": each.name,
                    "frames": each.frames,
                    "scored": each.scored,
                    "methods": {method: _values(score) for method, score in each.methods.items()},
                }
                for each in self.sequences
            ],
            "categories": {
                category: {method: averages(own, method) for method in self.methods}
                for category, own in self.categories().items()
            },
            "mean_f": self.mean_f(),
            "best_single": self.best_single(),
        }

    def to_json(self, files: Mapping[str, list[str]] | None = None) -> str:
        """Return :meth:`to_dict` as indented JSON, together with the lists of *files*."""
        return json.dumps({**self.to_dict(), **(files or {})}, indent=2, ensure_ascii=False) + "\n"


def mean(sequences: Iterable[SequenceScores], method: str, measure: str) -> float:
    """Return the mean of a measure over sequences."""
    return fmean(each.methods[method].measure(measure) for each in sequences)


def speed(sequences: Sequence[SequenceScores], method: str) -> float:
    """Return total frames divided by total seconds."""
    scores = [each.methods[method] for each in sequences]
    return sum(score.frames for score in scores) / max(sum(score.seconds for score in scores), 1e-9)


def averages(sequences: Sequence[SequenceScores], method: str) -> dict[str, float]:
    """Return the means of the seven measures, and frames per second."""
    means = {name: mean(sequences, method, name) for name in MEASURES}
    return {**means, "frames_per_s": speed(sequences, method)}


def _values(score: Score) -> dict[str, Any]:
    counts = score.counts
    return {
        "f": counts.f_measure,
        "precision": counts.precision,
        "recall": counts.recall,
        "specificity": counts.specificity,
        "fpr": counts.fpr,
        "fnr": counts.fnr,
        "pwc": counts.pwc,
        "frames_per_s": score.frames_per_s,
        "counts": {"tp": counts.tp, "fp": counts.fp, "fn": counts.fn, "tn": counts.tn},
    }
