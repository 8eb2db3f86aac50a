"""A street in the sun: everything that moves has a shadow of its own size, which is not to be marked."""

from __future__ import annotations

import numpy as np
from scene.actors import car, van
from scene.texture import rgb

from scenes.cast import Role, walk, walker
from scenes.clip import Clip, Take
from scenes.film import Camera, View, shoot
from scenes.places import street

STRENGTH = 0.38
"""Share of the light that a shadow takes: 34 grey levels on the asphalt, 44 on the pavement."""


def make(take: Take) -> Clip:
    """Make the scene: shadows take 38 % of the light, the sky gives the rest."""
    plate = street(take)
    picture = plate.image.astype(np.float32)
    sky = rgb(0.97, 1.0, 1.03)
    early = float(take.rng(1).uniform(-0.02, 0.02))
    cast = [
        Role(car((168, 40, 36)), walk(0.02 + early, 0.36 + early, 121, -1, 60)),
        Role(van((214, 212, 204)), walk(0.14 - early, 0.56 - early, 157, 1, 70)),
        Role(car((204, 160, 48)), walk(0.60 + early, 0.98 + early, 156, 1, 60)),
        Role(car((36, 66, 140)), walk(0.52 - early, 0.90 - early, 122, -1, 60)),
        Role(walker((222, 214, 196), (34, 34, 38)), walk(-0.25, 0.85, 190, 1)),
        Role(walker((162, 42, 44), (40, 44, 60)), walk(0.20, 1.25, 196, -1)),
        Role(walker((36, 38, 44), (30, 32, 40)), walk(0.05, 1.10, 89, 1)),
    ]

    def view(_: int) -> View:
        return View(picture, plate.occluders, gain=sky)

    return shoot(view, cast, take, Camera(shadow=STRENGTH))
