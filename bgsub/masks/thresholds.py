"""From which difference on a pixel is foreground: two thresholds for each pixel, from what the scene does there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgsub.masks.dynamic_background import SceneActivity, find_dynamic

STATIC_LOW = 25.0
"""Grey levels that no pixel of static background reaches through shadow, reflection or compression."""
STATIC_HIGH = 35.0
"""Grey levels that some pixels of an object reach; where none does, it is light or a trace of something."""
DYNAMIC_LOW = 2.0
"""Times the ordinary deviation of dynamic background that a pixel of an object exceeds."""
DYNAMIC_HIGH = 4.0
"""The same for some pixels of every object."""
LEAST_LOW = 12.0
"""Grey levels that the smoothed picture of dynamic background does not reach by itself, however little it deviates."""
LEAST_HIGH = 25.0
"""The same for some pixels of every object."""
NOISE = 5.0
"""Times σ of the sensor that a pixel of a small object exceeds: nothing else speaks for so few of them."""
UNSMOOTHED = 15.0
"""Grey levels by which a pixel of dynamic background itself differs, so that smoothing does not widen objects."""


@dataclass(frozen=True, slots=True, eq=False)
class Thresholds:
    """The largest differences that are still background, ``(height, width)`` uint8 each, grey levels.

    Attributes
    ----------
    low
        For a pixel of an object.
    high
        For some pixels of every object, without which it is none.
    small
        For the pixels of small objects, see :mod:`bgsub.masks.small_objects`; 255 where they are not looked for.
    unsmoothed
        For the pixel itself where smoothed pictures are compared; 0 elsewhere.
    dynamic
        ``(height, width)`` bool: where smoothed pictures are compared.
    reason
        In words.
    """

    low: NDArray[np.uint8]
    high: NDArray[np.uint8]
    small: NDArray[np.uint8]
    unsmoothed: NDArray[np.uint8]
    dynamic: NDArray[np.bool_]
    reason: str

    @classmethod
    def fixed(cls, shape: tuple[int, int], threshold: float) -> Thresholds:
        """Return the same threshold for all pixels and all differences, as asked for."""
        level, nothing = np.full(shape, int(threshold), np.uint8), np.zeros(shape, np.uint8)
        return cls(
            level,
            level,
            np.full(shape, 255, np.uint8),
            nothing,
            nothing > 0,
            f"threshold {threshold:g} grey levels: as asked for",
        )

    @classmethod
    def of(
        cls, activity: SceneActivity, sensitivity: float = 1.0, inside: NDArray[np.bool_] | None = None
    ) -> Thresholds:
        """Return thresholds that follow the noise.

        STATIC_LOW and STATIC_HIGH in static background; in dynamic background, of smoothed pictures, DYNAMIC_LOW
        and DYNAMIC_HIGH times the ordinary deviation, at least LEAST_LOW and LEAST_HIGH, respectively. All divided by
        *sensitivity*. Small objects must exceed NOISE times the noise of the sensor, too, at any sensitivity.
        """
        moving, allowed = find_dynamic(activity.flicker, inside), activity.allowed_deviation
        if inside is not None:
            moving &= inside
        low = np.where(moving, np.maximum(DYNAMIC_LOW * allowed, LEAST_LOW), STATIC_LOW) / sensitivity
        low = np.minimum(low, 255)
        high = np.where(moving, np.maximum(DYNAMIC_HIGH * allowed, LEAST_HIGH), STATIC_HIGH) / sensitivity
        small = np.where(moving, 255, np.maximum(STATIC_LOW / sensitivity, NOISE * activity.sensor_noise))
        unsmoothed = np.where(moving, UNSMOOTHED / sensitivity, 0)
        reason = _reason(
            moving if inside is None else moving[inside], low[moving], sensitivity, activity.sensor_noise
        )
        return cls(_whole(low), _whole(high), _whole(small), _whole(unsmoothed), moving, reason)


def _whole(levels: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Return whole levels: a difference, which is a whole number, exceeds a level exactly when it exceeds that."""
    return np.asarray(np.minimum(levels, 255).astype(np.uint8))


def _reason(
    moving: NDArray[np.bool_],
    levels: NDArray[np.floating],
    sensitivity: float,
    sensor_noise: NDArray[np.float32],
) -> str:
    low, high = STATIC_LOW / sensitivity, STATIC_HIGH / sensitivity
    quiet = f"threshold {low:g} grey levels ({high:g} in part of every object)"
    share = float(moving.mean())
    noise = ""
    if np.mean(sensor_noise > 0) > share:
        sigma = np.median(sensor_noise[sensor_noise > 0])
        noise = f"; the noise of the sensor, σ {sigma:.1f}, is not taken for movement"
    if not share:
        return f"{quiet} everywhere: no background is dynamic{noise}"
    blind = share * float((levels >= 255).mean())
    return (
        f"{quiet}; in the {share:.1%} of the picture that is dynamic background a median of {np.median(levels):.0f} "
        f"and at most {levels.max():.0f} of smoothed pictures"
        + (f"; nothing is foreground in the {blind:.1%} that change too much" if blind else "")
        + noise
    )
