"""The columns of a fit as a camera that does not shake would have seen them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bgsub.background.stabilise.columns import (
    align_columns,
    find_columns,
    followed,
    sharp_reference,
    working_frames,
    working_inside,
)
from bgsub.background.stabilise.decision import decide
from bgsub.background.stabilise.lit_warp import lit_as_reference
from bgsub.background.stabilise.registration import Registration, identity
from bgsub.frames.grid import Grid
from bgsub.frames.sample import Sample
from bgsub.frames.source import Image


@dataclass(frozen=True, slots=True, eq=False)
class Steady:
    """How a sample was made steady.

    Attributes
    ----------
    kind
        ``"off"``, ``"translation"`` or ``"affine"``.
    reference
        The picture that frames are registered against, with what was seen around it, or None.
    pairs
        ``(m, 2)`` indices: a sampled frame, and the follower of it; see :class:`bgsub.frames.sample.Sample`.
    reason
        In words.
    """

    kind: str
    reference: Image | None
    pairs: NDArray[np.int64]
    reason: str


def make_steady(sample: Sample, grid: Grid, wanted: str, threads: int) -> Steady:
    """Decide whether the camera shakes; if so, bring the sampled frames onto one reference and into its light.

    In place: the columns of *sample* are then aligned, those that cannot be followed are left out, and in any case they
    are 0 outside the region, which must be cut from them after they have been moved. *wanted* is the option
    ``stabilise``.
    """
    frames, place = sample.matrix.frames, (grid.shape, grid.channels)
    decision = decide(frames, *place, wanted, grid.inside)
    if not decision.is_on:
        for columns in (frames, sample.followers.frames):
            grid.blank(columns)
        return Steady("off", None, _pairs(sample), decision.reason)
    registration = sharp_reference(
        working_frames(frames, *place), decision.kind, working_inside(grid.inside), threads
    )
    found = find_columns(frames, *place, registration)
    kept = followed(found)
    pairs = _followed_pairs(_pairs(sample), kept)
    sample.matrix.keep(kept)
    frames, followers = sample.matrix.frames, sample.followers.frames
    aligned = align_columns(frames, *place, [found[index] for index in kept], threads)
    reference = aligned.reference
    settled = Registration.of(reference, decision.kind, grid.inside)
    _relight(frames, settled, reference.shape)
    for follower in followers:
        picture = follower.reshape(reference.shape)
        picture[...] = lit_as_reference(picture, settled.register(picture), "cubic")
    for columns in (frames, followers):
        grid.blank(columns)
    reason = decision.reason
    if len(kept) < len(found):
        reason += (
            f"; {len(found) - len(kept)} of {len(found)} sampled frames cannot be followed and are left out"
        )
    return Steady(decision.kind, aligned.around, pairs, reason)


def _pairs(sample: Sample) -> NDArray[np.int64]:
    """Return sampled frames and their followers; the last frame of a segment has none."""
    followers = np.arange(len(sample.followers))
    pairs = np.stack([followers * sample.every, followers], axis=1)
    return pairs[pairs[:, 0] < len(sample.matrix)]


def _followed_pairs(pairs: NDArray[np.int64], kept: Sequence[int]) -> NDArray[np.int64]:
    """Return the pairs whose frame is *kept*, by its new index."""
    new = {index: place for place, index in enumerate(kept)}
    found = [(new[frame], follower) for frame, follower in pairs.tolist() if frame in new]
    return np.array(found, np.int64).reshape(-1, 2)


def _relight(frames: NDArray[np.uint8], registration: Registration, shape: tuple[int, ...]) -> None:
    """Bring aligned frames into the light of the reference, in place."""
    for frame in frames:
        picture = frame.reshape(shape)
        found = registration.register(picture)
        picture[...] = lit_as_reference(picture, replace(found, motion=identity()), "nearest")
