"""Detection of a change of light or scene between two short runs of thumbnails.

A thumbnail averages out noise, leaves and ripples and keeps what covers part of the image. Light changes
levels and preserves texture; an object, or another view, brings a texture of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.changes.thumbnail import Thumbnail

CHANGED = 8.0
"""Smallest change of a cell in grey levels: noise, and objects smaller than a cell, stay below."""
SPREADS = 3.0
"""A cell has changed only if it did by this many times its mean deviation before and after."""
STEADY = 0.25
"""Most drift within a run, as a share of the change: anything that rises for longer is gradual."""
TEXTURE = 0.65
"""Correlation of texture before and after, over the changed cells, from which it counts as unchanged."""
TRACES = 0.4
"""Correlation from which enough texture is left to recognise the scene, if most of the image has changed."""
OTHER = 0.25
"""Correlation over the whole image up to which it is another scene: around a bus that blocks the camera, the
texture stays the same."""
LIGHT_SHARE, MOST_SHARE = 0.35, 0.7
"""Smallest share of cells in a sudden change of light, if the texture correlation reaches TEXTURE or TRACES."""
SCENE_SHARE = 0.5
"""Smallest share of cells in a change of view: some cells match by chance."""
LEFT = 0.25
"""Largest share of the picture that another view leaves in one piece: the cells that two views have in common by
chance are scattered, while an object leaves whole places uncovered."""
SLOW_SHARE = 0.25
"""Smallest share of cells in a gradual change of light worth reporting."""
LEAST_GAIN = 1.2
"""Changes of light up to this factor are not change points: auto-exposure responds to large objects by as
much, and one low-rank component explains it."""
WINDOW = 5
"""Side in cells of the window whose mean is subtracted to obtain texture."""
USUAL = 2.0
"""Contrasts are clipped at this many times the median."""

Kind = Literal["light", "scene"]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of light or scene.

    Attributes
    ----------
    kind
        ``"light"`` if the texture is preserved, ``"scene"`` if not (another view, a covered lens).
    frame, time
        Index and time (seconds) of the first frame that is more like those after the change than those before.
    gradual
        Whether it took longer than a few frames.
    share
        Share of the image that changed.
    gain
        Median factor by which its grey levels changed.
    cut
        Whether a new segment starts at *frame*.
    """

    kind: Kind
    frame: int
    time: Fraction
    gradual: bool
    share: float
    gain: float
    cut: bool

    def __str__(self) -> str:
        """Return a one-line description."""
        how = "gradually" if self.gradual else "suddenly"
        gain = f", grey levels by a factor of {self.gain:.2f}" if self.kind == "light" else ""
        then = "a new segment begins" if self.cut else "the segment goes on"
        return (
            f"frame {self.frame} ({float(self.time):.2f} s): the {self.kind} changes {how}, "
            f"{self.share:.0%} of the picture{gain}; {then}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """The difference between two runs of thumbnails.

    Attributes
    ----------
    before, after
        Their medians.
    share, gain, size
        Share of cells that changed; the median factor by which their levels changed, and the median change in
        grey levels.
    texture, whole
        Correlation of the texture before and after, over the changed cells and over all cells.
    drift
        Drift of the less steady run, as a share of the change.
    left
        Share of the picture in whole places, of 3 × 3 cells at least, that have not changed.
    """

    before: Thumbnail
    after: Thumbnail
    share: float
    gain: float
    size: float
    texture: float
    whole: float
    drift: float
    left: float

    @property
    def kind(self) -> Kind:
        """What has changed, if anything."""
        return "light" if self.texture >= TRACES else "scene"

    @property
    def is_elsewhere(self) -> bool:
        """True for a step from one scene to another."""
        return (
            self.share >= SCENE_SHARE and self.left <= LEFT and self.whole <= OTHER and self.drift <= STEADY
        )

    @property
    def is_step(self) -> bool:
        """True for a step from one lasting state to another that is large enough to be a change point."""
        if self.kind == "scene":
            return self.is_elsewhere
        return self.share >= (LIGHT_SHARE if self.texture >= TEXTURE else MOST_SHARE) and self.drift <= STEADY

    @property
    def is_small(self) -> bool:
        """True if the change is no more than auto-exposure routinely causes."""
        return self.kind == "light" and 1 / LEAST_GAIN < self.gain < LEAST_GAIN

    @property
    def is_light(self) -> bool:
        """True if the light has changed, suddenly or gradually."""
        return self.texture >= TEXTURE and self.share >= SLOW_SHARE

    def is_past(self, thumb: Thumbnail) -> bool:
        """Return whether *thumb* is closer to the run after than to the run before."""
        step = self.after - self.before
        return float(np.sum((thumb - (self.before + self.after) / 2) * step)) > 0


def differing(thumb: Thumbnail, mean: Thumbnail) -> float:
    """Return the share of cells in which a thumbnail differs from the mean of those before it."""
    return float(np.count_nonzero(cv2.absdiff(thumb, mean) > CHANGED)) / thumb.size


def compare(before: NDArray[np.float32], after: NDArray[np.float32]) -> Shift | None:
    """Compare two runs of thumbnails, each ``(n, rows, columns)`` float32; None if too little has changed to tell.

    A cell has changed if its median did by more than CHANGED, and by more than SPREADS times the sum of its
    mean deviations within the two runs: where everything moves all the time, nothing has changed.
    """
    if float(np.mean(np.abs(after.mean(axis=0) - before.mean(axis=0)) > CHANGED / 2)) < SLOW_SHARE:
        return None
    first, second = np.median(before, axis=0), np.median(after, axis=0)
    strays = np.abs(before - first).mean(axis=0) + np.abs(after - second).mean(axis=0)
    step = second - first
    changed = np.abs(step) > np.maximum(CHANGED, SPREADS * strays)
    share = float(np.mean(changed))
    if share < SLOW_SHARE:
        return None
    size = float(np.median(np.abs(step[changed])))
    drift = max(_drift(before, changed), _drift(after, changed)) / size
    gain = float(np.median((second[changed] + 1) / (first[changed] + 1)))
    # Means, not medians, since thumbnails are whole numbers: in the dark, texture is less than one grey level.
    textures = _texture(before.mean(axis=0)), _texture(after.mean(axis=0))
    kept, whole = _likeness(textures[0][changed], textures[1][changed]), _likeness(*textures)
    places = cv2.morphologyEx((~changed).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return Shift(first, second, share, gain, size, kept, whole, drift, float(np.mean(places)))


def _drift(run: NDArray[np.float32], cells: NDArray[np.bool_]) -> float:
    """Return the median change of *cells* from the beginning to the end of a run; a single flash does not count."""
    ends = np.median(run[-3:], axis=0) - np.median(run[:3], axis=0)
    return float(np.median(np.abs(ends[cells])))


def _likeness(one: NDArray[np.float32], two: NDArray[np.float32]) -> float:
    """Return the correlation of two textures; 0 if either is flat."""
    norm = float(np.linalg.norm(one) * np.linalg.norm(two))
    return float(np.sum(one * two)) / norm if norm > 0 else 0.0


def _texture(thumb: Thumbnail) -> Thumbnail:
    """Return the contrast of each cell with its surroundings, which does not depend on the strength of the light.

    It is clipped at a few times the median: a few cells with an object in them must not outweigh all others.
    """
    around = cv2.blur(thumb, (WINDOW, WINDOW), borderType=cv2.BORDER_REPLICATE)
    contrast = (thumb - around) / (around + 1)
    most = USUAL * float(np.median(np.abs(contrast)))
    return np.asarray(np.clip(contrast, -most, most), np.float32)
