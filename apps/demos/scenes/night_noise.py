"""A street at night: little light, much noise, and headlights that run over the road."""

from __future__ import annotations

import numpy as np
from scene.actors import car, cyclist, van
from scene.texture import Picture, rgb

from scenes.cast import Role, walk, walker
from scenes.clip import Clip, Take
from scenes.film import Camera, View, placement, shoot
from scenes.places import street

NIGHT = 0.34
BEAM = 46.0
"""Grey levels that a headlight adds to the road in front of it."""

HALO = 60.0
"""Grey levels of the glare around the lamp itself."""


def make(take: Take) -> Clip:
    """Make the scene: noise of 6 to 7 grey levels, three street lamps; what headlights add is not scored."""
    plate = street(take)
    picture = plate.image.astype(np.float32)
    light = _lamps(take)
    cars = [
        Role(car((176, 176, 172)), walk(0.02, 0.34, 121, -1, 60)),
        Role(van((206, 204, 196)), walk(0.20, 0.58, 157, 1, 70)),
        Role(car((170, 58, 46)), walk(0.62, 0.98, 156, 1, 60)),
        Role(car((198, 196, 188)), walk(0.48, 0.82, 122, -1, 60)),
    ]
    walkers = [
        Role(walker((204, 196, 178), (92, 96, 120)), walk(-0.20, 0.90, 190, 1)),
        Role(walker((190, 80, 70), (150, 140, 120)), walk(0.25, 1.25, 197, -1)),
        Role(cyclist((220, 206, 80), (128, 126, 130)), walk(0.30, 0.75, 141, -1)),
    ]

    def view(t: int) -> View:
        glow = sum((_headlight(role, t / take.frames, take) for role in cars), np.zeros_like(picture))
        return View(picture, plate.occluders, light, 5.0, glow)

    return shoot(view, [*cars, *walkers], take, Camera(floor=6.0, root=0.35, shadow=0.0))


def _lamps(take: Take) -> Picture:
    """Return the gain of each pixel: pools of yellow light under three lamps."""
    y, x = np.mgrid[: take.height, : take.width].astype(np.float32) / np.float32(take.unit)
    pools = sum(np.exp(-(((x - at) / 60) ** 2) - ((y - 150) / 62) ** 2) for at in (48, 168, 290))
    return np.asarray((NIGHT + 0.42 * pools)[..., None] * rgb(1.08, 0.98, 0.80), np.float32)


def _headlight(role: Role, time: float, take: Take) -> Picture:
    shape = (*take.shape, 3)
    if not role.present(time):
        return np.zeros(shape, np.float32)
    place = placement(role, time, take.unit)
    y, x = np.mgrid[: take.height, : take.width].astype(np.float32)
    ahead = place.facing * (x - place.x) / place.scale - 2.1
    below, above = (y - place.y) / place.scale, (place.y - y) / place.scale - 0.7
    spread = 0.35 + 0.09 * np.maximum(ahead, 0)
    begins = 1 / (1 + np.exp(np.clip(-8 * ahead, -50, 50)))
    beam = BEAM * begins * np.exp(-np.maximum(ahead, 0) / 4.5 - (below / spread) ** 2)
    halo = HALO * np.exp(-(ahead**2 + above**2) / 0.5**2)
    return np.asarray(np.maximum(beam, halo)[..., None] * rgb(1.0, 0.97, 0.88), np.float32)
