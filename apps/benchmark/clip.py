"""A clip whose masks are known: a still textured scene in slowly changing light, sensor noise, and things that move."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

MOVERS = 6
NOISE = 2.5
"""σ of the sensor's noise, grey levels."""
LIGHT, PERIOD = 0.05, 400
"""Largest relative change of the light, and frames until it is back."""
SMALLEST = 32
"""Pixels of a side: with fewer, things that move are small objects."""


@dataclass(frozen=True, slots=True)
class Mover:
    """An ellipse or a rectangle that crosses the picture again and again at constant speed.

    *height* and *width* are halves, pixels; *start* and *speed* along its row, pixels and pixels per frame.
    """

    height: int
    width: int
    row: int
    start: float
    speed: float
    colour: tuple[float, ...]
    is_round: bool

    def shape(self) -> NDArray[np.bool_]:
        """Return which pixels of ``(2·height + 1, 2·width + 1)`` it covers."""
        y, x = np.ogrid[-self.height : self.height + 1, -self.width : self.width + 1]
        inside = (y / (self.height + 0.5)) ** 2 + (x / (self.width + 0.5)) ** 2 <= 1
        return np.asarray(inside | (not self.is_round))

    def column(self, t: int, picture: int) -> int:
        """Return where its centre is at frame *t*, in a picture of so many columns."""
        way = picture + 2 * self.width
        return round((self.start + self.speed * t) % way) - self.width


class Scene:
    """Frame t of the scene of a seed, the same in whatever order frames are asked for."""

    def __init__(self, width: int, height: int, seed: int = 0) -> None:
        self.width, self.height, self.seed = width, height, seed
        random = np.random.default_rng([seed, width, height])
        self.plate = _plate(random, width, height)
        self.movers = [_mover(random, k, width, height) for k in range(MOVERS)]

    def render(self, t: int) -> tuple[Picture, Picture]:
        """Return frame t: ``(height, width, 3)`` RGB, and ``(height, width)`` 255 where something moves, else 0."""
        image = self.plate * np.float32(1 + LIGHT * math.sin(2 * math.pi * t / PERIOD))
        truth = np.zeros((self.height, self.width), np.uint8)
        for mover in self.movers:
            self._paint(mover, mover.column(t, self.width), image, truth)
        random = np.random.default_rng([self.seed, t])
        image += np.float32(NOISE) * random.standard_normal(image.shape, np.float32)
        np.rint(image, out=image)
        return np.clip(image, 0, 255, out=image).astype(np.uint8), truth

    def _paint(self, mover: Mover, column: int, image: NDArray[np.float32], truth: Picture) -> None:
        top, left = mover.row - mover.height, column - mover.width
        shape = mover.shape()
        rows = slice(max(0, -top), min(shape.shape[0], self.height - top))
        columns = slice(max(0, -left), min(shape.shape[1], self.width - left))
        covered = shape[rows, columns]
        place = (
            slice(top + rows.start, top + rows.stop),
            slice(left + columns.start, left + columns.stop),
        )
        image[place][covered] = mover.colour
        truth[place][covered] = 255


def _plate(random: np.random.Generator, width: int, height: int) -> NDArray[np.float32]:
    """Return coloured texture of several sizes, ``(height, width, 3)``, grey levels 60 … 190."""
    plate = np.zeros((height, width, 3), np.float32)
    for size, weight in ((5, 1.0), (17, 0.6), (61, 0.4)):
        grid = random.standard_normal((size, size, 3)).astype(np.float32)
        plate += weight * cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
    low, high = plate.min(), plate.max()
    return np.asarray(60 + 130 * (plate - low) / (high - low), np.float32)


def _mover(random: np.random.Generator, k: int, width: int, height: int) -> Mover:
    """Return the k-th thing: each has a lane of its own, which it keeps to."""
    lane = height / MOVERS
    tall = max(2, round(lane * random.uniform(0.25, 0.45)))
    dark = random.random() < 0.5
    colour = random.uniform(5, 30, 3) if dark else random.uniform(225, 250, 3)
    return Mover(
        height=tall,
        width=max(2, round(tall * random.uniform(0.7, 1.6))),
        row=round((k + 0.5) * lane),
        start=float(random.uniform(0, width)),
        speed=float(width / random.uniform(60, 150) * random.choice([-1, 1])),
        colour=tuple(map(float, colour)),
        is_round=bool(random.random() < 0.5),
    )
