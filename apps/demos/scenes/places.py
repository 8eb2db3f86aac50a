"""Empty rooms that more than one scene uses."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scene.canvas import Canvas
from scene.plate import Plate, box, develop, paint_plate
from scene.texture import Picture, fractal

from scenes.clip import Take


def indoors(row: float) -> float:
    """Return the reference pixels per metre of what stands on the floor at *row*."""
    return 0.2 * row + 10.0


def finish(canvas: Canvas) -> Picture:
    """Return the painted picture as the lens shows it, float32."""
    return develop(canvas.picture(), canvas.scale).astype(np.float32)


def floor(canvas: Canvas, top: float, colour: tuple[float, float, float], tile: float = 0.8) -> None:
    """Paint a tiled floor from row *top* down, tiles of *tile* metres in perspective."""
    rough = canvas.surface(colour, (5.0, 4.0, 4.0))
    veins = 6.0 * fractal(canvas.rng, canvas.shape, (14 * canvas.unit, 30 * canvas.unit), 4)
    canvas.fill(canvas.band(top, 240), rough + veins[..., None])
    row = top
    while row < 240:
        canvas.shade(canvas.band(row, row + 0.7), 0.80)
        row += max(tile * indoors(row) * 0.33, 3.0)
    for metres in np.arange(-12, 12, tile):
        x0, x1 = (160 + metres * indoors(y) for y in (top, 240.0))
        canvas.shade([(x0 - 0.35, top), (x0 + 0.35, top), (x1 + 0.5, 240), (x1 - 0.5, 240)], 0.82)


def shelf(canvas: Canvas, corner: tuple[float, float], size: tuple[float, float], boards: int) -> None:
    """Paint a shelf full of books or goods: upright boxes of all colours."""
    (x, y), (width, height) = corner, size
    canvas.fill(
        box(x - 2, x + width + 2, y - 2, y + height + 2), canvas.surface((112, 84, 58), (2.0, 4.0, 3.0))
    )
    step = height / boards
    for k in range(boards):
        canvas.fill(box(x, x + width, y + k * step, y + (k + 1) * step - 2), (52, 44, 38))
        at = x + 1
        while at < x + width - 7:
            thick, tall = canvas.rng.uniform(3, 8), canvas.rng.uniform(0.6, 0.92) * (step - 2)
            colour = 0.45 * canvas.rng.uniform(40, 205, 3) + 0.55 * canvas.rng.uniform(40, 190)
            bottom = y + (k + 1) * step - 2
            canvas.fill(box(at, at + thick, bottom - tall, bottom), (colour[0], colour[1], colour[2]))
            canvas.shade(box(at, at + 0.8, bottom - tall, bottom), 0.7)
            canvas.shade(box(at, at + thick, bottom - 0.7 * tall, bottom - 0.6 * tall), 1.25)
            at += thick + canvas.rng.uniform(0, 1.2)


@lru_cache(maxsize=2)
def street(take: Take) -> Plate:
    """Paint the street of the demo clip."""
    return paint_plate(take.rng(0), take.width, take.height)


def office(take: Take) -> Picture:
    """Paint an office: a window on the left, shelves, a door, a desk, a carpet of tiles."""
    canvas = Canvas(take.width, take.height, take.rng(0))
    canvas.fill(canvas.band(0, 132), canvas.surface((172, 166, 152), (4.0, 3.0, 2.0)))
    canvas.fill(box(14, 92, 14, 90), (206, 204, 198))
    canvas.fill(box(18, 88, 18, 86), canvas.surface((186, 204, 220), (10.0, 8.0, 2.0)))
    canvas.fill(box(18, 88, 60, 86), canvas.surface((112, 128, 96), (14.0, 10.0, 6.0)))
    for x in (51.5, 86.5):
        canvas.fill(box(x, x + 3, 14, 90), (204, 202, 196))
    shelf(canvas, (116, 26), (74, 92), 4)
    canvas.fill(box(218, 270, 22, 132), (120, 92, 66))
    canvas.fill(box(222, 266, 26, 132), canvas.surface((150, 116, 82), (3.0, 5.0, 3.0)))
    canvas.fill(box(226, 230, 78, 82), (210, 204, 184))
    canvas.fill(box(284, 312, 34, 78), canvas.surface((190, 122, 70), (22.0, 16.0, 6.0)))
    canvas.fill(canvas.band(128, 133), (96, 88, 80))
    floor(canvas, 133, (110, 112, 120), 1.0)
    canvas.fill(box(8, 104, 118, 126), (158, 126, 88))
    canvas.fill(box(10, 102, 126, 168), canvas.surface((122, 94, 66), (3.0, 5.0, 3.0)))
    canvas.shade(box(40, 70, 126, 168), 0.72)
    canvas.fill(box(34, 74, 90, 116), (34, 36, 40))
    canvas.fill(box(37, 71, 93, 112), canvas.surface((70, 88, 120), (16.0, 12.0, 4.0)))
    canvas.shade(canvas.band(133, 138), 0.88)
    return finish(canvas)


def hall(take: Take) -> Picture:
    """Paint a station hall: posters, a pillar, a bench, stone tiles."""
    canvas = Canvas(take.width, take.height, take.rng(0))
    canvas.fill(canvas.band(0, 118), canvas.surface((146, 142, 134), (5.0, 4.0, 3.0)))
    for row in np.arange(8.0, 118.0, 15.0):
        canvas.shade(canvas.band(row, row + 0.8), 0.88)
    posters = ((22, 60, (176, 70, 58)), (76, 118, (64, 108, 142)), (236, 290, (196, 176, 96)))
    for left, right, colour in posters:
        canvas.fill(box(left - 2, right + 2, 24, 88), (70, 72, 74))
        canvas.fill(box(left, right, 26, 86), canvas.surface(colour, (26.0, 16.0, 6.0)))
        for row in (34, 62, 70):
            canvas.fill(box(left + 5, right - 8, row, row + 4), (214, 210, 200))
    canvas.fill(box(150, 206, 30, 118), (58, 62, 66))
    canvas.fill(box(154, 202, 34, 118), canvas.surface((92, 108, 116), (12.0, 6.0, 3.0)))
    canvas.fill(box(177, 179, 34, 118), (58, 62, 66))
    floor(canvas, 118, (132, 124, 112), 0.9)
    canvas.shade(canvas.band(118, 123), 0.84)
    canvas.fill(box(18, 92, 128, 134), canvas.surface((140, 104, 66), (2.0, 5.0, 3.0)))
    canvas.fill(box(18, 92, 108, 122), canvas.surface((132, 98, 62), (2.0, 5.0, 3.0)))
    for x in (22, 84):
        canvas.fill(box(x, x + 4, 122, 148), (52, 52, 54))
    return finish(canvas)
