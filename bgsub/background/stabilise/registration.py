"""Where a frame lies against a reference picture: the motion of a camera that shakes, to a fraction of a pixel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.stabilise.kernel import agreeing, best_shift, refine
from bgsub.errors import OptionError
from bgsub.frames.source import Image
from bgsub.masks.decisions import DECIDED

Motion = NDArray[np.float64]
"""``(2, 3)``: the point (x, y) of the reference, in pixels, is seen in the frame at motion · (x, y, 1)."""

PARAMETERS = {"translation": 2, "affine": 4}
SMALLEST_SIDE = 24
"""Pixels: the coarsest level is no smaller."""
POINTS = 3000
"""Of the finest level: with twice as many the masks are the same."""
WEAKEST = 1.0
"""Grey levels a pixel: a flatter place tells nothing about motion."""
FEWEST = 40
"""Points: fewer do not hold a motion when some lie on what moves."""
MARGIN = 4
"""Pixels next to the border and to the outside that no point is taken from, at every level: two of blur, one of slope,
one of interpolation."""
SEARCH = 4
"""Pixels either way, at the coarsest level, that are tried one by one."""
STEPS = (12, 0.01)
"""Most steps at a level, and the movement of a corner in pixels below which there is no further one."""
COARSE_STEPS = (8, 0.05)
COARSE = 2
"""From this level on only shifts are looked for."""
NOISE = 8.0
"""Grey levels that a pixel of an empty scene may differ by and still agree."""
TRUSTED = 0.55
"""Share of the points that must agree: what moves may cover a third of the picture."""
GAINS = (0.5, 2.0)
"""Changes of light that are believed: where nothing fits, a picture without contrast fits best."""
DOUBTED = 0.75
"""Where fewer points agree, a second start, at rest, is tried and the better end is taken."""
LARGEST_SHIFT = 0.25
"""Of the smaller side: beyond it the camera has been turned."""
LARGEST_TURN = 0.05
"""Radians, or relative change of scale."""


def identity() -> Motion:
    """Return the motion of a camera that stands still."""
    return np.eye(2, 3)


@dataclass(frozen=True, slots=True, eq=False)
class Registered:
    """Where a frame lies.

    Attributes
    ----------
    motion
        ``(2, 3)`` float64, reference to frame, pixels; the identity when it is not trusted.
    agreeing
        Share of the reference's points that the frame shows there, 0–1: the rest is hidden by what moves, or changed.
    trusted
        Whether *motion* was found: enough points agree, and it is a small one.
    gain, offset
        The light: the frame is gain · reference + offset (grey levels) where nothing hides it; 1 and 0 when *motion* is
        not trusted.
    """

    motion: Motion
    agreeing: float
    trusted: bool
    gain: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """One size of the reference: its points from the middle, their values, how these change with motion and shift."""

    points: NDArray[np.float32]
    values: NDArray[np.float32]
    slopes: NDArray[np.float32]
    shifts: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """What is needed to register frames against one reference; it does not change, and serves several threads.

    The motion p minimises Σ ρ(frame(p(x)) − gain·reference(x) − offset) over a fixed set of points x: in every cell of
    the picture the one with the steepest slope. ρ is Tukey's biweight, its width 4.685 · 1.4826 · median |r| of each
    step, so what moves has no weight; gain and offset take the light out. Gauss–Newton steps, the reference's slopes
    standing for the frame's (inverse compositional: Baker and Matthews, Lucas–Kanade 20 years on, IJCV 56, 2004),
    from coarse to fine; at the coarsest level every shift by whole pixels up to SEARCH is tried first.

    Attributes
    ----------
    shape
        ``(height, width)`` of reference and frames.
    kind
        ``"translation"``, or ``"affine"``: a shift, a turn and a change of scale (a similarity, since a camera that
        shakes does not shear the picture).
    levels
        Finest first.
    """

    shape: tuple[int, int]
    kind: str
    levels: tuple[Level, ...]

    @classmethod
    def of(
        cls, reference: Image, kind: str = "affine", inside: NDArray[np.bool_] | None = None
    ) -> Registration:
        """Choose the points.

        Parameters
        ----------
        reference
            ``(height, width)`` gray or ``(height, width, 3)`` RGB, uint8: the scene without what moves.
        kind
            ``"translation"`` or ``"affine"``.
        inside
            ``(height, width)`` bool: where points may be taken from; None for everywhere.

        Raises
        ------
        OptionError
            Another kind.
        """
        if kind not in PARAMETERS:
            raise OptionError(f"a motion is one of {', '.join(PARAMETERS)}, got {kind!r}")
        shape = (reference.shape[0], reference.shape[1])
        allowed = (
            np.full(shape, 255, np.uint8) if inside is None else np.where(inside, 255, 0).astype(np.uint8)
        )
        levels: list[Level] = []
        for number, picture in enumerate(pyramid(reference)):
            size = (picture.shape[1], picture.shape[0])
            free = interior(
                np.asarray(cv2.resize(allowed, size, interpolation=cv2.INTER_AREA), np.uint8) == 255
            )
            levels.append(_level(picture, free, POINTS >> number, PARAMETERS[kind]))
        while len(levels) > 1 and levels[-1].values.size < FEWEST:
            levels.pop()
        return cls(shape, kind, tuple(levels))

    @property
    def is_possible(self) -> bool:
        """Whether the reference has enough texture to register anything."""
        return self.levels[0].values.size >= FEWEST

    def register(self, image: Image, *, search: bool = True) -> Registered:
        """Find where *image* lies.

        Parameters
        ----------
        image
            ``shape`` gray or ``shape + (3,)`` RGB, uint8; need not have the reference's channels.
        search
            Look for a shift of many pixels first; without it, one of a few is found.

        Returns
        -------
        The motion, sub-pixel; the identity where it cannot be trusted. The same whatever the number of threads.
        """
        if not self.is_possible:
            return Registered(identity(), 0.0, trusted=False)
        pictures = pyramid(image)[: len(self.levels)]
        coarsest, start = self.levels[-1], (0, 0)
        if search:
            start = best_shift(pictures[-1], coarsest.points, coarsest.values, coarsest.slopes, SEARCH)
        found = self._descend(pictures, start)
        if found.agreeing < DOUBTED and start != (0, 0):
            found = max(
                found, self._descend(pictures, (0, 0)), key=lambda each: (each.trusted, each.agreeing)
            )
        return found if found.trusted else Registered(identity(), found.agreeing, trusted=False)

    def _descend(self, pictures: list[NDArray[np.uint8]], start: tuple[int, int]) -> Registered:
        """Register from coarse to fine, beginning with a shift by whole pixels of the coarsest level."""
        state = np.array([1.0, 0, start[0], 0, 1, start[1], 1, 0])
        held = True
        for number in range(len(self.levels) - 1, -1, -1):
            level, picture = self.levels[number], pictures[number]
            limits = COARSE_STEPS if number else STEPS
            # A turn is a matter of the finer levels: at the coarse ones few points would have to hold it.
            slopes = level.shifts if number >= COARSE else level.slopes
            held = refine(picture, level.points, level.values, slopes, state, limits) >= 0
            if number:
                finer = pictures[number - 1].shape
                state[2] *= finer[1] / picture.shape[1]
                state[5] *= finer[0] / picture.shape[0]
        finest = self.levels[0]
        share = agreeing(pictures[0], finest.points, finest.values, finest.slopes, state, NOISE)
        motion = self._full(state, pictures[0].shape)
        lit = GAINS[0] <= state[6] <= GAINS[1]
        trusted = bool(held and lit and share >= TRUSTED and self._is_small(motion))
        return Registered(motion, share, trusted, float(state[6]), float(state[7]))

    def _full(self, state: NDArray[np.float64], working: tuple[int, ...]) -> Motion:
        """Return the motion in pixels of the frame, from its corner, of one from the middle of the reduced picture."""
        size = np.array(self.shape[::-1], np.float64)
        scale = size / np.array(working[1::-1], np.float64)
        motion = state[:6].reshape(2, 3).copy()
        motion[:, :2] *= scale[:, None] / scale[None, :]
        middle = (size - 1) / 2
        motion[:, 2] = motion[:, 2] * scale + middle - motion[:, :2] @ middle
        return motion

    def _is_small(self, motion: Motion) -> bool:
        middle = (np.array(self.shape[::-1], np.float64) - 1) / 2
        shift = motion[:, :2] @ middle + motion[:, 2] - middle
        turn = np.abs(motion[:, :2] - np.eye(2)).max()
        return bool(np.abs(shift).max() <= LARGEST_SHIFT * min(self.shape) and turn <= LARGEST_TURN)


def interior(inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the pixels that nothing outside reaches, by blur, slope or interpolation: MARGIN from the outside."""
    square = np.ones((2 * MARGIN + 1, 2 * MARGIN + 1), np.uint8)
    kept: NDArray[np.bool_] = cv2.erode(inside.astype(np.uint8), square) > 0
    return kept


