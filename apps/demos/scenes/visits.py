"""A street at which somebody comes by now and then: forty visits in ten minutes, and much that is none.

A tree moves in the wind all the time, a clock changes every second, a cloud passes, lamps go on. One of the visitors is
a car that parks. Each visit is alone, at least three seconds before the next one.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray
from scene.actors import car, cyclist
from scene.plate import TREE_AT
from scene.texture import Picture, rgb
from scene.traffic import CARS

from scenes.cast import Role, Stop, somebody, walk
from scenes.clip import Take
from scenes.film import Camera, View, rolled
from scenes.places import street
from scenes.wind import Wind

FPS = 10
SECONDS = 600
VISITS = 40
PARKING = 17
"""Which visit is the car that parks; it takes the time of three."""
LAMPS = 0.61
"""When the lamps go on, part of the clip."""


def take(seed: int = 1, width: int = 240, seconds: int = SECONDS) -> Take:
    """Return how the scene is made."""
    return Take(seed, FPS * seconds, width)


def cast(take: Take) -> list[Role]:
    """Return the visitors, one after the other."""
    rng, slots = take.rng(1), VISITS + 2
    seconds = take.frames / FPS
    length, roles = seconds / slots, []
    for visit in range(VISITS):
        slot = visit + 2 * (visit > PARKING)
        start = slot * length + rng.uniform(0, 1.5)
        if visit == PARKING:
            roles.append(Role(car(CARS[1]), _parks(start / seconds, (start + 3 * length - 5) / seconds)))
            continue
        ends = start + rng.uniform(4.0, length - 4.5)
        roles.append(_visitor(rng, visit, start / seconds, ends / seconds))
    return roles


def roll(take: Take) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]]:
    """Yield frame, labels and background of each frame of the scene."""
    plate = street(take)
    picture = plate.image.astype(np.float32)
    crown, wind = _crown(take), Wind(take, 0.9)

    def view(t: int) -> View:
        moved = picture + crown * (wind.blow(picture, t) - picture)
        _show_clock(moved, t // FPS, take.unit)
        phase = t / take.frames
        level = 1 - 0.12 * np.sin(np.pi * phase) ** 2
        lamps = rgb(1.24, 1.20, 1.12) if phase >= LAMPS else rgb(1.0, 1.0, 1.0)
        return View(moved, plate.occluders, np.float32(level) * lamps)

    return rolled(view, cast(take), take, Camera(shadow=0.12))


def _visitor(rng: np.random.Generator, visit: int, start: float, end: float) -> Role:
    direction = 1 if rng.random() < 0.5 else -1
    if visit % 8 == 3:
        paint = CARS[int(rng.integers(len(CARS)))]
        return Role(car(paint), walk(start, end, float(rng.uniform(118, 156)), direction, 60))
    if visit % 8 == 6:
        return Role(cyclist((204, 188, 60), (46, 50, 62)), walk(start, end, 140.0, direction, 30))
    return Role(somebody(rng), walk(start, end, float(rng.uniform(150, 196)), direction))


def _parks(start: float, end: float) -> tuple[Stop, ...]:
    drive = (end - start) / 12
    return (
        (start, -60.0, 160.0),
        (start + drive, 150.0, 160.0),
        (end - drive, 150.0, 160.0),
        (end, 380.0, 160.0),
    )


def _crown(take: Take) -> Picture:
    rows, columns = np.mgrid[: take.height, : take.width].astype(np.float32) / np.float32(take.unit)
    away = np.hypot((columns - TREE_AT[0]) / 34, (rows - 8) / 24)
    return np.clip(3 * (1.2 - away), 0, 1)[..., None].astype(np.float32)


def _show_clock(picture: Picture, second: int, unit: float) -> None:
    left, top, right, bottom = (round(side * unit) for side in (14, 30, 62, 46))
    face = np.full((bottom - top, right - left, 3), 24, np.uint8)
    text, place = f"{second // 60:02d}:{second % 60:02d}", (round(2 * unit), bottom - top - round(4 * unit))
    cv2.putText(face, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.42 * unit, (230, 60, 50), 1, cv2.LINE_AA)
    picture[top:bottom, left:right] = face
