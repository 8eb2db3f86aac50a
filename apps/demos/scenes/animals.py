"""A box of bedding seen from above, and two animals: one rests for most of the clip, and twice they cross."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scene.actors import Builder
from scene.canvas import Canvas
from scene.geometry import capsule, ellipse
from scene.sprite import Colour, Part
from scene.texture import Picture, fractal

from scenes.cast import Role, Stop
from scenes.clip import Take
from scenes.film import Camera, View, placement, rolled
from scenes.places import finish

FPS = 25
SECONDS = 60
SCALE = 26.0
"""Reference pixels to a body length."""
RESTS = (0.04, 0.89)
"""When the one that rests has lain down, and when it gets up: 85 % of the clip."""
COLOURS: tuple[Colour, Colour] = ((52, 44, 40), (196, 176, 150))


def take(seed: int = 1, width: int = 240, seconds: int = SECONDS) -> Take:
    """Return how the scene is made."""
    return Take(seed, FPS * seconds, width)


def cast(take: Take) -> list[Role]:
    """Return the one that rests, and the one that runs about."""
    del take
    lies: tuple[Stop, ...] = (
        (0.0, 60.0, 60.0),
        (RESTS[0], 130.0, 110.0),
        (RESTS[1], 130.0, 110.0),
        (0.93, 250.0, 110.0),
        (0.97, 250.0, 190.0),
        (1.0, 120.0, 190.0),
    )
    runs: list[Stop] = [(0.0, 270.0, 190.0)]
    corners = ((230.0, 60.0), (60.0, 200.0), (60.0, 60.0), (270.0, 180.0), (200.0, 50.0), (50.0, 190.0))
    for turn in range(12):
        x, y = corners[turn % len(corners)]
        runs.append((0.07 * (turn + 1), x, y))
    # They meet head on, and pass.
    runs += [(0.905, 230.0, 112.0), (0.93, 90.0, 112.0), (0.985, 240.0, 192.0), (1.0, 270.0, 200.0)]
    animals = (animal(colour) for colour in COLOURS)
    return [
        Role(build, stops, _scale, casts=0.0)
        for build, stops in zip(animals, (lies, tuple(runs)), strict=True)
    ]


def roll(take: Take) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]]:
    """Yield frame, labels and background of each frame of the scene."""
    picture = _bedding(take)

    def view(_: int) -> View:
        return View(picture)

    return rolled(view, cast(take), take, Camera(shadow=0.0))


def centroids(take: Take) -> NDArray[np.float64]:
    """Return ``(frames, animals, 2)``: x and y of the middle of each body, pixels."""
    found = []
    for t in range(take.frames):
        places = [placement(role, t / take.frames, take.unit) for role in cast(take)]
        found.append([(place.x - 0.5, place.y - 0.25 * place.scale - 0.5) for place in places])
    return np.array(found)


def animal(colour: Colour) -> Builder:
    """Return an animal of one body length, head, ears and tail included."""
    dark: Colour = (colour[0] * 0.8, colour[1] * 0.8, colour[2] * 0.8)
    parts = [
        Part(capsule((-0.62, 0.25), (-0.35, 0.25), 0.04), dark),
        Part(ellipse((0.0, 0.25), 0.4, 0.2), colour),
        Part(ellipse((0.38, 0.25), 0.16, 0.12), colour),
        Part(ellipse((0.34, 0.36), 0.05, 0.05), dark),
        Part(ellipse((0.34, 0.14), 0.05, 0.05), dark),
    ]
    return lambda _: parts


def _scale(_: float) -> float:
    return SCALE


def _bedding(take: Take) -> Picture:
    canvas = Canvas(take.width, take.height, take.rng(0))
    chips = 16.0 * fractal(canvas.rng, canvas.shape, (5 * canvas.unit, 5 * canvas.unit), 3)
    canvas.fill(canvas.band(0, 240), canvas.surface((134, 116, 92), (6.0, 5.0, 4.0)) + chips[..., None])
    for edge in ([(0, 0), (canvas.right, 0), (canvas.right, 14), (0, 14)], canvas.band(226, 240)):
        canvas.fill(edge, canvas.surface((88, 92, 98), (2.0, 3.0, 3.0)))
    return finish(canvas)
