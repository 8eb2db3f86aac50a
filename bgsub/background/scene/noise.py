"""How much a pixel of an empty scene strays from the centre, and from where on it is no longer noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ROWS = 20_000
"""Rows sampled for statistics: their errors are then below 1 %, and the cost does not grow with the picture."""
SMALLEST_NOISE = 0.3
"""Grey levels: rounding alone leaves 1/√12."""
OUTLIERS = 3.0
"""Noise levels: of Gaussian noise 0.3 % lies beyond."""
LEVELS = 256
"""Grey levels up to which deviations are told apart: no pixel strays farther from a picture, but in the light of a fit
it may, and counts as the largest."""
SMALLEST_OUTLIER = 8.0
"""Grey levels: codecs leave blocks of this height in flat areas of an empty scene."""


@dataclass(frozen=True, slots=True, eq=False)
class Residual:
    """The deviation from the centre at sampled rows.

    Attributes
    ----------
    rows
        ``(m,)`` indices of whole pixels' rows, sorted.
    values
        ``(n, m)`` float32, grey levels: frames − centre.
    total
        Number of rows of the whole matrix that count: those of pixels inside the region.
    channels
        Rows of one pixel: the sampled rows come in groups of this many.
    """

    rows: NDArray[np.int64]
    values: NDArray[np.float32]
    total: int
    channels: int


def sample_residual(
    frames: NDArray[np.uint8],
    centre: NDArray[np.float32],
    channels: int,
    seed: int,
    inside: NDArray[np.bool_] | None = None,
) -> Residual:
    """Sample about ROWS rows of *frames* − *centre*: whole pixels without replacement, if given only those *inside*."""
    pixels = frames.shape[1] // channels if inside is None else int(np.count_nonzero(inside))
    count = min(pixels, ROWS // channels)
    chosen = np.sort(np.random.default_rng(seed).choice(pixels, count, replace=False))
    if inside is not None:
        chosen = np.flatnonzero(inside)[chosen]
    rows = (chosen[:, None] * channels + np.arange(channels)).ravel()
    return Residual(rows, frames[:, rows].astype(np.float32) - centre[rows], pixels * channels, channels)


def noise_level(residual: Residual) -> float:
    """Return σ of the residual in grey levels before rounding, what moves being the minority.

    1.4826 · median |r|, once of everything, and again of what lies within OUTLIERS times the first: what moves makes
    the first too large, by a third where it takes up 20 % of the entries. The variance of rounding, 1/12, is taken off
    (Sheppard's correction). Of fewer than some 20 frames the level is too low, since the centre follows them.
    """
    halves = np.zeros(2 * LEVELS, np.int64)
    for frame in residual.values:
        found = np.minimum(np.rint(2 * np.abs(frame)), 2 * LEVELS - 1).astype(np.int64)
        halves += np.bincount(found, minlength=2 * LEVELS)
    rough = _spread(halves)
    fine = _spread(halves[: math.floor(2 * OUTLIERS * rough) + 1])
    return math.sqrt(max(fine**2 - 1 / 12, SMALLEST_NOISE**2))


def outlier_level(noise: float) -> float:
    """Return the grey levels beyond which a deviation is no noise: 3σ, at least SMALLEST_OUTLIER."""
    return max(OUTLIERS * noise, SMALLEST_OUTLIER)


def _spread(halves: NDArray[np.int64]) -> float:
    """Return 1.4826 · median |r| from the number of entries with |r| = 0, ½, 1, and so on.

    Frames come in whole grey levels, so each r stands for all of r ± ½, also where the centre lies half way between
    two: half of the entries of each |r| belong half a level above it, half of them below; all above where r = 0.
    """
    between = halves / 2
    between[0] += halves[0] / 2
    between[:-1] += halves[1:] / 2
    reached = np.concatenate([[0.0], np.cumsum(between)])
    return 1.4826 * float(np.interp(reached[-1] / 2, reached, np.arange(len(reached)) / 2))


def nbytes(columns: int) -> int:
    """Return the bytes of a :class:`Residual`."""
    return columns * ROWS * np.dtype(np.float32).itemsize
