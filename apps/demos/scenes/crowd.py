"""A square full of people: many places are covered most of the time, each time by somebody else."""

from __future__ import annotations

import numpy as np
from scene.canvas import Canvas
from scene.plate import box
from scene.texture import Picture

from scenes.cast import Role, somebody
from scenes.clip import Clip, Take
from scenes.film import Camera, View, shoot
from scenes.places import finish, floor, indoors

ROWS = (150.0, 170.0, 196.0)
"""Ground rows of the streams of people, reference pixels."""

GAP = (18.0, 70.0)
"""Reference pixels between one person and the next."""


def make(take: Take) -> Clip:
    """Make the scene: three streams of people at 0.6 to 1.0 pixels a frame, under an overcast sky."""
    picture, rng = _square(take), take.rng(1)
    cast = [role for k, row in enumerate(ROWS) for role in _stream(rng, row, 1 if k % 2 else -1)]

    def view(_: int) -> View:
        return View(picture)

    return shoot(view, cast, take, Camera(shadow=0.0))


def _stream(rng: np.random.Generator, row: float, direction: int) -> list[Role]:
    """Return people who walk behind each other for the whole clip, and go on beyond both sides of the picture."""
    speed = float(rng.uniform(200, 330))
    stream, x = [], -20.0 - speed
    while x < 340:
        y = row + float(rng.uniform(-3, 3))
        ends = (x, x + 1.05 * speed) if direction > 0 else (320 - x, 320 - x - 1.05 * speed)
        stream.append(Role(somebody(rng), ((-0.02, ends[0], y), (1.03, ends[1], y)), indoors, reach=1.0))
        x += float(rng.uniform(*GAP))
    return stream


def _square(take: Take) -> Picture:
    canvas = Canvas(take.width, take.height, take.rng(0))
    canvas.fill(canvas.band(0, 104), canvas.surface((168, 150, 126), (5.0, 4.0, 3.0)))
    for left in np.arange(6.0, 310.0, 52.0):
        canvas.fill(box(left, left + 40, 12, 60), canvas.surface((62, 70, 78), (9.0, 5.0, 2.0)))
        canvas.fill(box(left, left + 40, 66, 104), canvas.surface((96, 76, 60), (4.0, 4.0, 3.0)))
        canvas.fill(box(left + 4, left + 36, 70, 96), canvas.surface((206, 190, 140), (18.0, 14.0, 4.0)))
        canvas.fill(box(left + 19, left + 21, 12, 60), (160, 156, 148))
    canvas.fill(canvas.band(60, 65), canvas.surface((142, 52, 46), (3.0, 3.0, 2.0)))
    floor(canvas, 104, (152, 146, 136), 0.9)
    for k in range(0, 12, 2):
        x = 10.0 + 27.0 * k
        canvas.shade([(x, 112), (x + 15, 112), (x * 1.25 - 42, 236), (x * 1.25 - 62, 236)], 0.80)
    return finish(canvas)
