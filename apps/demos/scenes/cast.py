"""Who moves in a scene, and along which way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scene.actors import Builder, person
from scene.geometry import pixels_per_metre
from scene.sprite import Colour, Part, Placement
from scene.traffic import Actor, one_round

Stop = tuple[float, float, float]
"""Part of the clip (0–1), then where: x and the ground row, reference pixels (the picture is 320 × 240)."""

STEP = 0.75
"""Metres; distances between stops are whole steps, so that whoever stands has the feet together."""

POSES = 24

LOOKS: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((40, 46, 70), (46, 50, 62), (52, 40, 32)),
    ((150, 46, 44), (34, 34, 38), (52, 40, 32)),
    ((196, 186, 166), (58, 66, 92), (30, 26, 24)),
    ((44, 104, 60), (66, 54, 44), (120, 116, 112)),
    ((38, 38, 42), (34, 34, 38), (150, 118, 70)),
    ((182, 128, 50), (34, 34, 38), (30, 26, 24)),
    ((96, 60, 110), (46, 50, 62), (120, 116, 112)),
    ((222, 220, 214), (58, 66, 92), (52, 40, 32)),
    ((70, 110, 150), (150, 138, 116), (30, 26, 24)),
    ((132, 88, 62), (46, 50, 62), (150, 118, 70)),
    ((118, 118, 116), (44, 46, 52), (52, 40, 32)),
    ((60, 74, 60), (150, 138, 116), (30, 26, 24)),
)
"""Coat, trousers and hair; some are close to the ground."""


@dataclass(frozen=True, slots=True)
class Role:
    """One thing on its way: straight lines between stops.

    Attributes
    ----------
    build
        Draws it; see :mod:`scene.actors`.
    stops
        Its way; it is not there before the first and after the last.
    scale
        Ground row → reference pixels per metre.
    sway
        Metres by which it shifts its weight, to and fro, all the time.
    casts
        Share of the scene's shadow that it throws.
    reach
        Metres to its sides within which it and its shadow lie: farther outside of the picture it is not drawn.
    """

    build: Builder
    stops: tuple[Stop, ...]
    scale: Callable[[float], float] = pixels_per_metre
    allowed_deviation: float = 0.0
    casts: float = 1.0
    reach: float = 4.5

    def present(self, time: float) -> bool:
        """Tell whether it is on its way at *time* (part of the clip)."""
        return self.stops[0][0] <= time <= self.stops[-1][0]

    def at(self, time: float) -> Placement:
        """Return where it stands at *time*, in reference pixels."""
        times, columns, rows = np.array(self.stops).T
        row = float(np.interp(time, times, rows))
        scale = self.scale(row)
        phase = 37.0 * self.stops[0][1] + 5.0 * self.stops[0][2]
        swing = np.sin(2 * np.pi * 4.1 * time + phase) + 0.6 * np.sin(2 * np.pi * 9.7 * time + 2 * phase)
        x = float(np.interp(time, times, columns)) + scale * self.allowed_deviation * float(swing)
        return Placement(x, row, scale, self._facing(time))

    def travelled(self, time: float) -> float:
        """Return the metres it has gone by *time*."""
        times, columns, rows = np.array(self.stops).T
        scale = np.array([self.scale(row) for row in rows])
        lengths = np.hypot(np.diff(columns), 2 * np.diff(rows)) / (0.5 * (scale[1:] + scale[:-1]))
        whole = STEP * np.rint(lengths / STEP)
        return float(np.interp(time, times, np.concatenate([[0.0], np.cumsum(whole)])))

    def _facing(self, time: float) -> int:
        times, columns, _ = np.array(self.stops).T
        moves = [k for k in range(len(times) - 1) if columns[k + 1] != columns[k] and times[k] <= time]
        leg = moves[-1] if moves else 0
        return 1 if columns[min(leg + 1, len(columns) - 1)] >= columns[leg] else -1


@cache
def walker(coat: Colour, trousers: Colour, hair: Colour = (52, 40, 32)) -> Builder:
    """Return a walking person in one of 24 poses of a double step, each built once: people fill these scenes."""
    build, poses = person(coat, trousers, hair), dict[int, list[Part]]()

    def parts(travelled: float) -> list[Part]:
        pose = round(travelled / (2 * STEP) * POSES) % POSES
        if pose not in poses:
            poses[pose] = build(pose / POSES * 2 * STEP)
        return poses[pose]

    return parts


def somebody(rng: np.random.Generator) -> Builder:
    """Return a person in clothes drawn at random."""
    return walker(*LOOKS[int(rng.integers(len(LOOKS)))])


def walk(start: float, end: float, row: float, direction: int = 1, beyond: float = 20.0) -> tuple[Stop, ...]:
    """Return a way straight across the picture."""
    columns = (-beyond, 320.0 + beyond)[::direction]
    return ((start, columns[0], row), (end, columns[1], row))


def street_traffic(rng: np.random.Generator, casts: float = 1.0) -> list[Role]:
    """Return the traffic of the demo street: four cars, a van, four people and a cyclist."""
    return [_role(actor, casts) for actor in one_round(rng)]


def _role(actor: Actor, casts: float) -> Role:
    stops = tuple((time, 320.0 * x, row) for time, x, row in actor.route)
    return Role(actor.build, stops, casts=casts)
