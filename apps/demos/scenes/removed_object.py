"""A hall with a suitcase in it that somebody takes away."""

from __future__ import annotations

import numpy as np
from scene.actors import Builder
from scene.geometry import capsule, ellipse
from scene.plate import box
from scene.sprite import Part, Placement, draw, shadow_of
from scene.texture import Picture

from scenes.cast import Role, somebody, walker
from scenes.clip import Clip, Take
from scenes.film import Camera, View, shoot
from scenes.places import hall, indoors

TAKEN = 0.55
"""Part of the clip; before it the suitcase stands on the floor."""

PLACE = (206.0, 186.0)
"""Reference pixels."""


def make(take: Take) -> Clip:
    """Make the scene: the suitcase stands there for 55 % of the clip, then goes with the person who takes it.

    While it stands it is part of the exact background and its place is not scored (170): that it belongs to the
    hall and that it will turn out to be movable are both right. Once it is taken, its place is background.
    """
    empty, rng = hall(take), take.rng(1)
    taken = round(TAKEN * take.frames)
    furnished, place = _put_down(empty, take)
    bearer = walker((62, 92, 64), (48, 44, 44))
    cast = [
        Role(bearer, ((0.36, -24, 190), (TAKEN, PLACE[0] - 16, 188)), indoors),
        Role(_with_suitcase(bearer), ((TAKEN, PLACE[0] - 16, 188), (0.78, 350, 192)), indoors),
        Role(somebody(rng), ((0.02, 344, 214), (0.34, -24, 214)), indoors),
        Role(somebody(rng), ((0.06, -22, 152), (0.46, 342, 152)), indoors),
        Role(somebody(rng), ((0.66, 344, 218), (0.98, -24, 216)), indoors),
    ]

    def view(t: int) -> View:
        return View(furnished, either=place) if t < taken else View(empty)

    return shoot(view, cast, take, Camera(shadow=0.10))


def suitcase() -> list[Part]:
    """Return a suitcase of 0.62 × 0.78 m with its handle."""
    shell = [(-0.31, 0.08), (-0.31, 0.74), (-0.27, 0.78), (0.27, 0.78), (0.31, 0.74), (0.31, 0.08)]
    ribs = [box(x, x + 0.05, 0.12, 0.7) for x in (-0.2, -0.02, 0.15)]
    return [
        Part(capsule((-0.12, 0.78), (-0.12, 0.96), 0.03), (38, 38, 40)),
        Part(capsule((0.12, 0.78), (0.12, 0.96), 0.03), (38, 38, 40)),
        Part(capsule((-0.12, 0.96), (0.12, 0.96), 0.03), (38, 38, 40)),
        Part(np.array(shell), (128, 46, 48)),
        *(Part(np.array(rib), (96, 34, 38)) for rib in ribs),
        *(Part(ellipse((x, 0.05), 0.05, 0.05), (30, 30, 32)) for x in (-0.24, 0.24)),
    ]


def _with_suitcase(bearer: Builder) -> Builder:
    def parts(travelled: float) -> list[Part]:
        moved = [Part(part.outline + np.array([0.42, 0.0]), part.colour) for part in suitcase()]
        return [*moved, *bearer(travelled)]

    return parts


def _put_down(empty: Picture, take: Take) -> tuple[Picture, np.ndarray]:
    """Return the hall with the suitcase in it, and where the two differ."""
    unit = take.unit
    place = Placement(PLACE[0] * unit, PLACE[1] * unit, indoors(PLACE[1]) * unit, 1)
    shade = shadow_of(suitcase(), place, take.shape, unit)
    sprite = draw(suitcase(), place, take.shape)
    lit = empty * (1 - 0.10 * shade[..., None])
    furnished = np.asarray(lit * (1 - sprite.alpha[..., None]) + sprite.colour, np.float32)
    return furnished, np.abs(furnished - empty).max(axis=2) > 2.0
