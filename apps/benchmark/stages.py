"""Masks in one process: what is timed of bgsub and of the online subtractors, and how good the masks are."""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmark.clip import Picture
from benchmark.footage import Footage, TimedSource
from benchmark.jobs import FEWEST, LEARNED, Job
from benchmark.subtractors import Subtractor, make_subtractor

WARM = 5
"""Frames that are judged before the clock runs."""

CHUNK = 20
"""Frames that are read, off the clock, before their masks are asked for."""


class Score:
    """Counts of right and wrong pixels over many masks."""

    def __init__(self) -> None:
        self._hits = self._found = self._true = 0

    def add(self, mask: Picture, truth: Picture) -> None:
        """Count a frame."""
        self._hits += int(np.count_nonzero(mask & truth))
        self._found += int(np.count_nonzero(mask))
        self._true += int(np.count_nonzero(truth))

    @property
    def f_measure(self) -> float:
        """2·hits/(found + true); 0 where there is neither."""
        return 2 * self._hits / max(self._found + self._true, 1)


def masks(job: Job, footage: Footage, model: Path) -> dict[str, Any]:
    """Time the masks of all frames, the system being fitted; reading does not count."""
    _warm(job, footage, model)
    system = _system(job)
    if job.system in LEARNED:
        system.load(model)
    return _judged(job, footage, system, 0.0)


def fit_and_masks(job: Job, footage: Footage, model: Path) -> dict[str, Any]:
    """Time the fit and the masks of all frames; reading does not count. What was fitted is kept in the file *model*."""
    few = _system(job)
    few.fit(TimedSource(footage, min(FEWEST, job.frames)))
    few.mask(next(footage.images(1)))
    del few
    system = _system(job)
    source = TimedSource(footage, job.frames)
    began = time.perf_counter()
    system.fit(source)
    seconds = time.perf_counter() - began - source.reading
    system.save(model)
    return {**_judged(job, footage, system, seconds), "fit_seconds": seconds}


def _system(job: Job) -> Subtractor:
    return make_subtractor(job.system, job.width, job.height, job.threads)


def _warm(job: Job, footage: Footage, model: Path) -> None:
    """Detector some frames by a system of the same kind, so that libraries and compiled passes are loaded."""
    system = _system(job)
    if job.system in LEARNED:
        system.load(model)
    for image in islice(footage.images(job.frames), WARM):
        system.mask(image)


def _judged(job: Job, footage: Footage, system: Subtractor, seconds: float) -> dict[str, Any]:
    score = Score()
    images, truths = footage.images(job.frames), footage.masks(job.frames)
    while chunk := list(islice(images, CHUNK)):
        began = time.perf_counter()
        masks = system.masks(chunk)
        seconds += time.perf_counter() - began
        for mask, truth in zip(masks, truths, strict=False):
            score.add(mask, truth)
    return {"seconds": seconds, "f": score.f_measure}
