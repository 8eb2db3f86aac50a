"""A wide field with things far away: a few pixels each, that go on and on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scene.actors import Builder
from scene.canvas import Canvas
from scene.geometry import rounded
from scene.sprite import Colour, Part
from scene.texture import Picture, fractal, rgb

from scenes.cast import Role
from scenes.clip import Clip, Take
from scenes.film import Camera, View, shoot
from scenes.places import finish


def make(take: Take) -> Clip:
    """Make the scene: six things of 8 to 13 pixels, 30 to 60 grey levels from the ground."""
    picture = _field(take)
    paths: tuple[tuple[Colour, tuple[float, float], tuple[float, float, float, float], float], ...] = (
        ((150, 152, 150), (7.0, 4.6), (-0.05, 0.95, -12, 334), 118.0),
        ((152, 66, 58), (7.5, 4.8), (0.10, 0.80, 334, -12), 121.0),
        ((66, 68, 72), (4.6, 7.0), (-0.2, 1.3, 60, 300), 168.0),
        ((186, 178, 154), (4.6, 6.6), (-0.1, 1.2, 290, 40), 152.0),
        ((118, 124, 132), (5.6, 4.6), (0.0, 1.05, -10, 330), 52.0),
        ((164, 96, 62), (4.8, 6.6), (0.2, 1.5, 330, 60), 200.0),
    )
    cast = [
        Role(_thing(colour, size), ((start, x0, row), (end, x1, row)), _plain, casts=0.0)
        for colour, size, (start, end, x0, x1), row in paths
    ]

    def view(_: int) -> View:
        return View(picture)

    return shoot(view, cast, take, Camera(shadow=0.0))


def _thing(colour: Colour, size: tuple[float, float]) -> Builder:
    width, height = size
    corners = [(-width / 2, 0.0), (-width / 2, height), (width / 2, height), (width / 2, 0.0)]
    parts = [Part(rounded(corners, 1) if height < width else np.array(corners), colour)]
    return _always(parts)


def _always(parts: list[Part]) -> Callable[[float], list[Part]]:
    def build(_: float) -> list[Part]:
        return parts

    return build


def _plain(_: float) -> float:
    return 1.0


def _field(take: Take) -> Picture:
    canvas = Canvas(take.width, take.height, take.rng(0))
    canvas.fill(canvas.band(0, 84), canvas.surface((176, 188, 204), (10.0, 4.0, 1.0)))
    hills = canvas.surface((96, 108, 92), (9.0, 6.0, 4.0))
    canvas.fill(
        [(0, 84), (60, 66), (130, 78), (220, 60), (canvas.right, 74), (canvas.right, 96), (0, 96)], hills
    )
    grass = canvas.surface((112, 120, 76), (9.0, 8.0, 7.0))
    blades = 7.0 * fractal(canvas.rng, canvas.shape, (7 * canvas.unit, 3 * canvas.unit), 3)
    canvas.fill(canvas.band(92, 240), grass + blades[..., None] * rgb(0.8, 1.0, 0.6))
    canvas.fill(canvas.band(110, 124), canvas.surface((104, 104, 102), (3.0, 3.0, 4.0)))
    track = canvas.surface((150, 136, 108), (5.0, 6.0, 7.0))
    canvas.fill([(0, 176), (canvas.right, 146), (canvas.right, 154), (0, 188)], track)
    return finish(canvas)
