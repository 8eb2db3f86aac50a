"""Pictures of a high dynamic range as a screen of standard range shows them."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.source import Image

NAMES = {16: "PQ", 18: "HLG"}
"""Transfer characteristics of a high dynamic range (ITU-T H.273, numbered as in FFmpeg), and what they are called."""

WHITE, PEAK = 203.0, 1000.0
"""Luminance in cd/m² of white paper (ITU-R BT.2408), and the largest that is kept apart from larger ones."""
KNEE = 0.3
"""Light up to this share of white keeps its proportions."""
GAMMA = 2.2
ROWS = 64
"""Rows that are converted at a time, in floating point."""

_TO_709 = np.array(
    [[1.660491, -0.587641, -0.072850], [-0.124550, 1.132900, -0.008349], [-0.018151, -0.100579, 1.118730]],
    np.float32,
)
"""Linear RGB of BT.2020 to that of BT.709 (ITU-R BT.2087)."""


def tone_mapped(picture: NDArray[np.uint16], transfer: int) -> Image:
    """Return a picture in 8 bits of standard range.

    Per channel, the stored value becomes light relative to white, light above the knee j is compressed by the
    Möbius curve that FFmpeg's ``tonemap`` has, which meets the straight line smoothly and takes the peak to 1,

        y = x (x ≤ j);   y = (b² + 2bj + j²)/(b − a) · (x + a)/(x + b),
        a = −j²(p − 1)/(j² − 2j + p),   b = (j² − 2jp + p)/(p − 1),   p = PEAK/WHITE,

    primaries become those of BT.709, and light becomes values by the power 1/2.2.

    Parameters
    ----------
    picture
        ``(height, width, 3)`` RGB of BT.2020, 0 … 65,535.
    transfer
        A key of NAMES.
    """
    light, values = _light(transfer), _values()
    mapped = np.empty(picture.shape, np.uint8)
    for top in range(0, len(picture), ROWS):
        linear = cv2.transform(light[picture[top : top + ROWS]], _TO_709)
        steps = np.clip(linear, 0, 1) * (len(values) - 1) + 0.5
        mapped[top : top + ROWS] = values[steps.astype(np.uint16)]
    return mapped


@cache
def _light(transfer: int) -> NDArray[np.float32]:
    """Return the compressed light of each stored value."""
    stored = np.linspace(0, 1, 65536)
    luminance = _pq(stored) if NAMES[transfer] == "PQ" else _hlg(stored)
    return _compressed(luminance / WHITE).astype(np.float32)


@cache
def _values() -> NDArray[np.uint8]:
    """Return the 8-bit values of light in 65,536 steps."""
    return np.asarray(np.rint(255 * np.linspace(0, 1, 65536) ** (1 / GAMMA)), np.uint8)


def _pq(stored: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the luminance in cd/m² of values 0 … 1 (SMPTE ST 2084)."""
    m1, m2, c1, c2, c3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128
    root = stored ** (1 / m2)
    return np.asarray(10_000 * (np.maximum(root - c1, 0) / (c2 - c3 * root)) ** (1 / m1))


def _hlg(stored: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the luminance in cd/m² on a display of 1,000 (ITU-R BT.2100; the system gamma for each channel)."""
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    scene = np.where(stored <= 0.5, stored**2 / 3, (np.exp((stored - c) / a) + b) / 12)
    return np.asarray(1000 * scene**1.2)


def _compressed(light: NDArray[np.float64]) -> NDArray[np.float64]:
    j, p = KNEE, PEAK / WHITE
    a = -(j**2) * (p - 1) / (j**2 - 2 * j + p)
    b = (j**2 - 2 * j * p + p) / (p - 1)
    curve = (b**2 + 2 * b * j + j**2) / (b - a) * (light + a) / (light + b)
    return np.asarray(np.minimum(np.where(light <= j, light, curve), 1))