def pyramid(image: Image) -> list[NDArray[np.uint8]]:
    """Return the gray picture at working size and at halves of it, finest first, each slightly blurred."""
    sizes = [working_picture(image)]
    while min(sizes[-1].shape) >= 2 * SMALLEST_SIDE:
        sizes.append(_reduced(sizes[-1], 2))
    return [np.asarray(cv2.GaussianBlur(each, (5, 5), 1.0), np.uint8) for each in sizes]


def working_picture(image: Image) -> NDArray[np.uint8]:
    """Return *image* in gray, reduced by a whole factor to DECIDED.working_pixels at most; maybe itself."""
    gray = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    return _reduced(np.asarray(gray, np.uint8), working_factor(image.shape))


def working_factor(shape: Sequence[int]) -> int:
    """Return the factor by which :func:`working_picture` reduces a picture of this shape."""
    return max(1, math.ceil(math.sqrt(shape[0] * shape[1] / DECIDED.working_pixels)))


def _reduced(picture: NDArray[np.uint8], factor: int) -> NDArray[np.uint8]:
    if factor == 1:
        return picture
    size = (max(1, picture.shape[1] // factor), max(1, picture.shape[0] // factor))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _level(picture: NDArray[np.uint8], free: NDArray[np.bool_], wanted: int, parameters: int) -> Level:
    """Take the steepest free point of every cell of the picture, and how its value changes with the parameters."""
    height, width = picture.shape
    smooth = picture.astype(np.float32)
    across = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=0.125), np.float32)
    down = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=0.125), np.float32)
    window = np.ones((2 * MARGIN + 1, 2 * MARGIN + 1), np.uint8)
    border = cv2.BORDER_CONSTANT
    kept = cv2.erode(free.astype(np.uint8), window, borderType=border, borderValue=0)
    y, x = _steepest(np.hypot(across, down) * np.asarray(kept, np.float32), wanted)
    right, below = x - 0.5 * (width - 1), y - 0.5 * (height - 1)
    gx, gy = across[y, x], down[y, x]
    slopes = np.stack([gx, gy, gx * right + gy * below, gy * right - gx * below][:parameters], axis=1)
    points = np.stack([right, below])
    slopes = np.ascontiguousarray(slopes, np.float32)
    return Level(points.astype(np.float32), smooth[y, x], slopes, np.ascontiguousarray(slopes[:, :2]))


def _steepest(slope: NDArray[np.float32], wanted: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows and columns of the largest value in each square cell, where it is at least WEAKEST."""
    height, width = slope.shape
    side = max(2, math.isqrt(height * width // max(wanted, 1)))
    rows, columns = height // side, width // side
    cells = slope[: rows * side, : columns * side].reshape(rows, side, columns, side).swapaxes(1, 2)
    flat = cells.reshape(rows, columns, side * side)
    place, strong = flat.argmax(axis=2), flat.max(axis=2, initial=0.0) >= WEAKEST
    y = np.arange(rows)[:, None] * side + place // side
    x = np.arange(columns)[None, :] * side + place % side
    return y[strong].astype(np.int64), x[strong].astype(np.int64)
