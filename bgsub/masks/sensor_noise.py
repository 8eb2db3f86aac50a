"""The noise of the sensor, told from what moves: it is alike everywhere, and no two pixels change together."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from bgsub.base.warn import report
from bgsub.frames.source import Image
from bgsub.masks.dynamic_background import DYNAMIC

CALMEST = 0.1
"""Share of the picture whose flicker is the sensor's, if anything is: elsewhere something may move."""
ALIKE = 1.2
"""Times the flicker of the calmest places that is still the sensor's: noise differs with the light of a place."""
APART = 2
"""Pixels between two that are compared: neighbours share what a sensor of one colour a pixel interpolates."""
TOGETHER = 0.25
"""Largest correlation of such pixels' changes in noise. Of leaves, water and traffic it is 0.33 at least, of raw
noise 0, of noise that a codec has smoothed between."""
MOST = 14.0
"""Grey levels of noise up to which a pixel by itself tells an object; above, only the mean over a window does."""
BELIEVED = 50.0
"""Grey levels of noise that a camera may have; more are pictures that have nothing to do with each other."""


def measure_sensor_noise(
    pairs: Iterable[tuple[Image, Image]],
    flicker: NDArray[np.float32],
    inside: NDArray[np.bool_] | None = None,
) -> NDArray[np.float32]:
    """Return σ of the sensor's noise at each pixel, ``(height, width)`` float32, grey levels; 0 where more moves.

    Parameters
    ----------
    pairs
        Consecutive frames, each ``(height, width, 3)`` or ``(height, width)`` uint8; some are enough. None is looked at
        where the flicker of the calmest places is none that would be taken for movement.
    flicker
        ``(height, width)`` float32, grey levels, see :func:`bgsub.masks.flicker.flicker`.
    inside
        ``(height, width)`` bool: the pixels that count; None for all.

    Notes
    -----
    Where the flicker is at most ALIKE times that of the calmest places, the signs of the changes d = m_t − m_{t+1} of
    pixels APART from each other are compared: of Gaussian changes with correlation ρ the mean product of signs is
    2 arcsin(ρ)/π (Sheppard 1899), whatever their size. What is at most TOGETHER in the median pair is noise; its σ, of
    one channel, is 1.4826 · median |d| / √2, at a pixel in proportion to its flicker.

    Warns
    -----
    BgsubWarning
        σ is above MOST, and not above BELIEVED.
    """
    nothing = np.zeros_like(flicker)
    alike = _alike(flicker, inside)
    if not alike.any():
        return nothing
    told = [
        (_correlation(np.sign(each), alike), _spread(each[alike]))
        for each in (_change(*pair) for pair in pairs)
    ]
    if not told:
        return nothing
    correlation, sigma = np.median(told, axis=0)
    if correlation > TOGETHER:
        return nothing
    if MOST < sigma <= BELIEVED:
        report(
            f"the noise of the camera is σ {sigma:.0f} grey levels: above {MOST:g} masks are some pixels wider than "
            "what moves, and what is small is lost; a smaller --scale averages the noise away (0.5 halves it)"
        )
    sensor_noise = np.where(alike, flicker * float(sigma / np.median(flicker[alike])), 0).astype(np.float32)
    return np.where(sensor_noise <= MOST, sensor_noise, nothing)


def _alike(flicker: NDArray[np.float32], inside: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Return where the flicker may be the sensor's; nowhere if none of that would be taken for movement."""
    counted = np.ones(flicker.shape, bool) if inside is None else inside
    calm = float(np.quantile(flicker[counted], CALMEST)) if counted.any() else 0.0
    return counted & (flicker <= ALIKE * calm) & (ALIKE * calm > DYNAMIC)


def _spread(changes: NDArray[np.int16]) -> float:
    """Return σ of the noise of one frame from the changes between two."""
    return 1.4826 / math.sqrt(2) * float(np.median(np.abs(changes)))


def _change(now: Image, after: Image) -> NDArray[np.int16]:
    """Return the difference of one channel: green, of which a sensor has most and a codec loses least."""
    first, second = (each if each.ndim == 2 else each[..., 1] for each in (now, after))
    return first.astype(np.int16) - second


def _correlation(signs: NDArray[np.int16], alike: NDArray[np.bool_]) -> float:
    """Return the correlation of values APART from each other, across and down, from their signs."""
    total = count = 0
    for values, counted in ((signs, alike), (signs.T, alike.T)):
        products = (values[APART:] * values[:-APART])[counted[APART:] & counted[:-APART]]
        total += int(products.sum())
        count += int(np.count_nonzero(products))
    # Where hardly anything changes nothing is known: it may as well be one thing.
    return math.sin(math.pi / 2 * total / count) if count else 1.0
