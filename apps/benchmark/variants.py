"""The same sequence under other conditions: fewer frames, no colour, smaller, darker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmark.sequences import Clip

STEP = 5
FIRST = 60
"""Scored frames of the short variant; it has as many frames at least."""
BRIGHTNESS, NOISE = 0.5, 4.0
SEED = 0


def every_fifth(clip: Clip) -> Clip:
    """Return every STEP-th frame, from the offset on that has most of the truth."""
    [(offset, _)] = Counter(place % STEP for place in clip.truth).most_common(1)
    return _chosen(clip, range(offset, len(clip.frames), STEP), clip.truth)


def first_scored(clip: Clip) -> Clip:
    """Return the frames from the first scored one to the FIRST-th, and FIRST frames at least if there are so many."""
    scored = sorted(clip.truth)[:FIRST]
    begin, end = scored[0], max(scored[-1] + 1, scored[0] + FIRST)
    return _chosen(clip, range(begin, min(end, len(clip.frames))), scored)


def gray(clip: Clip) -> Clip:
    """Return the clip without its colours."""
    if clip.frames.ndim == 3:
        return clip
    return _changed(clip, lambda frame: cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY))


def half_size(clip: Clip) -> Clip:
    """Return the clip at half its width and height."""
    height, width = clip.frames.shape[1:3]
    size = width // 2, height // 2
    small = _changed(clip, lambda frame: cv2.resize(frame, size, interpolation=cv2.INTER_AREA))
    labels = {
        place: np.asarray(cv2.resize(each, size, interpolation=cv2.INTER_NEAREST), np.uint8)
        for place, each in clip.truth.items()
    }
    return replace(small, truth=labels)


def dark(clip: Clip) -> Clip:
    """Return the clip at half its brightness, with white noise."""
    rng = np.random.default_rng(SEED)

    def darker(frame: NDArray[np.uint8]) -> NDArray[np.float32]:
        noise = NOISE * rng.standard_normal(frame.shape, dtype=np.float32)
        return np.clip(np.rint(np.float32(BRIGHTNESS) * frame + noise), 0, 255)

    return _changed(clip, darker)


VARIANTS: dict[str, Callable[[Clip], Clip]] = {
    "fifth": every_fifth,
    "first": first_scored,
    "gray": gray,
    "half": half_size,
    "dark": dark,
}
"""By the keys of :data:`benchmark.names.VARIANT_NAMES`."""


def _chosen(clip: Clip, places: Sequence[int], scored: Iterable[int]) -> Clip:
    """Return the frames at these *places*, with the truth of those that are *scored*."""
    new = {place: index for index, place in enumerate(places)}
    truth = {new[place]: clip.truth[place] for place in scored if place in new}
    return Clip(clip.frames[list(places)], truth)


def _changed(clip: Clip, change: Callable[[NDArray[np.uint8]], cv2.typing.MatLike]) -> Clip:
    return replace(clip, frames=np.stack([np.asarray(change(frame), np.uint8) for frame in clip.frames]))
