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


def draw(parts: list[Part], place: Placement, shape: tuple[int, int]) -> Sprite:
    """Draw *parts* in order, later ones in front.

    Coverage is the share of 8 × 8 points per pixel that the parts cover, so it is exact to 1/64.
    """
    height, width = shape
    alpha = np.zeros(shape, np.float32)
    colour = np.zeros((*shape, 3), np.float32)
    outlines = [_project(part.outline, place) for part in parts]
    x0, y0, x1, y1 = _bounds(np.concatenate(outlines), width, height)
    if x0 < x1 and y0 < y1:
        fine = np.zeros(((y1 - y0) * OVERSAMPLING, (x1 - x0) * OVERSAMPLING, 4), np.float32)
        for outline, part in zip(outlines, parts, strict=True):
            corners = np.rint((outline - (x0, y0)) * OVERSAMPLING - 0.5).astype(np.int32)
            cv2.fillPoly(fine, [corners], (*part.colour, 1.0))
        patch = _shrink(fine)
        alpha[y0:y1, x0:x1] = patch[..., 3]
        colour[y0:y1, x0:x1] = patch[..., :3]
    return Sprite(alpha, colour, place.y)


def shadow_of(
    parts: list[Part], place: Placement, shape: tuple[int, int], unit: float
) -> NDArray[np.float32]:
    """Return how much of the sun a thing takes from each pixel of the ground, 0–1, with a soft edge.

    The silhouette is laid on the ground along :data:`scene.geometry.SUN`.
    """
    laid = [Part(_lay(part.outline, place.facing), (0.0, 0.0, 0.0)) for part in parts]
    silhouette = draw(laid, place, shape).alpha
    sigma = SHADOW_BLUR * unit
    return np.asarray(cv2.GaussianBlur(silhouette, (0, 0), sigma), np.float32)


def _lay(outline: Points, facing: int) -> Points:
    up = outline[:, 1]
    return np.stack([outline[:, 0] + facing * SUN[0] * up, -SUN[1] * up], axis=1)


def _project(outline: Points, place: Placement) -> Points:
    return np.array([place.x, place.y]) + place.scale * outline * (place.facing, -1)


def _bounds(points: Points, width: int, height: int) -> tuple[int, int, int, int]:
    low = np.floor(points.min(axis=0)).astype(int) - 1
    high = np.ceil(points.max(axis=0)).astype(int) + 2
    return max(low[0], 0), max(low[1], 0), min(high[0], width), min(high[1], height)


def _shrink(fine: NDArray[np.float32]) -> NDArray[np.float32]:
    height, width = fine.shape[0] // OVERSAMPLING, fine.shape[1] // OVERSAMPLING
    blocks = fine.reshape(height, OVERSAMPLING, width, OVERSAMPLING, 4)
    return blocks.mean(axis=(1, 3), dtype=np.float64).astype(np.float32)
