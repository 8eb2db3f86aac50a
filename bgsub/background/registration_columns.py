"""A sharp reference from frames of a camera that shakes, and these frames brought onto it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bgsub.background.centre import temporal_median
from bgsub.background.registration import Motion, Registered, Registration, identity, working_picture
from bgsub.background.registration_warp import inverse, known, warp_to_reference
from bgsub.frames.difference import channel_difference
from bgsub.frames.source import Image

WORKING = 40
"""Frames that the reference is found on: their median is as sharp as that of more."""
ROUNDS = 3
"""Most times that the reference is made anew from frames aligned to the one before."""
SHARP = 0.1
"""Pixels: a reference is sharp when a typical frame moves by less from one round to the next."""


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """What :func:`align_columns` leaves beside the frames that it aligned.

    Attributes
    ----------
    reference
        ``(height, width)`` or ``(height, width, 3)`` uint8: temporal median of the aligned frames.
    motions
        Of every frame, reference to frame; the identity where it was not trusted.
    trusted
        Share of the frames whose motion was found.
    """

    reference: Image
    motions: tuple[Motion, ...]
    trusted: float

    @property
    def shift(self) -> float:
        """Median over the frames of how far the picture's corners move, pixels."""
        return float(np.median([displacement(motion, self.reference.shape[:2]) for motion in self.motions]))


def align_columns(
    frames: NDArray[np.uint8],
    shape: tuple[int, int],
    channels: int,
    kind: str = "affine",
    inside: NDArray[np.bool_] | None = None,
    threads: int = 1,
) -> Aligned:
    """Bring frames onto one reference, in place.

    The reference is the temporal median, of at most WORKING reduced gray frames, registered and made anew until it is
    sharp; then every frame is registered against it and warped once. Pixels that a frame does not show take the value
    of the reference, so that they tell nothing to a fit.

    Parameters
    ----------
    frames
        ``(n, rows)`` uint8, C-ordered, n ≥ 1; overwritten.
    shape, channels
        ``rows`` is height × width × channels.
    kind
        ``"translation"`` or ``"affine"``.
    inside
        ``shape`` bool: the pixels that are looked at; None for all. The others stay 0.
    threads
        Of the median; the result does not depend on it.

    Notes
    -----
    Beside *frames* WORKING gray frames are kept. One registration and two warps a frame.
    """
    reduced = sharp_reference(working_frames(frames, shape, channels), kind, working_inside(inside), threads)
    registration = replace(reduced, shape=shape)
    pictures = [_picture(frame, shape, channels) for frame in frames]
    found = [_align_one(picture, registration) for picture in pictures]
    reference = _median_picture(frames, shape, channels, threads)
    motions = tuple(each.motion for each in found)
    for picture, motion in zip(pictures, motions, strict=True):
        hidden = ~known(inverse(motion), shape, inside)
        picture[hidden] = reference[hidden]
        if inside is not None:
            picture[~inside] = 0
    if inside is not None:
        reference[~inside] = 0
    return Aligned(reference, motions, float(np.mean([each.trusted for each in found])))


def sharp_reference(
    frames: NDArray[np.uint8], kind: str, inside: NDArray[np.bool_] | None = None, threads: int = 1
) -> Registration:
    """Return the registration against the sharp median of gray *frames*, ``(n, height, width)``, not changed."""
    aligned, before = frames, [identity()] * len(frames)
    for number in range(ROUNDS):
        middle = _median_picture(aligned.reshape(len(frames), -1), frames.shape[1:], 1, threads)
        registration = Registration.of(middle, kind, inside)
        if number == ROUNDS - 1:
            break
        motions = [registration.register(frame).motion for frame in frames]
        moved = [_distance(a, b, frames.shape[1:]) for a, b in zip(motions, before, strict=True)]
        if np.median(moved) < SHARP:
            break
        pairs = zip(frames, motions, strict=True)
        aligned, before = np.stack([warp_to_reference(frame, motion) for frame, motion in pairs]), motions
    return registration


def working_frames(
    frames: NDArray[np.uint8], shape: tuple[int, int], channels: int, most: int = WORKING
) -> NDArray[np.uint8]:
    """Return at most *most* of the frames, evenly spread, gray and reduced: ``(n, height, width)`` uint8, a copy."""
    chosen = np.unique(np.linspace(0, len(frames) - 1, min(most, len(frames))).astype(np.int64))
    return np.stack([working_picture(_picture(frames[index], shape, channels)) for index in chosen])


def working_inside(inside: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    """Return which pixels of a reduced frame lie wholly inside."""
    if inside is None:
        return None
    whole: NDArray[np.bool_] = working_picture(np.where(inside, 255, 0).astype(np.uint8)) == 255
    return whole


def aligned_differences(
    frames: NDArray[np.uint8], shape: tuple[int, int], channels: int, most: int = 60
) -> NDArray[np.uint8]:
    """Return ``(pairs, pixels)`` uint8: channel maximum of |frame − next frame| of aligned frames, as flicker is read.

    What a camera's motion adds to the change from frame to frame is gone; what alignment cannot take out (blur, noise,
    trees) is in it. At most *most* pairs, evenly spread.
    """
    last = len(frames) - 1
    chosen = np.unique(np.linspace(0, max(last - 1, 0), min(most, last)).astype(np.int64))
    steps = np.empty((len(chosen), shape[0] * shape[1]), np.uint8)
    for row, index in enumerate(chosen):
        pair = (_picture(frames[k], shape, channels) for k in (index, index + 1))
        steps[row] = channel_difference(*pair).reshape(-1)
    return steps


def displacement(motion: Motion, shape: Sequence[int]) -> float:
    """Return the mean distance in pixels that *motion* moves the corners of a picture by."""
    return _distance(motion, identity(), shape)


def _distance(first: Motion, second: Motion, shape: Sequence[int]) -> float:
    height, width = shape[0] - 1, shape[1] - 1
    corners = np.array([(0, 0, 1), (width, 0, 1), (0, height, 1), (width, height, 1)], np.float64)
    return float(np.linalg.norm(corners @ (first - second).T, axis=1).mean())


def _align_one(picture: Image, registration: Registration) -> Registered:
    found = registration.register(picture)
    if found.trusted:
        picture[...] = warp_to_reference(picture, found.motion)
    return found


def _median_picture(
    frames: NDArray[np.uint8], shape: Sequence[int], channels: int, threads: int
) -> NDArray[np.uint8]:
    middle = np.rint(temporal_median(frames, threads)).astype(np.uint8)
    return _picture(middle, (shape[0], shape[1]), channels)


def _picture(rows: NDArray[np.uint8], shape: tuple[int, int], channels: int) -> Image:
    return rows.reshape(*shape, 3) if channels == 3 else rows.reshape(shape)
