"""Who crosses the scene, where, and when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scene.actors import Builder, car, cyclist, person, van
from scene.geometry import pixels_per_metre
from scene.sprite import Colour, Placement

CYCLE = 240
"""Frames of a round of traffic: a shorter clip gets the same traffic faster, a longer one further rounds."""

CARS: tuple[Colour, ...] = (
    (150, 38, 34),
    (36, 62, 112),
    (138, 140, 144),
    (178, 180, 184),
    (206, 204, 196),
    (42, 44, 48),
    (190, 150, 52),
)
COATS: tuple[Colour, ...] = (
    (40, 46, 70),
    (150, 46, 44),
    (152, 147, 138),
    (196, 186, 166),
    (44, 104, 60),
    (38, 38, 42),
    (182, 128, 50),
)
TROUSERS: tuple[Colour, ...] = ((46, 50, 62), (34, 34, 38), (58, 66, 92), (66, 54, 44))

Stop = tuple[float, float, float]
"""Part of the round (0–1), x as a part of the width (0–1), ground row (reference pixels)."""


@dataclass(frozen=True, slots=True)
class Actor:
    """One moving thing on its way: straight lines between stops."""

    build: Builder
    route: tuple[Stop, ...]

    def placement(self, time: float, width: float) -> Placement:
        """Return where it stands at *time* (parts of the round); x and scale in reference pixels."""
        times, columns, rows = np.array(self.route).T
        x = float(np.interp(time, times, columns)) * width
        row = float(np.interp(time, times, rows))
        facing = 1 if columns[-1] >= columns[0] else -1
        return Placement(x, row, pixels_per_metre(row), facing)

    def travelled(self, time: float, width: float) -> float:
        """Return the metres it has gone by *time*."""
        times, columns, rows = np.array(self.route).T
        scale = np.array([pixels_per_metre(row) for row in rows])
        steps = np.hypot(np.diff(columns) * width, 2 * np.diff(rows)) / (0.5 * (scale[1:] + scale[:-1]))
        return float(np.interp(time, times, np.concatenate([[0.0], np.cumsum(steps)])))

    def present(self, time: float) -> bool:
        """Tell whether it is on its way at *time*."""
        return self.route[0][0] <= time <= self.route[-1][0]


def one_round(rng: np.random.Generator) -> tuple[Actor, ...]:
    """Return the traffic of one round: four cars, a van, four people and a cyclist.

    Each stands still for a fifth of the round at most, and no place is covered for more than a third of it, so
    that the temporal median of a clip is the empty scene.
    """
    paints = [CARS[k] for k in rng.permutation(len(CARS))]
    coats = [COATS[k] for k in rng.permutation(len(COATS))]
    legs = [TROUSERS[k] for k in rng.integers(len(TROUSERS), size=5)]
    shift = rng.uniform(-0.015, 0.015, 10)
    near, far = 156.0, 121.0
    return (
        Actor(car(paints[0]), _cross(0.02 + shift[0], 0.26, far, -1)),
        Actor(car(paints[1]), _cross(0.12 + shift[1], 0.24, near, 1)),
        Actor(van((198, 197, 190)), _cross(0.42 + shift[2], 0.27, near, 1)),
        Actor(car(paints[2]), _cross(0.50 + shift[3], 0.25, far - 1, -1)),
        Actor(car(paints[3]), _cross(0.78 + shift[4], 0.30, near - 1, 1)),
        Actor(person(coats[0], legs[0]), _walk(-0.22 + shift[5], 0.86 + shift[5], 188.0, 1)),
        Actor(person(coats[1], legs[1]), _walk(0.30 + shift[6], 1.34 + shift[6], 194.0, -1)),
        Actor(
            person(coats[2], legs[2]),
            (
                (0.0, 1.05, 88.0),
                (0.36 + shift[7], 0.50, 88.0),
                (0.54 + shift[7], 0.50, 88.0),
                (1.0, -0.05, 88.0),
            ),
        ),
        Actor(
            person(coats[3], legs[3]),
            (
                (0.34 + shift[8], 0.30, 86.0),
                (0.40 + shift[8], 0.33, 97.0),
                (0.72 + shift[8], 0.52, 175.0),
                (1.1, 0.86, 191.0),
            ),
        ),
        Actor(cyclist((204, 188, 60), legs[4]), _cross(0.20 + shift[9], 0.42, 140.0, -1)),
    )


def _cross(start: float, duration: float, row: float, direction: int) -> tuple[Stop, ...]:
    columns = (-0.2, 1.2) if direction > 0 else (1.2, -0.2)
    return ((start, columns[0], row), (start + duration, columns[1], row))


def _walk(start: float, end: float, row: float, direction: int) -> tuple[Stop, ...]:
    columns = (-0.08, 1.08) if direction > 0 else (1.08, -0.08)
    return ((start, columns[0], row), (end, columns[1], row + 2.0))
