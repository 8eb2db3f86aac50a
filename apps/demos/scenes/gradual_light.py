"""A street at dusk: the light falls to a little more than half, becomes redder and comes from another side."""

from __future__ import annotations

import numpy as np
from scene.texture import rgb

from scenes.cast import street_traffic
from scenes.clip import Clip, Take
from scenes.film import Camera, View, shoot
from scenes.places import street


def make(take: Take) -> Clip:
    """Make the scene: a gain from 1.05 to 0.58 with a cloud on the way, and a slope across the picture."""
    plate = street(take)
    picture = plate.image.astype(np.float32)
    across = np.linspace(-0.5, 0.5, take.width, dtype=np.float32)[None, :, None]

    def view(t: int) -> View:
        phase = t / take.frames
        level = 1.05 - 0.47 * phase**1.5 - 0.06 * np.sin(np.pi * min(phase / 0.6, 1.0)) ** 2
        warmth = rgb(1 + 0.05 * phase, 1.0, 1 - 0.08 * phase)
        slope = 1 + np.float32(0.24 * np.sin(2.2 * phase)) * across
        return View(picture, plate.occluders, np.float32(level) * warmth * slope, 2.0 * phase)

    return shoot(view, street_traffic(take.rng(1)), take, Camera(shadow=0.12))
