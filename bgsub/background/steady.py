"""The columns of a fit as a camera that does not shake would have seen them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bgsub.background.registration import Registration, identity
from bgsub.background.registration_choice import decide
from bgsub.background.registration_columns import (
    align_columns,
    lit_as_reference,
    sharp_reference,
    working_frames,
    working_inside,
)
from bgsub.background.unsteady import changes
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
        The picture that frames are registered against, or None.
    flicker, swell
        What changes all the time, see :func:`bgsub.background.unsteady.changes`.
    reason
        In words.
    """

    kind: str
    reference: Image | None
    flicker: NDArray[np.float32]
    swell: NDArray[np.float32]
    reason: str


def make_steady(sample: Sample, grid: Grid, wanted: str, threads: int) -> Steady:
    """Decide whether the camera shakes; if so, bring the sampled frames onto one reference and into its light.

    In place: the columns of *sample* are then aligned, and in any case 0 outside the region, which must be cut from
    them after they have been moved. *wanted* is the option ``stabilise``.
    """
    frames, place = sample.matrix.frames, (grid.shape, grid.channels)
    decision = decide(frames, *place, wanted, grid.inside)
    if not decision.is_on:
        for columns in (frames, sample.followers.frames):
            grid.blank(columns)
        return Steady("off", None, *changes(sample, grid, None, threads), decision.reason)
    start = sharp_reference(
        working_frames(frames, *place), decision.kind, working_inside(grid.inside), threads
    )
    maps = changes(sample, grid, replace(start, shape=grid.shape), threads)
    reference = align_columns(frames, *place, decision.kind, grid.inside, threads).reference
    _relight(frames, Registration.of(reference, decision.kind, grid.inside), reference.shape)
    grid.blank(frames)
    return Steady(decision.kind, reference, *maps, decision.reason)


def _relight(frames: NDArray[np.uint8], registration: Registration, shape: tuple[int, ...]) -> None:
    """Bring aligned frames into the light of the reference, in place."""
    for frame in frames:
        picture = frame.reshape(shape)
        found = registration.register(picture)
        picture[...] = lit_as_reference(picture, replace(found, motion=identity()), "nearest")
