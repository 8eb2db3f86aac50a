"""A shop counter that is hardly ever empty: customers stand before it, one after the other, and staff behind it."""

from __future__ import annotations

import numpy as np
from scene.canvas import Canvas
from scene.plate import Occluder, box
from scene.texture import Picture

from scenes.cast import Role, Stop, somebody
from scenes.clip import Clip, Take
from scenes.film import Camera, View, shoot
from scenes.places import finish, floor, indoors, shelf

PLACES = (70.0, 158.0, 246.0)
"""Where customers stand, reference pixels."""

FRONT = 192.0
COUNTER = (104.0, 172.0)
"""Top edge and foot of the counter, rows."""

STAYS = (0.15, 0.24)
"""Part of the clip that a customer stands there."""

PAUSE = (0.07, 0.12)
"""Part of the clip in which the place is empty."""


def make(take: Take) -> Clip:
    """Make the scene: each place at the counter is taken for two thirds of the clip, by four to five people."""
    picture, counter = _shop(take)
    rng = take.rng(1)
    cast = [role for x in PLACES for role in _customers(rng, x)]
    behind: tuple[Stop, ...] = (
        (-0.01, 110, 150),
        (0.16, 110, 150),
        (0.24, 200, 150),
        (0.55, 200, 150),
        (0.64, 96, 150),
        (0.80, 96, 150),
        (0.92, 260, 150),
        (1.01, 260, 150),
    )
    cast.append(Role(somebody(rng), behind, indoors, allowed_deviation=0.02, casts=0.0))

    def view(_: int) -> View:
        return View(picture, (counter,))

    return shoot(view, cast, take, Camera(shadow=0.08))


def _customers(rng: np.random.Generator, x: float) -> list[Role]:
    """Return who comes to one place: from a side, stands, leaves to a side; the next one follows after a pause."""
    found, time = [], float(rng.uniform(-0.15, 0.05))
    while time < 1.0:
        leaves = time + float(rng.uniform(*STAYS))
        at, row = x + float(rng.uniform(-5, 5)), FRONT + float(rng.uniform(-4, 4))
        ahead = FRONT + 32.0
        side = (-30.0, 350.0)[int(rng.integers(2))]
        other = (-30.0, 350.0)[int(rng.integers(2))]
        come, go = abs(side - at) / 2600, abs(other - at) / 2600
        stops: tuple[Stop, ...] = (
            (time - 0.03 - come, side, ahead),
            (time - 0.03, at - np.sign(at - side) * 18, ahead - 8),
            (time, at, row),
            (leaves, at, row),
            (leaves + 0.03, at + np.sign(other - at) * 18, ahead - 8),
            (leaves + 0.03 + go, other, ahead),
        )
        found.append(Role(somebody(rng), stops, indoors, allowed_deviation=0.02))
        time = leaves + float(rng.uniform(*PAUSE))
    return found


def _shop(take: Take) -> tuple[Picture, Occluder]:
    canvas = Canvas(take.width, take.height, take.rng(0))
    canvas.fill(canvas.band(0, 150), canvas.surface((186, 174, 150), (4.0, 3.0, 2.0)))
    shelf(canvas, (12, 12), (136, 72), 3)
    shelf(canvas, (172, 12), (136, 72), 3)
    floor(canvas, 150, (126, 116, 104), 0.8)
    top, foot = COUNTER
    outline = box(-2, 322, top, foot)
    canvas.fill(outline, canvas.surface((136, 100, 70), (3.0, 6.0, 4.0)))
    for x in np.arange(4.0, 320.0, 40.0):
        canvas.shade(box(x, x + 34, top + 12, foot - 6), 0.86)
        canvas.shade(box(x + 2, x + 32, top + 14, foot - 8), 1.12)
    canvas.fill(box(-2, 322, top, top + 7), canvas.surface((196, 190, 178), (3.0, 4.0, 3.0)))
    canvas.fill(box(140, 168, top - 16, top + 1), (48, 50, 54))
    canvas.fill(box(143, 165, top - 14, top - 5), canvas.surface((96, 132, 110), (6.0, 4.0, 2.0)))
    canvas.shade(canvas.band(foot, foot + 5), 0.74)
    till = box(140, 168, top - 16, top + 1)
    return finish(canvas), Occluder((foot - 4) * take.unit, canvas.coverage([outline, till], []))
