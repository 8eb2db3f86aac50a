"""Painting the empty street: facades, pavements, road, grass, and what stands before the moving things."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scene.actors import car
from scene.canvas import Canvas
from scene.geometry import CAMERA_HEIGHT, FACADE_FOOT, FAR_CURB, GRASS, HORIZON, NEAR_CURB, pixels_per_metre
from scene.sprite import Placement, draw, shadow_of
from scene.texture import fractal

PARKED_AT = (58.0, 109.0)
LAMP_AT = (262.0, 200.0)
TREE_AT = (188.0, 96.0)


@dataclass(frozen=True, slots=True)
class Occluder:
    """A part of the plate that hides what passes behind it.

    ``alpha`` is its coverage ``(height, width)``, 0–1; it stands on the ground at row ``ground`` (pixels).
    """

    ground: float
    alpha: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Plate:
    """The empty scene at mean light, ``(height, width, 3)`` uint8 RGB, and what hides moving things."""

    image: NDArray[np.uint8]
    occluders: tuple[Occluder, ...]


def paint_plate(rng: np.random.Generator, width: int, height: int) -> Plate:
    """Paint the street for a picture of *width* × *height* pixels."""
    canvas = Canvas(width, height, rng)
    _ground(canvas)
    _facades(canvas)
    _slabs(canvas, FACADE_FOOT, FAR_CURB - 2)
    _slabs(canvas, NEAR_CURB + 3, GRASS)
    _road(canvas)
    picture = canvas.picture()
    picture, parked = _park(picture, width, height)
    picture, tree = _tree(canvas, picture)
    picture, lamp = _lamp(canvas, picture)
    return Plate(develop(picture, height / 240), (tree, parked, lamp))


def _ground(canvas: Canvas) -> None:
    full = [(0, 0), (canvas.right, 0), (canvas.right, 240), (0, 240)]
    canvas.fill(full, canvas.surface((118, 116, 111), (2.5, 3.0, 3.5)))
    asphalt = canvas.surface((88, 90, 93), (3.5, 2.5, 4.5))
    canvas.fill(canvas.band(FAR_CURB, NEAR_CURB), asphalt)
    grass = canvas.surface((84, 104, 58), (7.0, 8.0, 9.0))
    blades = 7.0 * fractal(canvas.rng, canvas.shape, (9 * canvas.unit, 2 * canvas.unit), 3)
    canvas.fill(canvas.band(GRASS, 240), grass + blades[..., None] * np.float32((0.8, 1.0, 0.5)))
    canvas.fill(canvas.band(GRASS - 2.5, GRASS), (134, 131, 124))


def _facades(canvas: Canvas) -> None:
    edges = [0.0, 0.34 * canvas.right, 0.70 * canvas.right, canvas.right]
    walls = [(150, 128, 108), (124, 92, 78), (158, 154, 142)]
    for left, right, wall in zip(edges, edges[1:], walls, strict=False):
        _facade(canvas, left, right, wall)
    for x in edges[1:-1]:
        canvas.fill(box(x - 0.8, x + 0.8, 0, FACADE_FOOT), (70, 66, 62))
        canvas.fill(box(x + 1.5, x + 3.0, 0, FACADE_FOOT - 2), (104, 102, 100))
    canvas.shade(canvas.band(FACADE_FOOT, FACADE_FOOT + 2.5), 0.82)


def _facade(canvas: Canvas, left: float, right: float, wall: tuple[int, int, int]) -> None:
    canvas.fill(box(left, right, 0, FACADE_FOOT), canvas.surface(wall, (4.0, 3.0, 3.0)))
    for row in np.arange(1.5, FACADE_FOOT, 3.1):
        canvas.shade(box(left, right, row, row + 0.5), 0.94)
    canvas.fill(box(left, right, 66, FACADE_FOOT), canvas.surface((98, 95, 92), (2.0, 3.0, 2.0)))
    canvas.fill(box(left, right, 26.5, 29), canvas.surface((168, 164, 156), (2.0, 1.0, 1.0)))
    canvas.shade(box(left, right, 29, 30.5), 0.7)
    count = max(round((right - left) / 27), 1)
    step = (right - left) / count
    door = int(canvas.rng.integers(count))
    for k in range(count):
        centre = left + (k + 0.5) * step
        _window(canvas, centre - 6.5, centre + 6.5, 2, 22)
        if k == door:
            _door(canvas, centre)
        else:
            _window(canvas, centre - 9.5, centre + 9.5, 38, 62)


def _window(canvas: Canvas, left: float, right: float, top: float, bottom: float) -> None:
    canvas.fill(box(left - 1.6, right + 1.6, top - 1.6, bottom + 1.6), (186, 182, 174))
    level = float(canvas.rng.uniform(44, 84))
    glass = canvas.surface((level, level + 6, level + 13), (7.0, 3.0, 1.0))
    canvas.fill(box(left, right, top, bottom), glass)
    canvas.shade(box(left, right, top, top + 2.2), 0.6)
    reflection = [(left + 2, bottom), (left + 8, top + 3), (left + 11, top + 3), (left + 5, bottom)]
    canvas.shade(reflection, 1.18)
    canvas.fill(box((left + right) / 2 - 0.6, (left + right) / 2 + 0.6, top, bottom), (176, 172, 164))
    canvas.fill(box(left - 2.4, right + 2.4, bottom + 1.6, bottom + 3.0), (150, 147, 140))
    canvas.shade(box(left - 2.4, right + 2.4, bottom + 3.0, bottom + 4.5), 0.8)


def _door(canvas: Canvas, centre: float) -> None:
    canvas.fill(box(centre - 7.2, centre + 7.2, 43, FACADE_FOOT), (122, 118, 112))
    canvas.fill(
        box(centre - 5.6, centre + 5.6, 45, FACADE_FOOT), canvas.surface((62, 48, 40), (3.0, 3.0, 1.0))
    )
    canvas.fill(box(centre - 3.8, centre + 3.8, 48, 57), (74, 86, 92))
    canvas.shade(box(centre - 0.4, centre + 0.4, 45, FACADE_FOOT), 0.6)
    canvas.fill(box(centre - 8.5, centre + 8.5, FACADE_FOOT - 2, FACADE_FOOT + 1), (142, 139, 132))


def _slabs(canvas: Canvas, top: float, bottom: float) -> None:
    """Rows of paving stones, 0.8 m deep, whose joints run to the vanishing point."""
    focal = 300.0
    nearest = focal * CAMERA_HEIGHT / (bottom - HORIZON)
    farthest = focal * CAMERA_HEIGHT / (top - HORIZON)
    for depth in np.arange(nearest, farthest, 0.8):
        row = HORIZON + focal * CAMERA_HEIGHT / depth
        canvas.shade(canvas.band(row - 0.35, row + 0.35), 0.87)
    middle = canvas.right / 2
    reach = canvas.right / pixels_per_metre(top)
    for metres in np.arange(-reach, reach, 1.0):
        x0, x1 = (middle + metres * pixels_per_metre(row) for row in (top, bottom))
        canvas.shade([(x0 - 0.3, top), (x0 + 0.3, top), (x1 + 0.4, bottom), (x1 - 0.4, bottom)], 0.88)


def _road(canvas: Canvas) -> None:
    for row, thick in ((FAR_CURB, 3.0), (NEAR_CURB, 4.5)):
        canvas.fill(canvas.band(row - thick + 1, row + 0.6), canvas.surface((146, 143, 137), (2.0, 4.0, 2.0)))
        canvas.shade(canvas.band(row + 0.6, row + 2.2), 0.66)
    for row, thick in ((111.0, 3.0), (119.0, 3.0), (145.0, 4.0), (157.0, 4.0)):
        canvas.shade(canvas.band(row, row + thick), 0.95)
    middle = canvas.right / 2
    for metres in np.arange(-24.0, 24.0, 5.0):
        ends = [
            (middle + m * pixels_per_metre(row), row) for m, row in ((metres, 128.6), (metres + 2.2, 128.6))
        ]
        far = [(middle + m * pixels_per_metre(131.4), 131.4) for m in (metres + 2.2, metres)]
        canvas.fill(ends + far, canvas.surface((176, 175, 170), (3.0, 6.0, 5.0)))
    for x, row in ((0.27, 140.0), (0.78, 117.0)):
        _manhole(canvas, x * canvas.right, row)
    patch = [(0.50, 150), (0.66, 150), (0.68, 163), (0.51, 163)]
    canvas.shade([(x * canvas.right, y) for x, y in patch], 0.86)
    _crack(canvas)


def _manhole(canvas: Canvas, x: float, row: float) -> None:
    radius = 0.4 * pixels_per_metre(row)
    turn = np.linspace(0, 2 * np.pi, 30, endpoint=False)
    rim = [(x + radius * np.cos(a), row + 0.48 * radius * np.sin(a)) for a in turn]
    lid = [(x + 0.82 * radius * np.cos(a), row + 0.4 * radius * np.sin(a)) for a in turn]
    canvas.fill(rim, (112, 110, 108))
    canvas.fill(lid, canvas.surface((66, 65, 66), (2.0, 6.0, 5.0)))


def _crack(canvas: Canvas) -> None:
    rows = np.arange(101.0, 166.0, 3.0)
    x = 0.4 * canvas.right + np.cumsum(canvas.rng.normal(0.6, 1.4, rows.size))
    path = list(zip(x.tolist(), rows.tolist(), strict=True))
    back = [(px + 0.7, py) for px, py in reversed(path)]
    canvas.shade(path + back, 0.78)


def _park(picture: NDArray[np.float32], width: int, height: int) -> tuple[NDArray[np.float32], Occluder]:
    unit = height / 240
    place = Placement(PARKED_AT[0] * unit, PARKED_AT[1] * unit, pixels_per_metre(PARKED_AT[1]) * unit, -1)
    parts = car((70, 84, 74))(0.3)
    shade = shadow_of(parts, place, (height, width), unit)
    sprite = draw(parts, place, (height, width))
    lit = picture * (1 - 0.4 * shade[..., None])
    return lit * (1 - sprite.alpha[..., None]) + sprite.colour, Occluder(sprite.ground, sprite.alpha)


def _tree(canvas: Canvas, picture: NDArray[np.float32]) -> tuple[NDArray[np.float32], Occluder]:
    x, foot = TREE_AT
    trunk = [(x - 2.2, foot), (x - 1.5, 20), (x + 1.5, 20), (x + 2.4, foot)]
    crown = []
    for _ in range(46):
        angle, reach = canvas.rng.uniform(0, 2 * np.pi), 25 * np.sqrt(canvas.rng.uniform())
        crown.append((x + 1.25 * reach * np.cos(angle), 8 + 0.8 * reach * np.sin(angle)))
    alpha = canvas.coverage([trunk], [(cx, cy, float(canvas.rng.uniform(3, 7))) for cx, cy in crown])
    leaves = canvas.surface((66, 84, 50), (10.0, 11.0, 9.0))
    bark = canvas.surface((82, 70, 58), (3.0, 5.0, 4.0))
    rows = np.arange(canvas.shape[0])[:, None, None] / canvas.unit
    colour = canvas.shrink(np.where(rows < 31, leaves, bark).astype(np.float32))
    blob = cv2.GaussianBlur(
        canvas.coverage([], [(x + 14, foot + 3, 13.0)], flat=0.3), (0, 0), 2 * canvas.scale
    )
    lit = picture * (1 - 0.2 * blob[..., None])
    return lit * (1 - alpha[..., None]) + colour * alpha[..., None], Occluder(foot * canvas.scale, alpha)


def _lamp(canvas: Canvas, picture: NDArray[np.float32]) -> tuple[NDArray[np.float32], Occluder]:
    x, foot = LAMP_AT[0] / 320 * canvas.right, LAMP_AT[1]
    post = [(x - 2.0, foot), (x - 1.3, 0), (x + 1.3, 0), (x + 2.0, foot)]
    base = [(x - 3.2, foot + 1), (x - 2.8, foot - 13), (x + 2.8, foot - 13), (x + 3.2, foot + 1)]
    alpha = canvas.coverage([post, base], [])
    columns = np.arange(picture.shape[1])[None, :, None] / canvas.scale
    colour = 66.0 + 8.0 * np.clip((columns - x) / 1.5, -1, 1) + np.float32((0, 4, 3))
    shade = canvas.coverage([[(x, foot), (x + 2, foot), (x + 66, foot + 24), (x + 62, foot + 25)]], [])
    soft = cv2.GaussianBlur(shade, (0, 0), 1.2 * canvas.scale)
    lit = picture * (1 - 0.25 * soft[..., None])
    return (lit * (1 - alpha[..., None]) + colour * alpha[..., None]).astype(np.float32), Occluder(
        foot * canvas.scale, alpha
    )


def develop(picture: NDArray[np.float32], unit: float) -> NDArray[np.uint8]:
    """Apply what a lens does: a little blur, darker corners."""
    soft = cv2.GaussianBlur(picture, (0, 0), 0.45 * unit)
    height, width = soft.shape[:2]
    rows = (np.arange(height)[:, None] - height / 2) / height
    columns = (np.arange(width)[None, :] - width / 2) / height
    vignette = 1.0 - 0.11 * (rows**2 + columns**2)
    return np.clip(np.rint(soft * vignette[..., None]), 0, 255).astype(np.uint8)


def box(left: float, right: float, top: float, bottom: float) -> list[tuple[float, float]]:
    """Return the corners of an upright rectangle."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]
