"""Sampled frames held against their background: what the empty scene does by itself, and where a threshold lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.scene.centre import temporal_median
from bgsub.base.parallel import mapped
from bgsub.frames.source import Image
from bgsub.masks.decisions import DECIDED
from bgsub.masks.shade import Cells, cell_side, learn_shade
from bgsub.masks.significance import (
    AREA,
    level_index,
    local_difference,
    log_significance,
    ordinary_deviation,
    stable_level,
)

QUARTERS = 4
"""Parts of a grey level that deviations are told apart by."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What some frames tell about their background.

    Attributes
    ----------
    ordinary
        ``(height, width)`` float32, grey levels: the ordinary deviation of each place.
    level
        The threshold, times *ordinary*.
    seen
        ``(height, width)`` float32: share of the frames in which the background is seen.
    shade
        What shadows look like, as :attr:`.Shade.values`; empty where there are none.
    """

    ordinary: NDArray[np.float32]
    level: float
    seen: NDArray[np.float32]
    shade: NDArray[np.float32]

    def confidence(self, inside: NDArray[np.bool_] | None) -> float:
        """Return the share of the pixels *inside* whose background DECIDED.confident of the frames show."""
        sure = self.seen >= DECIDED.confident
        return float((sure if inside is None else sure[inside]).mean())


class Judge:
    """Holds frames against backgrounds.

    Parameters
    ----------
    pair
        The j-th frame and its background: ``(height, width)`` or ``(height, width, 3)`` uint8.
    shown
        ``(m, height · width)`` uint8, 0 or 1: where the j-th of m frames shows the ground at rest.
    shape
        ``(height, width)``.
    inside
        ``(height, width)`` bool: the pixels that count; None for all.
    threads
        To compute with; the result does not depend on it.
    """

    def __init__(
        self,
        pair: Callable[[int], tuple[Image, Image]],
        shown: NDArray[np.uint8],
        shape: tuple[int, int],
        inside: NDArray[np.bool_] | None,
        threads: int,
    ) -> None:
        self._pair, self._inside, self._threads = pair, inside, threads
        self._frames = range(len(shown))
        values = np.empty(shown.shape, np.uint8)
        for j, difference in mapped(self._difference, self._frames, threads):
            values[j] = cv2.convertScaleAbs(difference, alpha=QUARTERS / AREA).reshape(-1)
        median = temporal_median(values, threads, shown).reshape(shape) / np.float32(QUARTERS)
        # What no frame shows is taken to be as calm as the rest.
        never = ~shown.any(axis=0).reshape(shape)
        median[never] = np.median(median[~never]) if not never.all() else 0
        self.ordinary = ordinary_deviation(median, inside)
        """``(height, width)`` float32, grey levels: the ordinary deviation of each place."""
        self._significances = values.reshape(len(shown), *shape)
        for j, significance in mapped(self._significance, self._frames, threads):
            self._significances[j] = significance

    def _difference(self, j: int) -> NDArray[np.uint16]:
        return local_difference(*self._pair(j))

    def _significance(self, j: int) -> NDArray[np.uint8]:
        return log_significance(self._difference(j), self.ordinary)

    def level(self) -> float:
        """Return the level of significance at which the masks depend least on it."""
        return stable_level(self._significances, self._inside)

    def beyond(self, j: int, level: float) -> NDArray[np.uint8]:
        """Return where the j-th frame exceeds *level*, ``(height, width)`` uint8, 0 or 1."""
        return np.asarray(self._significances[j] > level_index(level), np.uint8)

    def judged(self) -> Judged:
        """Return all that the frames tell."""
        level = self.level()
        covered = np.zeros(self.ordinary.shape, np.float32)
        for j in self._frames:
            covered += self.beyond(j, level)
        seen = 1 - covered / np.float32(max(len(self._frames), 1))
        return Judged(self.ordinary, level, seen, self._shade(level))

    def _shade(self, level: float) -> NDArray[np.float32]:
        side = cell_side(self.ordinary.shape)

        def cells(j: int) -> Cells:
            return Cells.of(*self._pair(j), self.beyond(j, level), side)

        found = learn_shade([each for _, each in mapped(cells, self._frames, self._threads)])
        return np.zeros(0, np.float32) if found is None else found.values
