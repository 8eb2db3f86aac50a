"""From which difference on a pixel is foreground: one level of significance, in the units of each place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgsub.masks.significance import AREA, SIDE

HIGHEST = AREA * 255
"""The largest sum over a window."""


@dataclass(frozen=True, slots=True, eq=False)
class Thresholds:
    """The largest differences that are still background.

    Attributes
    ----------
    sums
        ``(height, width)`` uint16: of window sums, grey levels times :data:`.AREA`; None where pixels are compared.
    pixels
        ``(height, width)`` uint8, grey levels: of single pixels. Where *sums* decides, those of small objects (see
        :mod:`bgsub.masks.small_objects`), which no window holds; white noise is SIDE times as large there.
    reason
        In words.
    """

    sums: NDArray[np.uint16] | None
    pixels: NDArray[np.uint8]
    reason: str

    @property
    def limits(self) -> NDArray[np.float32]:
        """``(height, width)`` float32, grey levels: larger differences are foreground."""
        levels = self.pixels if self.sums is None else self.sums / np.float32(AREA)
        return np.asarray(levels, np.float32)

    @classmethod
    def fixed(cls, shape: tuple[int, int], threshold: float) -> Thresholds:
        """Return the same threshold for all pixels, as asked for."""
        return cls(
            None,
            np.full(shape, int(threshold), np.uint8),
            f"threshold {threshold:g} grey levels: as asked for",
        )

    @classmethod
    def of(
        cls,
        ordinary: NDArray[np.float32],
        level: float,
        sensitivity: float = 1.0,
        inside: NDArray[np.bool_] | None = None,
    ) -> Thresholds:
        """Return *level* / *sensitivity* times the *ordinary* deviation of each place, grey levels."""
        levels = level / sensitivity * ordinary
        looked_at = levels if inside is None or not inside.any() else levels[inside]
        low, median, high = np.quantile(looked_at, (0, 0.5, 1))
        reason = (
            f"threshold {median:.1f} grey levels in the median, {low:.1f} to {high:.1f}: {level / sensitivity:.1f} "
            "times what the empty scene deviates by at that place"
        )
        sums, pixels = np.minimum(AREA * levels, HIGHEST), np.minimum(SIDE * levels, 255)
        # A whole number exceeds a level exactly when it exceeds its whole part.
        return cls(sums.astype(np.uint16), pixels.astype(np.uint8), reason)
