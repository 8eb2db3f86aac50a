"""Wind in leaves: a smooth field of displacements that changes from frame to frame."""

from __future__ import annotations

import cv2
import numpy as np
from scene.texture import Picture, fractal

from scenes.clip import Take

PERIODS = (9.0, 14.0, 23.0)
"""Frames: twigs, branches, the tree."""


class Wind:
    """Displacements of a picture of *take*, *strength* pixels (standard deviation) in a gust.

    Each mode swings with a period of its own and a phase that varies over the picture, so that neighbouring leaves
    move together and far ones do not; the strength rises and falls with the gusts.
    """

    def __init__(self, take: Take, strength: float) -> None:
        rng, cell = take.rng(20), 26 * take.unit
        self._rows, self._columns = np.mgrid[: take.height, : take.width].astype(np.float32)
        self._phases = [2.2 * fractal(rng, take.shape, (cell, cell), 2) for _ in range(2 * len(PERIODS))]
        gusts = cv2.GaussianBlur(rng.standard_normal((1, take.frames + 60)), (0, 0), 14)[0, 30:-30]
        self._gusts = strength * np.clip(1 + 0.45 * (gusts - gusts.mean()) / max(gusts.std(), 1e-9), 0.2, 2.0)

    def blow(self, picture: Picture, t: int) -> Picture:
        """Return *picture*, ``(rows, columns, k)`` float32, as frame *t* shows it."""
        across, down = (self._mode(t, part) for part in (0, 1))
        columns, rows = self._columns + across, self._rows + np.float32(0.5) * down
        return np.asarray(cv2.remap(picture, columns, rows, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT))

    def _mode(self, t: int, part: int) -> Picture:
        total = np.zeros_like(self._columns)
        for k, period in enumerate(PERIODS):
            turn = np.float32(2 * np.pi * t / period + 1.7 * part)
            total += np.float32(0.5 + 0.15 * k) * np.sin(turn + self._phases[2 * k + part])
        return np.asarray(np.float32(self._gusts[t] * 1.3) * total, np.float32)
