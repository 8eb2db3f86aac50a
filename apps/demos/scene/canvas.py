"""A canvas in reference pixels, painted three times finer than the picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scene.texture import Picture, surface

FINER = 3
_SHIFT = 4

Outline = Sequence[tuple[float, float]]


class Canvas:
    """A picture under construction.

    Parameters
    ----------
    width, height
        Pixels of the finished picture.
    rng
        Source of all randomness of the painting.
    """

    def __init__(self, width: int, height: int, rng: np.random.Generator) -> None:
        self.rng = rng
        self.scale = height / 240
        self.unit = FINER * self.scale
        self.right = width / self.scale
        self.shape = (height * FINER, width * FINER)
        self._picture = np.zeros((*self.shape, 3), np.float32)

    def surface(self, colour: tuple[float, float, float], grain: tuple[float, float, float]) -> Picture:
        """Return a rough surface that covers the whole canvas; see :func:`scene.texture.surface`."""
        return surface(self.rng, self.shape, colour, grain)

    def band(self, top: float, bottom: float) -> Outline:
        """Return the outline of the rows from *top* to *bottom*."""
        return [(0, top), (self.right, top), (self.right, bottom), (0, bottom)]

    def fill(self, outline: Outline, paint: Picture | tuple[float, float, float]) -> None:
        """Cover *outline* with a colour or a surface."""
        inside = self._inside(outline)
        self._picture[inside] = paint[inside] if isinstance(paint, np.ndarray) else paint

    def shade(self, outline: Outline, factor: float) -> None:
        """Multiply what is inside *outline*."""
        self._picture[self._inside(outline)] *= np.float32(factor)

    def picture(self) -> Picture:
        """Return the picture at its real size, ``(height, width, 3)`` float32."""
        return self.shrink(self._picture)

    def shrink(self, fine: Picture) -> Picture:
        """Average a fine picture down to the real size."""
        rows, columns = self.shape[0] // FINER, self.shape[1] // FINER
        blocks = fine.reshape(rows, FINER, columns, FINER, -1).mean(axis=(1, 3), dtype=np.float64)
        return np.asarray(blocks.squeeze(), np.float32)

    def coverage(
        self, outlines: Sequence[Outline], discs: Sequence[tuple[float, float, float]], flat: float = 1.0
    ) -> NDArray[np.float32]:
        """Return the coverage, 0–1 at real size, of polygons and discs ``(x, y, radius)`` flattened by *flat*."""
        fine = np.zeros(self.shape, np.uint8)
        for outline in outlines:
            fine[self._inside(outline)] = 1
        turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        for x, y, radius in discs:
            rim = [(x + radius * np.cos(a), y + flat * radius * np.sin(a)) for a in turn]
            fine[self._inside(rim)] = 1
        return self.shrink(fine.astype(np.float32))

    def _inside(self, outline: Outline) -> NDArray[np.bool_]:
        corners = np.asarray(outline, float) * self.unit - 0.5
        mask = np.zeros(self.shape, np.uint8)
        cv2.fillPoly(mask, [np.rint(corners * 2**_SHIFT).astype(np.int32)], 1, shift=_SHIFT)
        return mask.astype(bool)
