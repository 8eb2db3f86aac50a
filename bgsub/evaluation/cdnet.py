"""Scoring a sequence of masks against CDnet-style ground truth.

Masks and truth are matched by frame number, never by position: a run over part of the footage, or with a stride, is
scored on exactly the frames it covers, and the rest is counted as missing.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.base.plural import span
from bgsub.errors import BgsubWarning, InputError
from bgsub.evaluation.counts import OUTSIDE, Counts, count, size
from bgsub.evaluation.predictions import (
    NumberedMask,
    Region,
    read_masks,
    recorded_outline,
    recorded_region,
)
from bgsub.evaluation.truth import TruthFrame, read_truth, within

SCHEMA = 1
"""Schema version of :meth:`Evaluation.to_dict`."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The score of a sequence.

    Attributes
    ----------
    counts
        Pixels pooled over all scored frames.
    per_frame
        ``(number, counts)`` of each scored frame, in increasing number.
    frames_scored
        Number of frames with both a mask and a truth.
    frames_missing
        Number of ground-truth frames without a mask; they are not part of *counts*.
    masks, groundtruth
        What was compared, as given.
    region
        x, y, width, height of the region the run processed, if not the whole picture: only this is scored.
    region_pixels
        Number of pixels of the region the run processed, if not all: polygons, masks, excluded parts. Only these are
        scored.
    """

    counts: Counts
    per_frame: tuple[tuple[int, Counts], ...] = field(repr=False)
    frames_scored: int
    frames_missing: int
    masks: str
    groundtruth: str
    region: Region | None = None
    region_pixels: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as plain values, ready for JSON (``schema`` 1)."""
        return {
            "schema": SCHEMA,
            "masks": self.masks,
            "groundtruth": self.groundtruth,
            "region": None if self.region is None else list(self.region),
            "region_pixels": self.region_pixels,
            "frames": {"scored": self.frames_scored, "missing": self.frames_missing},
            "counts": _pixels(self.counts),
            "measures": _measures(self.counts),
            "per_frame": [
                {"number": number, **_pixels(counts), "f_measure": counts.f_measure}
                for number, counts in self.per_frame
            ],
        }


def evaluate(masks: str | Path, groundtruth: str | Path) -> Evaluation:
    """Score masks against CDnet-style ground truth, matched by frame number.

    Parameters
    ----------
    masks
        Mask video, folder, pattern or output folder of a run; see
        :func:`bgsub.evaluation.predictions.read_masks`.
    groundtruth
        Folder or label video; see :func:`bgsub.evaluation.truth.read_truth`.

    Returns
    -------
    Evaluation
        Masks whose number has no truth are ignored; truth without a mask is counted in ``frames_missing``.

    Raises
    ------
    InputError
        Either side cannot be read, a mask and its truth differ in size, or the two have no frame number in common.

    Warns
    -----
    BgsubWarning
        The highest mask level is 1, as in masks stored as 0 and 1: nothing counts as foreground. No pixel is scored.

    Notes
    -----
    Reads each mask and each matching truth once; holds one of each in memory.
    """
    region, outline = recorded_region(masks), recorded_outline(masks)
    scan = _Scan(str(masks), str(groundtruth), region, outline)
    scan.run(read_masks(masks), read_truth(groundtruth))
    if not scan.scored:
        truth = f"{groundtruth} has{within(groundtruth)} {_range(scan.truth_range)}"
        raise InputError(
            f"no frame number in common: {masks} has {_range(scan.mask_range)}, {truth}; "
            "give masks of the frames that have ground truth"
        )
    if scan.brightest == 1:
        warnings.warn(
            f"{masks}: no mask pixel is above 1, so nothing counts as foreground; store masks as 0 and 255",
            BgsubWarning,
            stacklevel=2,
        )
    pooled = sum((counts for _, counts in scan.scored), Counts())
    if not pooled.total:
        warnings.warn(
            f"{groundtruth}: not one pixel of its frames is to be scored, so the measures say nothing",
            BgsubWarning,
            stacklevel=2,
        )
    return Evaluation(
        pooled,
        tuple(scan.scored),
        len(scan.scored),
        scan.missing,
        scan.masks,
        scan.groundtruth,
        region,
        None if outline is None else int(np.count_nonzero(outline)),
    )


@dataclass(slots=True)
class _Scan:
    """One pass over both sequences, in order of increasing number."""

    masks: str
    groundtruth: str
    region: Region | None = None
    outline: NDArray[np.bool_] | None = None
    scored: list[tuple[int, Counts]] = field(default_factory=list)
    missing: int = 0
    brightest: int = 0
    mask_range: list[int] = field(default_factory=list)
    truth_range: list[int] = field(default_factory=list)

    def run(self, masks: Iterator[NumberedMask], truths: Iterator[TruthFrame]) -> None:
        truth = self._next(truths)
        for number, mask in masks:
            self.mask_range = [*self.mask_range[:1], number]
            self.brightest = max(self.brightest, int(mask.max(initial=0)))
            while truth is not None and truth.number < number:
                self.missing += 1
                truth = self._next(truths)
            if truth is not None and truth.number == number:
                self.scored.append((number, self._count(mask, truth)))
                truth = self._next(truths)
        while truth is not None:
            self.missing += 1
            truth = self._next(truths)

    def _next(self, truths: Iterator[TruthFrame]) -> TruthFrame | None:
        truth = next(truths, None)
        if truth is not None:
            self.truth_range = [*self.truth_range[:1], truth.number]
        return truth

    def _count(self, mask: NDArray[np.uint8], truth: TruthFrame) -> Counts:
        labels = truth.labels()
        if mask.shape != labels.shape:
            raise InputError(
                f"mask {truth.number} of {self.masks} is {size(mask)} but its ground truth {truth.name} is "
                f"{size(labels)}; make the masks at full size, they are never resized"
            )
        if self.region is not None:
            labels = _only_inside(labels, self.region)
        return count(mask, labels if self.outline is None else self._in_outline(labels, truth.name))

    def _in_outline(self, labels: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
        assert self.outline is not None
        if labels.shape != self.outline.shape:
            raise InputError(
                f"{name} is {size(labels)} but the run of {self.masks} looked at {size(self.outline)} pixels; "
                "make the masks at full size, they are never resized"
            )
        return np.where(self.outline, labels, np.uint8(OUTSIDE))


def _only_inside(labels: NDArray[np.uint8], region: Region) -> NDArray[np.uint8]:
    """Return *labels* with everything outside the region marked as not scored."""
    x, y, width, height = region
    inside = np.full_like(labels, OUTSIDE)
    inside[y : y + height, x : x + width] = labels[y : y + height, x : x + width]
    return inside


def _range(numbers: list[int]) -> str:
    return span(numbers[0], numbers[-1]) if numbers else "none"


def _pixels(counts: Counts) -> dict[str, int]:
    return {"tp": counts.tp, "fp": counts.fp, "fn": counts.fn, "tn": counts.tn}


def _measures(counts: Counts) -> dict[str, float]:
    names = ("precision", "recall", "f_measure", "specificity", "fpr", "fnr", "pwc")
    return {name: getattr(counts, name) for name in names}
