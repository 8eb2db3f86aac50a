"""What a split starts from: the centre, how far frames stray from it; and both anew, where light changes.

The median of a place that something passes in bright light is that of a darker moment, and what light makes of all
places looks like noise, behind which things hide. What a first split takes for light tells them apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgsub.background.scene.centre import temporal_median
from bgsub.background.scene.noise import Residual, noise_level, outlier_level, sample_residual
from bgsub.solver.spectra.atoms import LowRank

LESS = 0.5
"""Share of the noise that is left beside the low-rank part, or less, where light changes: it explains most of what most
places differ by. Scenes in one light read 0.76 to 1.07, leaves, water and crowds included."""
BLOCK = 1 << 13
"""Rows that are put into one light at a time."""


class Shown(NamedTuple):
    """Which frames show the ground where.

    Attributes
    ----------
    used
        ``(m,)`` indices of frames.
    shown
        ``(m, pixels)`` uint8, 0 or 1: where each of them shows the ground.
    stays
        ``(rows,)`` bool: where a component knows what stood there, not how the ground is lit, so that the centre stays.
    """

    used: NDArray[np.int64]
    shown: NDArray[np.uint8]
    stays: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """Centre and noise.

    Attributes
    ----------
    centre
        ``(rows,)`` float32, grey levels.
    residual
        Sampled rows of frames − centre.
    noise
        σ of what is neither light nor foreground, grey levels.
    light
        ``(n, m)`` float32: what is known of the low-rank part in the residual's rows; None where nothing is.
    reason
        Why it was found anew, in words; empty where it was not.
    """

    centre: NDArray[np.float32]
    residual: Residual
    noise: float
    light: NDArray[np.float32] | None = None
    reason: str = ""

    @classmethod
    def of(
        cls,
        frames: NDArray[np.uint8],
        centre: NDArray[np.float32],
        channels: int,
        seed: int = 0,
        inside: NDArray[np.bool_] | None = None,
    ) -> Basis:
        """Return what ``(n, rows)`` *frames* tell about *centre*, of which only pixels *inside* count, if given."""
        residual = sample_residual(frames, centre, channels, seed, inside)
        return cls(centre, residual, noise_level(residual))

    @property
    def levels(self) -> tuple[float, float]:
        """Noise σ and outlier level, grey levels."""
        return self.noise, outlier_level(self.noise)

    @property
    def unlit(self) -> Residual:
        """The residual without its light."""
        if self.light is None:
            return self.residual
        return replace(self.residual, values=self.residual.values - self.light)

    def anew(
        self,
        found: LowRank,
        frames: NDArray[np.uint8],
        shown: Shown | None = None,
        threads: int = 1,
    ) -> Basis | None:
        """Return the basis in the light of *found*, the low-rank part about this centre; None where light is steady.

        The centre is the temporal median of frames − *found*, the noise that of what is left. It is light if it
        explains LESS of the noise: what moves explains it in fewer than half of the places.

        Parameters
        ----------
        found
            Of a first split, ``(n, rows)``.
        frames
            ``(n, rows)`` uint8.
        shown
            Which frames show the ground where; None for all everywhere.
        threads
            To compute with; the result does not depend on it.

        Notes
        -----
        A regression of each row on the directions of *found* would take its shrinkage away, but was no better: the
        larger ball of the second split takes in what passes slowly. Cost: k + 10 operations an entry, for k components.
        Memory: BLOCK rows, a dozen bytes an entry.
        """
        light = np.asarray(found.left @ found.right[self.residual.rows].T, np.float32)
        if noise_level(replace(self, light=light).unlit) > LESS * self.noise:
            return None
        centre = _median_in_one_light(frames, found, shown, threads)
        if shown is not None:
            centre[shown.stays] = self.centre[shown.stays]
        moved = (self.centre - centre)[self.residual.rows]
        residual = replace(self.residual, values=self.residual.values + moved)
        anew = Basis(centre, residual, 0.0, light)
        noise = noise_level(anew.unlit)
        reason = (
            "light changes: centre, noise and radii are found again in the light of a first split; the noise falls "
            f"from σ = {self.noise:.1f} to {noise:.1f}"
        )
        return replace(anew, noise=noise, reason=reason)


def _median_in_one_light(
    frames: NDArray[np.uint8], found: LowRank, shown: Shown | None, threads: int
) -> NDArray[np.float32]:
    """Return the temporal median of frames − *found*, to half a grey level: ``(rows,)`` float32."""
    centre = np.empty(frames.shape[1], np.float32)
    used, seen = (np.arange(len(frames)), None) if shown is None else shown[:2]
    channels = 1 if seen is None else len(centre) // seen.shape[1]
    # Whole pixels.
    size = BLOCK * channels
    for first in range(0, len(centre), size):
        block = np.s_[first : first + size]
        lit = np.rint(frames[used, block] - found.left[used] @ found.right[block].T)
        counted = None if seen is None else seen[:, first // channels : (first + size) // channels]
        centre[block] = temporal_median(np.clip(lit, 0, 255).astype(np.uint8), threads, counted)
    return centre
