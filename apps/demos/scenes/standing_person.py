"""A hall in which somebody comes, stands for more than half of the clip, and leaves."""

from __future__ import annotations

from scenes.cast import Role, somebody, walker
from scenes.clip import Clip, Take
from scenes.film import Camera, View, shoot
from scenes.places import hall, indoors


def make(take: Take) -> Clip:
    """Make the scene: one person stands from 17 % to 80 % of the clip, another from 30 % to 62 %; others pass."""
    picture, rng = hall(take), take.rng(1)
    waits = ((0.04, -22.0, 196.0), (0.17, 128.0, 192.0), (0.80, 128.0, 192.0), (0.97, 342.0, 204.0))
    looks = ((0.18, 342.0, 160.0), (0.30, 250.0, 158.0), (0.62, 250.0, 158.0), (0.74, 342.0, 162.0))
    cast = [
        Role(walker((44, 62, 108), (52, 50, 52)), waits, indoors, allowed_deviation=0.012),
        Role(walker((166, 66, 52), (40, 42, 54)), looks, indoors, allowed_deviation=0.012),
        Role(somebody(rng), ((-0.02, 342, 222), (0.26, -24, 222)), indoors),
        Role(somebody(rng), ((0.32, -22, 148), (0.66, 342, 150)), indoors),
        Role(somebody(rng), ((0.55, 344, 224), (0.86, -24, 222)), indoors),
    ]

    def view(_: int) -> View:
        return View(picture)

    return shoot(view, cast, take, Camera(shadow=0.10))
