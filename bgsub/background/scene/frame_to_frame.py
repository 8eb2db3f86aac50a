"""What changes from one frame to the next while nothing passes, measured on the pairs of frames of a sample."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgsub.background.scene.centre import temporal_quartile
from bgsub.background.stabilise.lit_warp import lit_as_reference
from bgsub.background.stabilise.registration import Registration
from bgsub.frames.difference import channel_difference
from bgsub.frames.grid import Grid
from bgsub.frames.sample import Sample
from bgsub.frames.source import Image
from bgsub.masks.flicker import flicker
from bgsub.masks.sensor_noise import measure_sensor_noise
from bgsub.masks.smoothed import SmoothedDifference

LOOKED_AT = 8
"""Pairs that tell whether the sensor is what flickers: each has thousands of pixels to say so."""
FEWEST = 5
"""Pairs: the quartile of fewer is one of them."""


class Changes(NamedTuple):
    """What changes all the time: three maps, ``(height, width)`` float32, grey levels.

    Attributes
    ----------
    flicker
        Of each pixel, see :func:`bgsub.masks.flicker.flicker`; 0 where it is no more than the noise of the sensor.
    smooth_flicker
        The flicker of smoothed pictures.
    sensor_noise
        σ of the noise of the sensor, see :func:`bgsub.masks.sensor_noise.measure_sensor_noise`.
    """

    flicker: NDArray[np.float32]
    smooth_flicker: NDArray[np.float32]
    sensor_noise: NDArray[np.float32]


def changes(sample: Sample, grid: Grid, registration: Registration | None, threads: int) -> Changes:
    """Measure what changes from one frame to the next while nothing passes.

    Parameters
    ----------
    sample
        Its columns as they were read.
    grid
        Whose rows these are.
    registration
        Where the camera shakes: both frames of a pair are brought onto its reference, and into its light. Pairs that
        cannot be followed tell nothing, unless hardly any can.
    threads
        To compute with; the result does not depend on it.

    Notes
    -----
    Memory: two bytes a pixel and pair.
    """
    pairs, kept = len(sample.followers), 0
    plain = np.empty((pairs, grid.shape[0] * grid.shape[1]), np.uint8)
    smoothed, everywhere = np.empty_like(plain), SmoothedDifference.of(np.ones(grid.shape, bool))
    for index, (now, after, followed) in enumerate(_pairs(sample, grid, registration)):
        # The lost ones fill the arrays from behind.
        place = kept if followed else pairs - 1 - (index - kept)
        kept += followed
        plain[place] = channel_difference(now, after).reshape(-1)
        everywhere.put(now, after, smoothed[place].reshape(grid.shape))
    used = kept if kept >= FEWEST else pairs

    def quartile(differences: NDArray[np.uint8]) -> NDArray[np.float32]:
        return temporal_quartile(differences, threads)

    first, second = (flicker(each[:used], grid.shape, quartile, grid.inside) for each in (plain, smoothed))
    del plain, smoothed  # a picture for each pair
    some = islice(_pairs(sample, grid, registration), 0, None, -(-pairs // LOOKED_AT) or None)
    sensor_noise = measure_sensor_noise(((now, after) for now, after, _ in some), first, grid.inside)
    return Changes(np.where(sensor_noise, np.float32(0), first), second, sensor_noise)


def _pairs(
    sample: Sample, grid: Grid, registration: Registration | None
) -> Iterator[tuple[Image, Image, bool]]:
    """Yield pairs of consecutive frames, steady, and whether both could be followed."""
    shape = (*grid.shape, 3) if grid.channels == 3 else grid.shape
    # The last frame of a segment has no follower.
    for rows in zip(sample.matrix.frames[:: sample.every], sample.followers.frames, strict=False):
        now, after = (each.reshape(shape) for each in rows)
        if registration is None:
            yield now, after, True
            continue
        found = registration.register(now), registration.register(after)
        yield (
            lit_as_reference(now, found[0]),
            lit_as_reference(after, found[1]),
            all(e.trusted for e in found),
        )
