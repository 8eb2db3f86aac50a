"""A sharp reference from frames of a camera that shakes, and frames brought onto it, in its light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bgsub.background.scene.centre import temporal_median
from bgsub.background.stabilise.registration import (
    Motion,
    Registered,
    Registration,
    identity,
    working_picture,
)
from bgsub.background.stabilise.surround import Bands, without_margin
from bgsub.background.stabilise.warp import corners, inverse, known, warp_to_reference
from bgsub.frames.difference import channel_difference
from bgsub.frames.source import Image

WORKING = 40
"""Frames that the reference is found on: their median is as sharp as that of more."""
ROUNDS = 2
"""Most times that the reference is made anew from frames aligned to the one before."""
FEWEST = 6
"""Frames: the median of fewer follows each of them."""
ENOUGH = 0.5
"""Share of the frames that must find themselves in the median for it to be a start."""
SHARP = 0.1
"""Pixels: a reference is sharp when a typical frame moves by less from one round to the next."""


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """What :func:`align_columns` leaves beside the frames that it aligned.

    Attributes
    ----------
    reference
        ``(height, width)`` or ``(height, width, 3)`` uint8: temporal median of the aligned frames.
    around
        The same with what frames saw beyond its border; see :mod:`bgsub.background.stabilise.surround`.
    motions
        Of every frame, reference to frame; the identity where it was not trusted.
    trusted
        Share of the frames whose motion was found.
    """

    reference: Image
    around: Image
    motions: tuple[Motion, ...]
    trusted: float


def find_columns(
    frames: NDArray[np.uint8], shape: tuple[int, int], channels: int, registration: Registration
) -> list[Registered]:
    """Return where every frame, ``(n, rows)`` uint8, lies; *registration* may be of a reduced picture."""
    whole = replace(registration, shape=shape)
    return [whole.register(_picture(frame, shape, channels)) for frame in frames]


def align_columns(
    frames: NDArray[np.uint8],
    shape: tuple[int, int],
    channels: int,
    found: Sequence[Registered],
    threads: int = 1,
) -> Aligned:
    """Bring frames onto one reference, in place.

    Every frame is warped once; the reference is made anew from all of them. Pixels that a frame does not show take the
    value of the reference, so that they tell nothing to a fit.

    Parameters
    ----------
    frames
        ``(n, rows)`` uint8, C-ordered, n ≥ 1; overwritten.
    shape, channels
        ``rows`` is height × width × channels.
    found
        Where each of them lies against the sharp reference; see :func:`find_columns`.
    threads
        Of the median; the result does not depend on it.
    """
    pictures = [_picture(frame, shape, channels) for frame in frames]
    bands = Bands.of(pictures, found)
    for picture, each in zip(pictures, found, strict=True):
        if each.trusted:
            picture[...] = warp_to_reference(picture, each.motion)
    around = bands.put_around(_median_picture(frames, shape, channels, threads))
    reference = without_margin(around, bands.margin)
    motions = tuple(each.motion for each in found)
    for picture, motion in zip(pictures, motions, strict=True):
        hidden = ~known(inverse(motion), shape)
        picture[hidden] = reference[hidden]
    return Aligned(reference, around, motions, float(np.mean([each.trusted for each in found])))


def sharp_reference(
    frames: NDArray[np.uint8],
    kind: str,
    inside: NDArray[np.bool_] | None = None,
    threads: int = 1,
    insist: bool = True,
) -> Registration:
    """Return the registration against the sharp median of gray *frames*, ``(n, height, width)``, not changed.

    The temporal median of those frames that find themselves in it is made anew until it is sharp. Where most do not
    find themselves in the first median, and *insist* is true, a single frame is the start: that finds large motions,
    too, but may follow an object that fills half of the picture.
    """
    registration = Registration.of(_middle(frames, threads), kind, inside)
    found = [registration.register(frame) for frame in frames]
    if insist and registration.is_possible and np.mean([each.trusted for each in found]) < ENOUGH:
        # Large motions leave a median without edges; a single frame has them.
        registration = Registration.of(_most_typical(frames, threads), kind, inside)
        found = [registration.register(frame) for frame in frames]
    before = [identity()] * len(frames)
    for _ in range(ROUNDS):
        pairs = zip(found, before, strict=True)
        if np.median([_distance(each.motion, last, frames.shape[1:]) for each, last in pairs]) < SHARP:
            break
        aligned = [warp_to_reference(frames[index], found[index].motion) for index in followed(found)]
        registration = Registration.of(_middle(np.stack(aligned), threads), kind, inside)
        before = [each.motion for each in found]
        found = [registration.register(frame) for frame in frames]
    return registration


def followed(found: Sequence[Registered]) -> list[int]:
    """Return which frames show the scene: those whose motion was found, or all when these are fewer than FEWEST."""
    trusted = [index for index, each in enumerate(found) if each.trusted]
    return trusted if len(trusted) >= FEWEST else list(range(len(found)))


def _middle(frames: NDArray[np.uint8], threads: int) -> NDArray[np.uint8]:
    """Return the temporal median of gray frames."""
    return _median_picture(frames.reshape(len(frames), -1), frames.shape[1:], 1, threads)


def _most_typical(frames: NDArray[np.uint8], threads: int) -> NDArray[np.uint8]:
    """Return the frame that differs least from the median."""
    middle = _middle(frames, threads)
    nearest = int(np.argmin([channel_difference(frame, middle).mean() for frame in frames]))
    return np.asarray(frames[nearest], np.uint8)


def working_frames(
    frames: NDArray[np.uint8], shape: tuple[int, int], channels: int, most: int = WORKING
) -> NDArray[np.uint8]:
    """Return at most *most* of the frames, evenly spread, gray and reduced: ``(n, height, width)`` uint8, a copy."""
    chosen = np.unique(np.linspace(0, len(frames) - 1, min(most, len(frames))).astype(np.int64))
    return np.stack([working_picture(_picture(frames[index], shape, channels)) for index in chosen])


def working_inside(inside: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    """Return which pixels of a reduced frame lie wholly inside; see :func:`.interior`."""
    if inside is None:
        return None
    whole: NDArray[np.bool_] = working_picture(np.where(inside, 255, 0).astype(np.uint8)) == 255
    return whole


def displacement(motion: Motion, shape: Sequence[int]) -> float:
    """Return the mean distance in pixels that *motion* moves the corners of a picture by."""
    return _distance(motion, identity(), shape)


def _distance(first: Motion, second: Motion, shape: Sequence[int]) -> float:
    return float(np.linalg.norm(corners(shape) @ (first - second).T, axis=1).mean())


def _median_picture(
    frames: NDArray[np.uint8], shape: Sequence[int], channels: int, threads: int
) -> NDArray[np.uint8]:
    middle = np.rint(temporal_median(frames, threads)).astype(np.uint8)
    return _picture(middle, (shape[0], shape[1]), channels)


def _picture(rows: NDArray[np.uint8], shape: tuple[int, int], channels: int) -> Image:
    return rows.reshape(*shape, 3) if channels == 3 else rows.reshape(shape)
