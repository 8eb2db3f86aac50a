"""bgsub as it comes, on a clip in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import bgsub
from benchmark.sequences import Clip
from bgsub.evaluation.counts import Counts, count

MEMORY = 4_000_000_000
"""Bytes: the most that the automatic choice takes, so that columns do not depend on what else runs."""


def layers(clip: Clip, outputs: tuple[str, ...] = ("mask",), **options: Any) -> dict[str, NDArray[np.uint8]]:
    """Return layers of all frames, by default options but for these, on one thread."""
    chosen = bgsub.Options(outputs=outputs, threads=1, memory=MEMORY, **options)
    return bgsub.separate(clip.frames, options=chosen).layers


def pooled(clip: Clip, masks: NDArray[np.uint8] | dict[int, NDArray[np.uint8]]) -> Counts:
    """Return the counts of all scored frames together; *masks* by index of the frame."""
    return sum((count(masks[place], labels) for place, labels in clip.truth.items()), Counts())
