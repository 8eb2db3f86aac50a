"""A lake with ripples, a canoe on it, and people on both banks."""

from __future__ import annotations

import cv2
import numpy as np
from scene.actors import Builder
from scene.canvas import Canvas
from scene.geometry import capsule, ellipse, rounded
from scene.sprite import Colour, Part
from scene.texture import Picture, fractal, rgb

from scenes.cast import Role, somebody, walk
from scenes.clip import Clip, Take
from scenes.film import Camera, View, shoot
from scenes.places import finish

SHORE, BANK = 92.0, 212.0
"""Rows at which the water begins and ends, reference pixels."""

CONTRAST = 7.0
"""Grey levels, standard deviation of the ripples: from crest to trough 10 to 25."""


def make(take: Take) -> Clip:
    """Make the scene: ripples run over half of the picture, in two directions."""
    canvas = Canvas(take.width, take.height, take.rng(0))
    empty = _lake(canvas)
    water = np.zeros((*take.shape, 1), np.float32)
    water[round(SHORE * take.unit) : round(BANK * take.unit)] = 1.0
    ripples = _Ripples(take)
    rng = take.rng(1)
    cast = [
        Role(
            canoe((176, 52, 40)),
            ((0.06, -60, 150), (0.86, 380, 158)),
            _afloat,
            allowed_deviation=0.02,
            casts=0.0,
        ),
        Role(
            canoe((216, 186, 70)),
            ((0.48, 370, 122), (1.20, -50, 126)),
            _far_afloat,
            allowed_deviation=0.02,
            casts=0.0,
        ),
        Role(somebody(rng), walk(-0.10, 0.85, 89, -1)),
        Role(somebody(rng), walk(0.12, 0.74, 232, 1)),
    ]

    def view(t: int) -> View:
        return View(np.asarray(empty + water * ripples.at(t), np.float32))

    return shoot(view, cast, take, Camera(shadow=0.10))


def canoe(paint: Colour) -> Builder:
    """Return a canoe, 4.4 m long, and the two people who paddle it."""
    hull = rounded([(-2.2, 0.42), (-1.9, 0.02), (1.9, 0.02), (2.25, 0.46), (1.7, 0.34), (-1.7, 0.32)], 2)

    def parts(travelled: float) -> list[Part]:
        people = []
        for x, vest, phase in ((-0.9, (206, 120, 40), 0.0), (0.8, (40, 70, 120), 0.4)):
            stroke = 0.45 * float(np.sin(2.2 * travelled + phase))
            people += [
                Part(rounded([(x - 0.24, 0.2), (x - 0.2, 0.85), (x + 0.16, 0.88), (x + 0.22, 0.2)], 2), vest),
                Part(ellipse((x + 0.05, 1.04), 0.13, 0.15), (60, 46, 36)),
                Part(capsule((x + 0.05, 0.75), (x + 0.5 + stroke, 0.6), 0.07), (196, 150, 122)),
                Part(capsule((x + 0.5 + stroke, 0.85), (x + 0.42 + stroke, 0.1), 0.04), (208, 196, 160)),
            ]
        return [*people, Part(hull, paint)]

    return parts


class _Ripples:
    """Two textures that run against each other; their sum and product change everywhere, and never repeat."""

    def __init__(self, take: Take) -> None:
        rng, size = take.rng(30), (2 * take.height, 3 * take.width)
        cell = 5.5 * take.unit
        self._fields = [fractal(rng, size, (0.8 * cell, 2.6 * cell), 2) for _ in range(2)]
        self._size = size
        y, x = np.mgrid[: take.height, : take.width].astype(np.float32)
        # Far ripples look smaller than near ones.
        self._near = 0.5 + 0.8 * (y / np.float32(take.unit) - np.float32(SHORE)) / np.float32(BANK - SHORE)
        near = np.maximum(self._near, 0.35)
        self._x, self._y = (x - take.width / 2) / near, 150 * take.unit * np.log(near)
        self._unit = take.unit

    def at(self, t: int) -> Picture:
        """Return what the ripples add to frame *t*, ``(rows, columns, 3)``."""
        one = self._run(0, 0.75 * t, 0.30 * t)
        two = self._run(1, -0.55 * t, 0.42 * t)
        waves = 0.75 * (one + two) + 0.35 * one * two
        height = CONTRAST * (0.65 + 0.35 * self._near) * waves
        glints = 22.0 * np.maximum(waves - 2.1, 0)
        return np.asarray((height + glints)[..., None] * rgb(0.9, 1.0, 1.08), np.float32)

    def _run(self, field: int, across: float, down: float) -> Picture:
        x = np.asarray(self._x + across * self._unit / 0.6 + self._size[1] / 2, np.float32) % (
            self._size[1] - 1
        )
        y = np.asarray(self._y + down * self._unit / 0.6 + self._size[0] / 2, np.float32) % (
            self._size[0] - 1
        )
        return np.asarray(cv2.remap(self._fields[field], x, y, cv2.INTER_LINEAR), np.float32)


def _lake(canvas: Canvas) -> Picture:
    canvas.fill(canvas.band(0, 34), canvas.surface((184, 194, 206), (7.0, 2.0, 1.0)))
    canvas.fill(canvas.band(26, 84), canvas.surface((76, 92, 60), (11.0, 13.0, 10.0)))
    canvas.fill(canvas.band(80, SHORE), canvas.surface((146, 136, 112), (4.0, 5.0, 6.0)))
    water = canvas.surface((92, 108, 116), (5.0, 2.0, 1.0))
    rows = np.arange(canvas.shape[0])[:, None, None] / canvas.unit
    mirrored = np.clip((rows - SHORE) / 70, 0, 1)
    canvas.fill(canvas.band(SHORE, BANK), np.asarray(water - 26 * (1 - mirrored), np.float32))
    reeds = canvas.surface((110, 116, 66), (7.0, 9.0, 11.0))
    canvas.fill(canvas.band(BANK, 240), reeds)
    canvas.shade(canvas.band(BANK - 1.5, BANK + 1), 0.75)
    return finish(canvas)


def _afloat(_: float) -> float:
    return 25.0


def _far_afloat(_: float) -> float:
    return 17.0
