"""A park in the wind: trees and bushes wave behind, and before, the people who walk there."""

from __future__ import annotations

import numpy as np
from scene.actors import cyclist
from scene.canvas import Canvas
from scene.geometry import pixels_per_metre
from scene.plate import Occluder
from scene.texture import Picture, fractal, rgb

from scenes.cast import Role, somebody, walk
from scenes.clip import Clip, Take
from scenes.film import View, shoot
from scenes.places import finish
from scenes.wind import Wind

STRENGTH = 1.1
"""Pixels, standard deviation: leaves move by 1 to 4 pixels."""

TREES = (
    (46.0, 36.0, 50.0, 40.0),
    (148.0, 52.0, 44.0, 46.0),
    (262.0, 30.0, 60.0, 42.0),
    (212.0, 92.0, 30.0, 14.0),
)
"""Middle and half axes of the crowns behind the path, reference pixels."""

NEAR = ((300.0, 96.0, 26.0, 60.0),)
"""A bush beside the camera; people pass behind it."""

_BEHIND, _BEFORE = 100.0, 236.0


def make(take: Take) -> Clip:
    """Make the scene: a third of the picture is leaves."""
    canvas = Canvas(take.width, take.height, take.rng(0))
    ground, wind = _park(canvas), Wind(take, STRENGTH)
    far, near = _leaves(canvas, TREES, (70, 92, 48)), _leaves(canvas, NEAR, (58, 80, 40))
    rng = take.rng(1)
    cast = [
        Role(somebody(rng), walk(-0.10, 0.80, 146, 1), _near),
        Role(somebody(rng), walk(0.10, 1.05, 178, -1), _near),
        Role(cyclist((204, 66, 48), (46, 50, 62)), walk(0.25, 0.58, 160, 1, 40), _near),
        Role(somebody(rng), walk(0.40, 1.30, 140, -1), _near),
        Role(somebody(rng), walk(0.56, 1.40, 190, 1), _near),
    ]

    def view(t: int) -> View:
        behind, before = wind.blow(far, t), wind.blow(near, (t + 7) % take.frames)
        picture = _over(_over(ground, behind), before)
        return View(picture, (Occluder(_before(take), np.clip(before[..., 3], 0, 1)),))

    return shoot(view, cast, take)


def _near(row: float) -> float:
    return 1.45 * pixels_per_metre(row)


def _before(take: Take) -> float:
    return _BEFORE * take.unit


def _park(canvas: Canvas) -> Picture:
    canvas.fill(canvas.band(0, 62), canvas.surface((178, 190, 204), (9.0, 3.0, 1.0)))
    canvas.fill(canvas.band(44, _BEHIND), canvas.surface((84, 96, 68), (9.0, 12.0, 9.0)))
    grass = canvas.surface((96, 116, 62), (8.0, 8.0, 8.0))
    blades = 7.0 * fractal(canvas.rng, canvas.shape, (9 * canvas.unit, 2 * canvas.unit), 3)
    canvas.fill(canvas.band(_BEHIND, 240), grass + blades[..., None] * rgb(0.8, 1.0, 0.5))
    gravel = canvas.surface((150, 140, 120), (5.0, 5.0, 8.0))
    canvas.fill([(0, 134), (canvas.right, 128), (canvas.right, 196), (0, 204)], gravel)
    for x, y, _, _ in TREES[:3]:
        trunk = [(x - 4, _BEHIND + 6), (x - 2.5, y), (x + 2.5, y), (x + 4, _BEHIND + 6)]
        canvas.fill(trunk, canvas.surface((78, 66, 54), (3.0, 6.0, 5.0)))
    return finish(canvas)


def _leaves(
    canvas: Canvas, crowns: tuple[tuple[float, float, float, float], ...], colour: tuple[float, float, float]
) -> Picture:
    """Return leaves ``(rows, columns, 4)``: colour multiplied by coverage, and coverage with holes."""
    discs = []
    for x, y, across, down in crowns:
        for _ in range(70):
            angle, reach = canvas.rng.uniform(0, 2 * np.pi), np.sqrt(canvas.rng.uniform())
            radius = float(canvas.rng.uniform(4, 9))
            discs.append((x + across * reach * np.cos(angle), y + down * reach * np.sin(angle), radius))
    gaps = fractal(canvas.rng, canvas.shape, (7 * canvas.unit, 7 * canvas.unit), 3)
    solid = np.asarray(gaps > -1.3, np.float32)
    alpha = canvas.coverage([], discs) * canvas.shrink(solid)
    light = 15.0 * fractal(canvas.rng, canvas.shape, (4.5 * canvas.unit, 5.5 * canvas.unit), 2)
    shade = 12.0 * fractal(canvas.rng, canvas.shape, (30 * canvas.unit, 36 * canvas.unit), 2)
    painted = rgb(*colour) + (light + shade)[..., None] * rgb(0.9, 1.0, 0.7)
    leaves = np.clip(canvas.shrink(np.asarray(painted, np.float32)), 12, 220) * alpha[..., None]
    return np.concatenate([leaves, alpha[..., None]], axis=2).astype(np.float32)


def _over(picture: Picture, leaves: Picture) -> Picture:
    alpha = np.clip(leaves[..., 3:], 0, 1)
    return np.asarray(picture * (1 - alpha) + leaves[..., :3], np.float32)
