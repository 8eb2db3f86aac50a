"""Whether the light, or the scene, is another one than before: two short runs of thumbnails, compared.

A thumbnail averages noise, leaves and ripples away and keeps what covers a part of the picture. Light changes the level
of what is there and keeps its texture; an object, or another view, brings a texture of its own.
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
"""Grey levels a cell changes by when its light does: noise and objects of less than a cell stay below."""
SPREADS = 3.0
"""A cell has changed when it did so by more than this many times what it strays by before and after."""
STEADY = 0.25
"""A run of thumbnails drifts by at most this share of the change: what rises for longer is gradual."""
TEXTURE = 0.65
"""Correlation of the texture before and after, over the cells that changed, from which on it is the same."""
TRACES = 0.4
"""Correlation at which enough of it is left to tell that it is the same scene, if most of the picture has changed."""
OTHER = 0.25
"""Correlation over the whole picture up to which it is another scene: what a bus before the camera leaves free has the
texture it had."""
LIGHT_SHARE, MOST_SHARE = 0.35, 0.7
"""Shares of the cells that a sudden change of light covers at least, by the texture kept: TEXTURE and TRACES."""
SCENE_SHARE = 0.5
"""Share that changes when the view does: some of it looks like the other by chance."""
SLOW_SHARE = 0.25
"""Share that a gradual change of light covers to be worth telling."""
LEAST_GAIN = 1.2
"""Factor of the grey levels up to which a change of light is no change point: the camera's exposure follows large
objects by as much, and one component of the low-rank part explains it."""
WINDOW = 5
"""Cells: texture is what differs from the mean over a window of this side."""
USUAL = 2.0
"""Contrasts beyond this many times the median are cut off."""

Kind = Literal["light", "scene"]


@dataclass(frozen=True, slots=True)
class Change:
    """The light, or the scene, has changed.

    Attributes
    ----------
    kind
        ``"light"`` where the texture has stayed, ``"scene"`` where it has not (another view, a covered lens).
    frame, time
        Index and time (seconds) of the first frame that is more like those after than those before.
    gradual
        Whether it took longer than a few frames.
    share
        Share of the picture that has changed.
    gain
        Median factor of its grey levels.
    cut
        Whether a new segment begins at *frame*.
    """

    kind: Kind
    frame: int
    time: Fraction
    gradual: bool
    share: float
    gain: float
    cut: bool

    def __str__(self) -> str:
        """Return one line for people."""
        how = "gradually" if self.gradual else "suddenly"
        gain = f", grey levels by a factor of {self.gain:.2f}" if self.kind == "light" else ""
        then = "a new segment begins" if self.cut else "the segment goes on"
        return (
            f"frame {self.frame} ({float(self.time):.2f} s): the {self.kind} changes {how}, "
            f"{self.share:.0%} of the picture{gain}; {then}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """What is different between two runs of thumbnails.

    Attributes
    ----------
    before, after
        Their medians.
    share, gain, size
        Share of cells that have changed; the median factor of their levels, and how many grey levels that is.
    texture, whole
        The correlation of the texture before and after, over the cells that have changed and over all.
    drift
        What the less steady of the runs drifts by, as a share of the change.
    """

    before: Thumbnail
    after: Thumbnail
    share: float
    gain: float
    size: float
    texture: float
    whole: float
    drift: float

    @property
    def kind(self) -> Kind:
        """What has changed, if anything has."""
        return "light" if self.texture >= TRACES else "scene"

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is a step from one scene to another."""
        return self.share >= SCENE_SHARE and self.whole <= OTHER and self.drift <= STEADY

    @property
    def is_step(self) -> bool:
        """Whether it is a step from one lasting state to another, large enough to be a change point."""
        if self.kind == "scene":
            return self.is_elsewhere
        return self.share >= (LIGHT_SHARE if self.texture >= TEXTURE else MOST_SHARE) and self.drift <= STEADY

    @property
    def is_small(self) -> bool:
        """Whether it is no more than what the camera's exposure does all the time."""
        return self.kind == "light" and 1 / LEAST_GAIN < self.gain < LEAST_GAIN

    @property
    def is_light(self) -> bool:
        """Whether light has changed, be it in one step or not."""
        return self.texture >= TEXTURE and self.share >= SLOW_SHARE

    def is_past(self, thumb: Thumbnail) -> bool:
        """Whether *thumb* is more like those after than those before."""
        step = self.after - self.before
        return float(np.sum((thumb - (self.before + self.after) / 2) * step)) > 0


def differing(thumb: Thumbnail, mean: Thumbnail) -> float:
    """Return the share of cells by which a thumbnail differs from the mean of those before it."""
    return float(np.count_nonzero(cv2.absdiff(thumb, mean) > CHANGED)) / thumb.size


def compare(before: NDArray[np.float32], after: NDArray[np.float32]) -> Shift | None:
    """Compare two runs of thumbnails, ``(n, rows, columns)`` float32 each; None when too little has changed to tell.

    A cell has changed when its median did by more than CHANGED, and by more than SPREADS times the mean deviation
    within the two runs: where everything moves all the time, nothing has changed.
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
    # Means, since thumbnails are whole numbers: in the dark the texture is less than one.
    textures = _texture(before.mean(axis=0)), _texture(after.mean(axis=0))
    kept, whole = _likeness(textures[0][changed], textures[1][changed]), _likeness(*textures)
    return Shift(first, second, share, gain, size, kept, whole, drift)


def _drift(run: NDArray[np.float32], cells: NDArray[np.bool_]) -> float:
    """Return by how much *cells* differ between the beginning and the end of a run; a single flash does not count."""
    ends = np.median(run[-3:], axis=0) - np.median(run[:3], axis=0)
    return float(np.median(np.abs(ends[cells])))


def _likeness(one: NDArray[np.float32], two: NDArray[np.float32]) -> float:
    """Return the correlation of two textures; 0 where there is none."""
    norm = float(np.linalg.norm(one) * np.linalg.norm(two))
    return float(np.sum(one * two)) / norm if norm > 0 else 0.0


def _texture(thumb: Thumbnail) -> Thumbnail:
    """Return the contrast of each cell with its surroundings, which light of any strength leaves as it is.

    It is limited to a few times what is usual: few cells with an object in them must not outweigh all others.
    """
    around = cv2.blur(thumb, (WINDOW, WINDOW), borderType=cv2.BORDER_REPLICATE)
    contrast = (thumb - around) / (around + 1)
    most = USUAL * float(np.median(np.abs(contrast)))
    return np.asarray(np.clip(contrast, -most, most), np.float32)
