"""A background in the light of one frame: what is left to do when exposure or a lamp changes faster than any fit."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.difference import channel_difference
from bgsub.frames.source import Image

FLOOD = 0.1
"""Share of the picture that is foreground from which on it is asked whether that is light."""
PIXELS = 2_000
"""Pixels of the reduced picture that is looked at: means, in which noise cancels."""
MEANS = 4
"""Rows of pixels that a mean takes in at least; the others are left out."""
HALF = 0.5
"""Of a cell lies inside the region where it counts."""
BLIND = 0.25
"""Share of the background's contrast below which a frame may show nothing: no signal, or a covered lens."""
TRACE = 0.05
"""Share of the scene that is left in a frame that shows something of it."""
STEPS = 8
"""Reweighted least-squares steps."""
WIDTH = 12.0
"""Grey levels beyond which a pixel is an object rather than light."""
AGREEING = 0.4
"""Share of the pixels that must agree with the light found."""
GAINS = (0.2, 5.0)
UNCLIPPED = (5, 250)
"""Grey levels between which a sensor tells how bright a thing is."""


class FrameLight:
    """The light of single frames, from a sample of their pixels.

    Parameters
    ----------
    usual
        ``(height, width)`` or ``(height, width, 3)`` uint8: the empty scene.
    limits
        ``(height, width)`` float32, grey levels: larger differences are foreground.
    inside
        ``(height, width)`` bool: the pixels that count; None for all.
    """

    def __init__(self, usual: Image, limits: NDArray[np.float32], inside: NDArray[np.bool_] | None) -> None:
        height, width = limits.shape
        factor = max(1.0, (height * width / PIXELS) ** 0.5)
        self._rows = max(1, int(factor / MEANS))
        self._size = max(1, round(width / factor)), max(1, round(height / factor))
        whole = np.ones(limits.shape, np.float32) if inside is None else inside.astype(np.float32)
        self._cells = np.flatnonzero(cv2.resize(whole, self._size, interpolation=cv2.INTER_AREA) > HALF)
        self._limits = self._sample(limits)[0, :, 0]
        scene = self._sample(usual).astype(np.float32)
        self._scene, self._contrast = scene - scene.mean(), float(scene.std())

    def lit(self, image: Image, background: Image) -> Image | None:
        """Return *background* in the light of *image*: gain · background + offset for each channel, if that is it.

        Returns
        -------
        The background, in the light of the frame or as it is; None for a frame that shows nothing of *usual*.

        Notes
        -----
        Light is asked for where FLOOD of the sample is foreground; accepted when AGREEING of the pixels agree with the
        light found, and half of that foreground is gone. Least squares from the median
        ratio on, reweighted by min(1, WIDTH/|r|), in the end by |r| ≤ WIDTH. Cost: STEPS passes over the sample, and a
        table lookup of the picture.
        """
        seen, scene = self._sample(image), self._sample(background)
        far = self._far(seen, scene)
        if far <= FLOOD:
            return background
        if self._is_blind(seen):
            return None
        light = light_between(seen, scene)
        if light is None or 2 * self._far(seen, in_light(scene, light)) >= far:
            return background
        return in_light(background, light)

    def _is_blind(self, seen: Image) -> bool:
        """Tell whether a sample shows nothing of a scene that has contrast."""
        values = seen.astype(np.float32)
        if values.std() >= BLIND * self._contrast:
            return False
        return bool(np.mean(values * self._scene) < TRACE * self._contrast**2)

    def _sample(self, picture: NDArray[Any]) -> NDArray[Any]:
        """Return the cells of the reduced picture as a picture of one row, ``(1, cells, channels)``."""
        small = cv2.resize(picture[:: self._rows], self._size, interpolation=cv2.INTER_AREA)
        channels = 1 if picture.ndim == 2 else picture.shape[2]
        return np.ascontiguousarray(small.reshape(-1, channels)[self._cells])[None]

    def _far(self, seen: Image, scene: Image) -> float:
        """Return the share of the sample that is foreground."""
        return float(np.mean(channel_difference(seen, scene)[0] > self._limits))


def in_light(picture: Image, light: NDArray[np.float32]) -> Image:
    """Return gain · *picture* + offset, rounded and clipped, for gains and offsets ``(2, channels)``."""
    gain, offset = light
    levels = np.clip(np.arange(256, dtype=np.float32)[:, None] * gain + offset + 0.5, 0, 255)
    # A table: each level is computed once.
    return np.asarray(cv2.LUT(picture, levels.astype(np.uint8)[None]), np.uint8).reshape(picture.shape)


def light_between(image: Image, background: Image, every: int = 1) -> NDArray[np.float32] | None:
    """Return the gain and offset ``(2, channels)`` that bring *background* into the light of *image*; None for none.

    One of *every* pixels is looked at. See :meth:`FrameLight.lit`.
    """
    channels = 1 if image.ndim == 2 else image.shape[2]
    lights = [
        _light(image.reshape(-1, channels)[::every, c], background.reshape(-1, channels)[::every, c])
        for c in range(channels)
    ]
    return None if any(light is None for light in lights) else np.array(lights, np.float32).T


def _light(frame: NDArray[np.uint8], scene: NDArray[np.uint8]) -> tuple[float, float] | None:
    low, high = UNCLIPPED
    told = (frame >= low) & (frame <= high) & (scene >= low) & (scene <= high)
    if np.count_nonzero(told) < AGREEING * frame.size:
        return None
    m, b = frame[told].astype(np.float64), scene[told].astype(np.float64)
    gain, offset = float(np.median(m / b)), 0.0
    for step in range(STEPS):
        weight = np.minimum(1, WIDTH / np.maximum(np.abs(m - gain * b - offset), 1e-3))
        if step >= STEPS // 2:
            # Once the light is nearly right, objects have no say in it.
            weight = np.floor(weight)
        if (total := weight.sum()) == 0:
            return None
        mean_b, mean_m = (weight @ b) / total, (weight @ m) / total
        variance = float(weight @ (b - mean_b) ** 2)
        gain = float(weight @ ((b - mean_b) * (m - mean_m))) / max(variance, 1e-9)
        offset = float(mean_m - gain * mean_b)
    agreeing = np.abs(m - gain * b - offset) <= WIDTH
    if not GAINS[0] <= gain <= GAINS[1] or agreeing.mean() < AGREEING:
        return None
    return gain, offset
