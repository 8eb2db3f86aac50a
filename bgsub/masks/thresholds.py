"""From which difference on a pixel is foreground: two thresholds for each pixel, from how restless its place is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgsub.masks.dynamic_background import Unrest, restless

QUIET = 25.0
"""Grey levels that no quiet pixel reaches through shadow, reflection or compression."""
CERTAIN = 35.0
"""Grey levels that some pixels of an object reach; where none does, it is light or a trace of something."""
SWAYS = 2.0
"""Ordinary deviations of a restless place that a pixel of an object exceeds."""
CERTAIN_SWAYS = 4.0
"""Ordinary deviations that some pixels of an object exceed."""
CALM = 12.0
"""Grey levels that the smoothed picture of a restless place does not reach by itself, however little it sways."""
CALM_CERTAIN = 25.0
"""The same for some pixels of every object."""
NOISE = 5.0
"""σ that a pixel of a speck exceeds: nothing else speaks for so few of them."""
TRACE = 15.0
"""Grey levels by which a pixel of a restless place itself differs, so that smoothing does not widen objects."""


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """The largest differences that are still background, ``(height, width)`` uint8 each, grey levels.

    Attributes
    ----------
    low
        For a pixel of an object.
    certain
        For some pixels of every object, without which it is none.
    sure
        For the pixels of specks, see :mod:`bgsub.masks.small_objects`; 255 where they are not looked for.
    own
        For the unsmoothed pixel where smoothed pictures are judged; 0 elsewhere.
    restless
        ``(height, width)`` bool: where smoothed pictures are judged.
    reason
        In words.
    """

    low: NDArray[np.uint8]
    certain: NDArray[np.uint8]
    sure: NDArray[np.uint8]
    own: NDArray[np.uint8]
    restless: NDArray[np.bool_]
    reason: str

    @classmethod
    def fixed(cls, shape: tuple[int, int], threshold: float) -> Levels:
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
    def of(cls, unrest: Unrest, sensitivity: float = 1.0, inside: NDArray[np.bool_] | None = None) -> Levels:
        """Return thresholds that follow the noise.

        QUIET and CERTAIN in quiet places. In restless ones, of smoothed pictures, SWAYS and CERTAIN_SWAYS times the
        ordinary deviation, at least CALM and CALM_CERTAIN, respectively. All divided by *sensitivity*. Specks, of which
        there is nothing but a few pixels, must exceed NOISE times the noise of the sensor, too, at any sensitivity.
        """
        moving, sway = restless(unrest.flicker, inside), unrest.sway
        if inside is not None:
            moving &= inside
        low = np.minimum(np.where(moving, np.maximum(SWAYS * sway, CALM), QUIET) / sensitivity, 255)
        certain = np.where(moving, np.maximum(CERTAIN_SWAYS * sway, CALM_CERTAIN), CERTAIN) / sensitivity
        sure = np.where(moving, 255, np.maximum(QUIET / sensitivity, NOISE * unrest.grain))
        own = np.where(moving, TRACE / sensitivity, 0)
        reason = _reason(moving if inside is None else moving[inside], low[moving], sensitivity, unrest.grain)
        return cls(_whole(low), _whole(certain), _whole(sure), _whole(own), moving, reason)


def _whole(levels: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Return whole levels: a difference, which is a whole number, exceeds a level exactly when it exceeds that."""
    return np.asarray(np.minimum(levels, 255).astype(np.uint8))


def _reason(
    moving: NDArray[np.bool_], levels: NDArray[np.floating], sensitivity: float, grain: NDArray[np.float32]
) -> str:
    quiet = f"threshold {QUIET / sensitivity:g} grey levels (some of an object {CERTAIN / sensitivity:g})"
    share = float(moving.mean())
    noise = ""
    if np.mean(grain > 0) > share:
        noise = f"; the noise of the sensor, σ {np.median(grain[grain > 0]):.1f}, is not taken for movement"
    if not share:
        return f"{quiet} everywhere: no place is restless{noise}"
    blind = share * float((levels >= 255).mean())
    return (
        f"{quiet}; in the restless {share:.1%} of the picture a median of {np.median(levels):.0f} and at most "
        f"{levels.max():.0f} of smoothed pictures"
        + (f"; nothing is foreground in the {blind:.1%} that change too much" if blind else "")
        + noise
    )
