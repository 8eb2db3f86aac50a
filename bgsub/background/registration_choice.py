"""Does the camera shake? Decided by whether alignment explains what the frames differ by, not by the motion found."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.centre import temporal_median
from bgsub.background.registration import Registered, working_factor
from bgsub.background.registration_columns import (
    displacement,
    sharp_reference,
    working_frames,
    working_inside,
)
from bgsub.background.registration_warp import inverse, known, warp_to_reference

FELT = 0.2
"""Pixels that the corners must move by: a still camera, water and curtains included, reads 0.01–0.4."""
EXPLAINED = 0.8
"""A frame counts as shaken when alignment leaves at most this share of its difference from the median. On still cameras
it leaves 0.9–1.0, on shaken ones 0.2–0.7."""
SHARE = 0.2
"""Of the frames: gusts may shake a camera for a part of the time only."""
BETTER = 0.95
"""Turn and scale are worth it when they leave this share, or less, of what a shift leaves."""
MOST = 30.0
"""Grey levels: larger differences count as this much, so that what moves does not decide."""
FEWEST = 6
"""Frames: the median of fewer follows each of them."""


@dataclass(frozen=True, slots=True)
class Stabilisation:
    """What was decided.

    Attributes
    ----------
    kind
        ``"off"``, ``"translation"`` or ``"affine"``.
    reason
        One line, with the figures.
    """

    kind: str
    reason: str

    @property
    def is_on(self) -> bool:
        """Whether frames are to be registered."""
        return self.kind != "off"


@dataclass(frozen=True, slots=True, eq=False)
class _Trial:
    """One kind of motion, tried on the frames: how far they moved, and the differences before and after."""

    shifts: NDArray[np.float64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]

    @property
    def ratios(self) -> NDArray[np.float64]:
        return np.asarray(self.after / np.maximum(self.before, 1e-9), np.float64)

    @property
    def shaken(self) -> NDArray[np.bool_]:
        return (self.shifts >= FELT) & (self.ratios <= EXPLAINED)


def decide(
    frames: NDArray[np.uint8],
    shape: tuple[int, int],
    channels: int,
    wanted: str = "auto",
    inside: NDArray[np.bool_] | None = None,
) -> Stabilisation:
    """Decide whether frames are to be registered, and by which motion.

    At most 40 of the frames are registered against their median, made anew until it is sharp. The camera shakes when
    in a fifth of them (SHARE) the picture moves and alignment takes away a fifth (1 − EXPLAINED) of the difference from
    the median, at the steep places of the picture: a swaying tree, water or a large object moves, too, but the rest of
    the picture does not follow.

    Parameters
    ----------
    frames
        ``(n, rows)`` uint8, not changed.
    shape, channels
        ``rows`` is height × width × channels.
    wanted
        ``"auto"``, or what is taken as it is: ``"off"``, ``"translation"``, ``"affine"``.
    inside
        ``shape`` bool: the pixels that are looked at; None for all.

    Notes
    -----
    About a quarter of a second for 320 × 240, one second for a larger picture; does not grow with the number of frames.
    """
    if wanted != "auto":
        return Stabilisation(wanted, f"stabilisation {wanted}: as asked for")
    if len(frames) < FEWEST:
        return Stabilisation("off", f"stabilisation off: {len(frames)} frames are too few to tell")
    gray, area = working_frames(frames, shape, channels), working_inside(inside)
    shifted = _try(gray, "translation", area)
    if shifted is None:
        return Stabilisation(
            "off", "stabilisation off: the picture has too little texture to tell whether it moves"
        )
    turned = _try(gray, "affine", area)
    is_turned = turned is not None and turned.after.mean() <= BETTER * shifted.after.mean()
    kind, trial = ("affine", turned) if turned is not None and is_turned else ("translation", shifted)
    figures = _figures(trial, working_factor(shape))
    if trial.shaken.mean() < SHARE:
        return Stabilisation("off", f"stabilisation off: {figures}; the camera stands still")
    return Stabilisation(kind, f"stabilisation {kind}: {figures}; the camera shakes")


def _figures(trial: _Trial, factor: int) -> str:
    return (
        f"aligning moves the picture by {factor * np.median(trial.shifts):.2f} pixels and leaves "
        f"{np.median(trial.ratios):.0%} of the difference from the median; a motion explains "
        f"{trial.shaken.mean():.0%} of the frames"
    )


def _try(gray: NDArray[np.uint8], kind: str, inside: NDArray[np.bool_] | None) -> _Trial | None:
    """Register all frames against their sharp median; None when nothing holds a motion."""
    registration = sharp_reference(gray, kind, inside)
    if not registration.is_possible:
        return None
    found = [registration.register(frame) for frame in gray]
    aligned = np.stack(
        [warp_to_reference(frame, each.motion, "linear") for frame, each in zip(gray, found, strict=True)]
    )
    median, reference = _median(gray), _median(aligned)
    places = _steep(median, inside)
    pairs = [
        _differences(frame, warped, each, (median, reference, places))
        for frame, warped, each in zip(gray, aligned, found, strict=True)
    ]
    before, after = np.array(pairs).T
    shifts = np.array([displacement(each.motion, median.shape) for each in found])
    return _Trial(shifts, before, after)


def _median(pictures: NDArray[np.uint8]) -> NDArray[np.uint8]:
    middle = temporal_median(pictures.reshape(len(pictures), -1))
    return np.rint(middle).astype(np.uint8).reshape(pictures.shape[1:])


def _steep(picture: NDArray[np.uint8], inside: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Return the steepest 30 % of the pixels: where a shift is seen."""
    smooth = cv2.GaussianBlur(picture, (5, 5), 1.0).astype(np.float32)
    slope = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1))
    looked_at = np.ones(picture.shape, bool) if inside is None else inside
    steep: NDArray[np.bool_] = (slope >= np.quantile(slope[looked_at], 0.7)) & looked_at
    return steep


def _differences(
    frame: NDArray[np.uint8],
    warped: NDArray[np.uint8],
    found: Registered,
    against: tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.bool_]],
) -> tuple[float, float]:
    """Return the mean clipped difference of a frame from the median, and aligned from the sharp one.

    All are blurred alike: interpolation takes noise away, which is not what is to be measured.
    """
    median, reference, places = against
    seen = places & known(inverse(found.motion), (median.shape[0], median.shape[1]))
    values = []
    for picture, ideal in ((frame, median), (warped, reference)):
        blurred = (cv2.GaussianBlur(each, (5, 5), 1.0) for each in (picture, ideal))
        values.append(float(np.minimum(cv2.absdiff(*blurred)[seen], MOST).mean()) if seen.any() else 0.0)
    return values[0], values[1]
