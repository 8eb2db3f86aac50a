"""A sharp reference from frames of a camera that shakes, and frames brought onto it, in its light."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.centre import temporal_median
from bgsub.background.registration import Motion, Registered, Registration, identity, working_picture
from bgsub.background.registration_warp import inverse, known, warp_to_frame, warp_to_reference
from bgsub.frames.difference import channel_difference
from bgsub.frames.source import Image

WORKING = 40
"""Frames that the reference is found on: their median is as sharp as that of more."""
ROUNDS = 2
"""Most times that the reference is made anew from frames aligned to the one before."""
ENOUGH = 0.5
"""Share of the frames that must find themselves in the median for it to be a start."""
LEVELS = np.arange(256, dtype=np.float64)
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
        ``shape`` bool: where points are taken from; None for everywhere. All pixels are moved.
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
        hidden = ~known(inverse(motion), shape)
        picture[hidden] = reference[hidden]
    return Aligned(reference, motions, float(np.mean([each.trusted for each in found])))


def sharp_reference(
    frames: NDArray[np.uint8],
    kind: str,
    inside: NDArray[np.bool_] | None = None,
    threads: int = 1,
    insist: bool = True,
) -> Registration:
    """Return the registration against the sharp median of gray *frames*, ``(n, height, width)``, not changed.

    Where most frames do not find themselves in the first median, and *insist* is true, a single frame is the start:
    that finds large motions, too, but may follow an object that fills half of the picture.
    """
    registration = Registration.of(_middle(frames, threads), kind, inside)
    found = [registration.register(frame) for frame in frames]
    if insist and registration.is_possible and np.mean([each.trusted for each in found]) < ENOUGH:
        # Large motions leave a median without edges; a single frame has them.
        registration = Registration.of(_most_typical(frames, threads), kind, inside)
        found = [registration.register(frame) for frame in frames]
    motions, before = [each.motion for each in found], [identity()] * len(frames)
    for _ in range(ROUNDS):
        moved = [_distance(a, b, frames.shape[1:]) for a, b in zip(motions, before, strict=True)]
        if np.median(moved) < SHARP:
            break
        aligned = np.stack([warp_to_reference(*each) for each in zip(frames, motions, strict=True)])
        registration = Registration.of(_middle(aligned, threads), kind, inside)
        motions, before = [registration.register(frame).motion for frame in frames], motions
    return registration


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
    """Return which pixels of a reduced frame lie wholly inside; see :func:`bgsub.background.registration.interior`."""
    if inside is None:
        return None
    whole: NDArray[np.bool_] = working_picture(np.where(inside, 255, 0).astype(np.uint8)) == 255
    return whole


def aligned_differences(
    pairs: Iterable[tuple[Image, Image]], registration: Registration
) -> NDArray[np.uint8]:
    """Return ``(pairs, pixels)`` uint8: channel maximum of |frame − next frame|, both brought onto the reference.

    As flicker is read from: what the camera's motion adds to the change from frame to frame is gone, what alignment
    cannot take out (blur, noise, trees) is in it. The frames should follow each other directly: over a gap of a few
    frames busy traffic changes most pixels.

    Parameters
    ----------
    pairs
        At least one; pictures of the registration's shape. Read once, one pair at a time.
    registration
        Against the reference. A change of light between the two frames is taken out, too.
    """
    steps = []
    for pair in pairs:
        found = [registration.register(image) for image in pair]
        first, second = (lit_as_reference(image, each) for image, each in zip(pair, found, strict=True))
        steps.append(channel_difference(first, second).reshape(-1))
    return np.stack(steps)


def lit_as_reference(image: Image, found: Registered, interpolation: str = "cubic") -> Image:
    """Return *image* warped onto the reference and in its light, uint8: (image − offset) / gain."""
    table = (LEVELS - found.offset) / found.gain
    return _looked_up(warp_to_reference(image, found.motion, interpolation), table)


def lit_as_frame(picture: Image, found: Registered, interpolation: str = "linear") -> Image:
    """Return *picture*, one of the reference's, warped onto the frame and in its light, uint8: gain · picture + offset.

    This is the background that a frame is held against. The registration finds gain and offset at no further cost.
    Linear interpolation takes a third of the time of cubic, and the masks are as good.
    """
    return _looked_up(warp_to_frame(picture, found.motion, interpolation), found.gain * LEVELS + found.offset)


def _looked_up(picture: Image, table: NDArray[np.float64]) -> Image:
    return np.asarray(cv2.LUT(picture, np.clip(np.rint(table), 0, 255).astype(np.uint8)), np.uint8)


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
