"""Drawing a moving thing: polygons in metres become a picture with exact coverage."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scene.geometry import SUN, Points

Colour = tuple[float, float, float]
"""RGB, grey levels."""

OVERSAMPLING = 8
SHADOW_BLUR = 0.9
"""Standard deviation of the penumbra in reference pixels."""


@dataclass(frozen=True, slots=True)
class Part:
    """One polygon of a thing: corners in metres, x ahead, y up from the ground."""

    outline: Points
    colour: Colour


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a thing stands (pixels), its pixels per metre, and where it looks (+1 right, −1 left)."""

    x: float
    y: float
    scale: float
    facing: int


@dataclass(frozen=True, slots=True)
class Sprite:
    """A drawn thing at full picture size, float32: coverage 0–1, and colour multiplied by it."""

    alpha: NDArray[np.float32]
    colour: NDArray[np.float32]
    ground: float


Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels, right and bottom not included."""


def draw(parts: list[Part], place: Placement, shape: tuple[int, int]) -> Sprite:
    """Draw *parts* in order, later ones in front.

    Coverage is the share of 8 × 8 points per pixel that the parts cover, so it is exact to 1/64.
    """
    alpha = np.zeros(shape, np.float32)
    colour = np.zeros((*shape, 3), np.float32)
    if drawn := draw_fine(parts, place, shape, OVERSAMPLING):
        patch, (x0, y0, x1, y1) = _shrink(drawn[0]), drawn[1]
        alpha[y0:y1, x0:x1] = patch[..., 3]
        colour[y0:y1, x0:x1] = patch[..., :3]
    return Sprite(alpha, colour, place.y)


def draw_fine(
    parts: list[Part], place: Placement, shape: tuple[int, int], finer: int, margin: int = 1
) -> tuple[NDArray[np.float32], Box] | None:
    """Draw *parts*, *finer* times as large as they are, on what they touch of the picture and *margin* pixels around.

    Returns
    -------
    tuple or None
        ``(rows, columns, 4)`` float32, colour and coverage (0 or 1), both 0 where nothing is, and the part of the
        picture that it fills; None when that is outside of the picture.
    """
    height, width = shape
    points = _project(np.concatenate([part.outline for part in parts]), place)
    x0, y0, x1, y1 = _bounds(points, width, height, margin)
    if x0 >= x1 or y0 >= y1:
        return None
    fine = np.zeros(((y1 - y0) * finer, (x1 - x0) * finer, 4), np.float32)
    corners, first = np.rint((points - (x0, y0)) * finer - 0.5).astype(np.int32), 0
    for part in parts:
        last = first + len(part.outline)
        cv2.fillPoly(fine, [corners[first:last]], (*part.colour, 1.0))
        first = last
    return fine, (x0, y0, x1, y1)


def shadow_of(
    parts: list[Part], place: Placement, shape: tuple[int, int], unit: float
) -> NDArray[np.float32]:
    """Return how much of the sun a thing takes from each pixel of the ground, 0–1, with a soft edge.

    The silhouette is laid on the ground along :data:`scene.geometry.SUN`.
    """
    silhouette = draw(laid_down(parts, place), place, shape).alpha
    sigma = SHADOW_BLUR * unit
    return np.asarray(cv2.GaussianBlur(silhouette, (0, 0), sigma), np.float32)


def laid_down(parts: list[Part], place: Placement) -> list[Part]:
    """Return the silhouette of *parts* laid on the ground along the sun, in black."""
    return [Part(_lay(part.outline, place.facing), (0.0, 0.0, 0.0)) for part in parts]


def _lay(outline: Points, facing: int) -> Points:
    up = outline[:, 1]
    return np.stack([outline[:, 0] + facing * SUN[0] * up, -SUN[1] * up], axis=1)


def _project(outline: Points, place: Placement) -> Points:
    return np.array([place.x, place.y]) + place.scale * outline * (place.facing, -1)


def _bounds(points: Points, width: int, height: int, margin: int) -> Box:
    low = np.floor(points.min(axis=0)).astype(int) - margin
    high = np.ceil(points.max(axis=0)).astype(int) + margin + 1
    return max(low[0], 0), max(low[1], 0), min(high[0], width), min(high[1], height)


def _shrink(fine: NDArray[np.float32]) -> NDArray[np.float32]:
    height, width = fine.shape[0] // OVERSAMPLING, fine.shape[1] // OVERSAMPLING
    blocks = fine.reshape(height, OVERSAMPLING, width, OVERSAMPLING, 4)
    return blocks.mean(axis=(1, 3), dtype=np.float64).astype(np.float32)
