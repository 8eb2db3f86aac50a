"""What changes from one frame to the next while nothing passes, measured on the pairs of frames of a sample."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from bgsub.background.centre import temporal_quartile
from bgsub.background.registration import Registration
from bgsub.background.registration_columns import lit_as_reference
from bgsub.frames.difference import channel_difference
from bgsub.frames.grid import Grid
from bgsub.frames.sample import Sample
from bgsub.frames.source import Image
from bgsub.masks.flicker import flicker
from bgsub.masks.ripples import Ripples


def changes(
    sample: Sample, grid: Grid, registration: Registration | None, threads: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the flicker of each pixel and that of smoothed pictures, ``(height, width)`` float32, grey levels.

    Parameters
    ----------
    sample
        Its columns as they were read.
    grid
        Whose rows these are.
    registration
        Where the camera shakes: both frames of a pair are brought onto its reference, and into its light.
    threads
        To compute with; the result does not depend on it.

    Notes
    -----
    Memory: two bytes a pixel and pair.
    """
    pairs = len(sample.followers)
    plain = np.empty((pairs, grid.shape[0] * grid.shape[1]), np.uint8)
    smoothed, everywhere = np.empty_like(plain), Ripples.of(np.ones(grid.shape, bool))
    for index, pair in enumerate(_pairs(sample, grid)):
        now, after = pair if registration is None else (_brought(image, registration) for image in pair)
        plain[index] = channel_difference(now, after).reshape(-1)
        everywhere.put(now, after, smoothed[index].reshape(grid.shape))

    def quartile(differences: NDArray[np.uint8]) -> NDArray[np.float32]:
        return temporal_quartile(differences, threads)

    first, second = (flicker(each, grid.shape, quartile, grid.inside) for each in (plain, smoothed))
    return first, second


def _brought(image: Image, registration: Registration) -> Image:
    return lit_as_reference(image, registration.register(image))


def _pairs(sample: Sample, grid: Grid) -> Iterator[tuple[Image, Image]]:
    shape = (*grid.shape, 3) if grid.channels == 3 else grid.shape
    followed = sample.matrix.frames[:: sample.every]
    # The last frame of a segment has none.
    for now, after in zip(followed, sample.followers.frames, strict=False):
        yield now.reshape(shape), after.reshape(shape)
