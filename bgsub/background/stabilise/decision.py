"""Does the camera shake? Decided by whether alignment explains what the frames differ by, not by the motion found."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.scene.centre import temporal_median
from bgsub.background.stabilise.columns import (
    FEWEST,
    displacement,
    sharp_reference,
    working_frames,
    working_inside,
)
from bgsub.background.stabilise.lit_warp import lit_as_reference, relit_as_reference
from bgsub.background.stabilise.registration import Registered, Registration, interior, working_factor
from bgsub.background.stabilise.warp import inverse, known
from bgsub.base.plural import count_of

FELT = ((0.2, 0.8), (0.75, 0.92))
"""A frame counts as shaken when its corners move by so many pixels and alignment leaves at most that share of its
difference from the median; either will do. Still cameras read 0.01–0.4 pixels, water and curtains included, and
0.95–1.0; shaken ones 0.2–0.7, and 0.9 where the picture is all water."""
SHARE = 0.2
"""Of the frames: gusts may shake a camera for a part of the time only."""
BLOCKS = 8
"""Parts of the picture along either side that are looked at one by one."""
WORSE = 1.2
"""A part gets worse when its difference grows by more than this factor and a grey level."""
AGAINST = 0.2
"""Of the parts: when more get worse, something large moves, and not the camera."""
FOLLOWED = 0.5
"""Share of the frames whose motion must be found. Where it is not, large motions may have left a median without edges:
a single frame is then tried as the start, in which an object that fills the picture finds itself, too, but makes the
other parts worse."""
WORTH = 0.9
"""Alignment leaves this share of the mean difference at most: what it does for some frames it undoes for others."""
CLEARLY = 0.5
"""The same where a single frame was the start: what it found is believed only if it explains most of what differs."""
BETTER = 0.95
"""Turn and scale are worth it when they leave this share, or less, of what a shift leaves."""
MOST = 30.0
"""Grey levels: larger differences count as this much, so that what moves does not decide."""
GLANCED = 10
"""Frames that are registered first."""
STILL = 0.15
"""Pixels: where none of these moves by as much, nothing more is tried."""


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
    """One kind of motion, tried on the frames: how far they moved, the differences before and after, what got worse."""

    shifts: NDArray[np.float64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    worse: NDArray[np.float64]
    trusted: float

    @property
    def ratios(self) -> NDArray[np.float64]:
        return np.asarray(self.after / np.maximum(self.before, 1e-9), np.float64)

    @property
    def shaken(self) -> NDArray[np.bool_]:
        explained = [(self.shifts >= shift) & (self.ratios <= ratio) for shift, ratio in FELT]
        shaken: NDArray[np.bool_] = np.any(explained, axis=0) & (self.worse <= AGAINST)
        return shaken

    def is_shaking(self, worth: float = WORTH) -> bool:
        """Whether a motion of the camera is what the frames differ by."""
        explains = self.after.mean() <= worth * self.before.mean()
        return bool(explains and self.shaken.mean() >= SHARE and self.trusted >= FOLLOWED)


def decide(
    frames: NDArray[np.uint8],
    shape: tuple[int, int],
    channels: int,
    wanted: str = "auto",
    inside: NDArray[np.bool_] | None = None,
) -> Stabilisation:
    """Decide whether frames are to be registered, and by which motion.

    At most 40 of the frames are registered against their median, made anew until it is sharp. The camera shakes when
    in a fifth of them (SHARE) the picture moves and alignment takes away enough (FELT) of the difference from the
    median, at the steep places of the picture, and makes hardly any part of it worse (AGAINST): a swaying tree, water
    or a large object moves, too, but the rest of the picture does not follow. Of all the frames most must be followed
    (FOLLOWED), and the mean difference be less by a tenth (WORTH).

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
    40 frames at working size, two kinds of motion, two or three rounds each: about a second, whatever the number of
    frames and their size.
    """
    if wanted != "auto":
        return Stabilisation(wanted, f"stabilisation {wanted}: as asked for")
    if len(frames) < FEWEST:
        return Stabilisation("off", f"stabilisation off: {count_of(len(frames), 'frame')} cannot tell")
    gray, area = working_frames(frames, shape, channels), working_inside(inside)
    if (still := _glance(gray, area)) is not None:
        return Stabilisation(
            "off", f"stabilisation off: {still * working_factor(shape):.2f} pixels of motion at most"
        )
    shifted = _try(gray, "translation", area)
    if shifted is None:
        return Stabilisation(
            "off", "stabilisation off: the picture has too little texture to tell whether it moves"
        )
    turned = _try(gray, "affine", area)
    is_turned = turned is not None and turned.after.mean() <= BETTER * shifted.after.mean()
    kind, trial = ("affine", turned) if turned is not None and is_turned else ("translation", shifted)
    figures = _figures(trial, working_factor(shape))
    if not trial.is_shaking():
        return Stabilisation("off", f"stabilisation off: {figures}")
    return Stabilisation(kind, f"stabilisation {kind}: {figures}")


def _glance(gray: NDArray[np.uint8], inside: NDArray[np.bool_] | None) -> float | None:
    """Return the largest motion of some frames where that says that the camera stands still, pixels; else None."""
    few = gray[:: max(1, len(gray) // GLANCED)]
    registration = Registration.of(_median(few), "affine", inside)
    if not registration.is_possible:
        return None
    # A camera that stands still is near: the search, and its compilation, are for the others.
    found = [registration.register(frame, search=False) for frame in few]
    moved = max(displacement(each.motion, gray.shape[1:]) for each in found)
    return moved if all(each.trusted for each in found) and moved < STILL else None


def _figures(trial: _Trial, factor: int) -> str:
    if trial.trusted < 0.5:
        return f"only {trial.trusted:.0%} of the frames can be registered against their median"
    return (
        f"aligning moves the picture by {factor * np.median(trial.shifts):.2f} pixels and leaves "
        f"{np.median(trial.ratios):.0%} of the difference from the median; a motion explains "
        f"{trial.shaken.mean():.0%} of the frames"
    )


def _try(gray: NDArray[np.uint8], kind: str, inside: NDArray[np.bool_] | None) -> _Trial | None:
    """Register all frames against their sharp median, found from one of them where need be; None without texture."""
    first = _try_from(gray, kind, inside, insist=False)
    if first is None or first.trusted >= FOLLOWED:
        return first
    second = _try_from(gray, kind, inside, insist=True)
    return second if second is not None and second.is_shaking(CLEARLY) else first


def _try_from(
    gray: NDArray[np.uint8], kind: str, inside: NDArray[np.bool_] | None, insist: bool
) -> _Trial | None:
    registration = sharp_reference(gray, kind, inside, insist=insist)
    if not registration.is_possible:
        return None
    found = [registration.register(frame) for frame in gray]
    # In one light: what light makes of a frame would hide what the motion does.
    placed = list(zip(gray, found, strict=True))
    still = np.stack([relit_as_reference(frame, each) for frame, each in placed])
    aligned = np.stack([lit_as_reference(frame, each, "linear") for frame, each in placed])
    median, reference = _median(still), _median(aligned)
    places = _steep(median, None if inside is None else interior(inside))
    pairs = [
        _differences(frame, warped, each, (median, reference, places))
        for frame, warped, each in zip(still, aligned, found, strict=True)
    ]
    before, after, worse = np.array(pairs).T
    shifts = np.array([displacement(each.motion, median.shape) for each in found])
    return _Trial(shifts, before, after, worse, float(np.mean([each.trusted for each in found])))


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
) -> tuple[float, float, float]:
    """Return how a frame differs from its median, how it differs once aligned, and the share of parts that get worse.

    Both are in the reference's light. Differences are clipped, and means over the steep places. All pictures are
    blurred alike: interpolation takes noise away, which is not what is to be measured.
    """
    median, reference, places = against
    seen = (places & known(inverse(found.motion), (median.shape[0], median.shape[1]))).astype(np.float32)
    weight = _blocks(seen)
    if not weight.any():
        return 0.0, 0.0, 0.0
    before, after = (_blocks(_clipped(*pair) * seen) for pair in ((frame, median), (warped, reference)))
    worse = after[weight > 0] > WORSE * before[weight > 0] + weight[weight > 0]
    total = float(weight.sum())
    return float(before.sum()) / total, float(after.sum()) / total, float(worse.mean())


def _clipped(picture: NDArray[np.uint8], ideal: NDArray[np.uint8]) -> NDArray[np.float32]:
    first, second = (cv2.GaussianBlur(each, (5, 5), 1.0) for each in (picture, ideal))
    return np.minimum(cv2.absdiff(first, second), MOST).astype(np.float32)


def _blocks(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the means over BLOCKS × BLOCKS parts of a picture."""
    return np.asarray(cv2.resize(values, (BLOCKS, BLOCKS), interpolation=cv2.INTER_AREA), np.float32)
