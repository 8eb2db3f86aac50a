"""How much a pixel of an empty scene strays from the centre, and from where on it is no longer noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ROWS = 20_000
"""Rows sampled for statistics: their errors are then below 1 %, and the cost does not grow with the picture."""
SMALLEST_NOISE = 0.3
"""Grey levels: rounding alone leaves 1/√12."""
SMALLEST_OUTLIER = 8.0
"""Grey levels: codecs leave blocks of this height in flat areas of an empty scene."""


@dataclass(frozen=True, slots=True)
class Residual:
    """The deviation from the centre at sampled rows.

    Attributes
    ----------
    rows
        ``(m,)`` indices of whole pixels' rows, sorted.
    values
        ``(n, m)`` float32, grey levels: frames − centre.
    total
        Number of rows of the whole matrix.
    channels
        Rows of one pixel: the sampled rows come in groups of this many.
    """

    rows: NDArray[np.int64]
    values: NDArray[np.float32]
    total: int
    channels: int


def sample_residual(
    frames: NDArray[np.uint8], centre: NDArray[np.float32], channels: int, seed: int
) -> Residual:
    """Sample about ROWS rows (whole pixels, without replacement) of *frames* − *centre*."""
    pixels = frames.shape[1] // channels
    count = min(pixels, ROWS // channels)
    chosen = np.sort(np.random.default_rng(seed).choice(pixels, count, replace=False))
    rows = (chosen[:, None] * channels + np.arange(channels)).ravel()
    return Residual(rows, frames[:, rows].astype(np.float32) - centre[rows], frames.shape[1], channels)


def noise_level(residual: Residual) -> float:
    """Return σ of the residual in grey levels: 1.4826 · median |r|, what moves being the minority.

    The median is interpolated within its grey level (grouped data), since r comes in steps of a half or a whole.
    """
    sizes = np.abs(residual.values)
    middle = float(np.median(sizes))
    step = 0.5 if np.any(sizes % 1) else 1.0
    below = float(np.mean(sizes < middle))
    inside = float(np.mean(sizes == middle))
    # |r| = 0 has no lower half: its group is half as wide.
    width, start = (step / 2, 0.0) if middle == 0 else (step, middle - step / 2)
    interpolated = start + width * (0.5 - below) / max(inside, 1e-12)
    return max(1.4826 * interpolated, SMALLEST_NOISE)


def outlier_level(noise: float) -> float:
    """Return the grey levels beyond which a deviation is no noise: 3σ, at least SMALLEST_OUTLIER."""
    return max(3 * noise, SMALLEST_OUTLIER)
