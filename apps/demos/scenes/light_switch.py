"""An office whose lamps are switched off and on again while people are in it."""

from __future__ import annotations

import numpy as np
from scene.texture import Picture, rgb

from scenes.cast import Role, walker
from scenes.clip import Clip, Take
from scenes.film import Camera, View, shoot
from scenes.places import indoors, office

OFF, ON = 0.40, 0.72
"""When the lamps are switched, parts of the clip."""

RECOVERY = 10.0
"""Frames in which the camera's exposure makes up for a part of the darkness."""


def make(take: Take) -> Clip:
    """Make the scene: the lamps go out at 40 % and come back at 72 % of the clip, each within two frames."""
    picture = office(take)
    window = _window_light(take)
    off, on = round(OFF * take.frames), round(ON * take.frames)
    cast = [
        Role(walker((46, 74, 128), (44, 44, 50)), ((-0.10, -25, 205), (0.34, 345, 205)), indoors),
        Role(walker((186, 176, 152), (58, 66, 92)), ((0.22, 345, 184), (0.62, -25, 190)), indoors),
        Role(walker((150, 44, 44), (36, 36, 42)), ((0.46, -25, 220), (0.92, 345, 216)), indoors),
        Role(walker((48, 108, 66), (64, 54, 46)), ((0.70, 345, 180), (1.05, 40, 176)), indoors),
    ]

    def view(t: int) -> View:
        if not off <= t < on:
            # Tubes take a moment: the first frame after the switch is not yet at full light.
            return View(picture, gain=0.8 if t == on else 1.0)
        dark = t - off
        share = 0.5 if dark == 0 else 0.0
        exposure = 1.0 + 0.22 * (1 - np.exp(-dark / RECOVERY))
        return View(picture, gain=share + (1 - share) * np.float32(exposure) * window)

    return shoot(view, cast, take, Camera(floor=2.2, shadow=0.10))


def _window_light(take: Take) -> Picture:
    """Return the gain with the lamps off: daylight from the window, bluish, weaker with distance."""
    y, x = np.mgrid[: take.height, : take.width].astype(np.float32) / np.float32(take.unit)
    near = np.exp(-np.hypot(x - 53, 1.3 * (y - 52)) / 150)
    return np.asarray((0.30 + 0.38 * near)[..., None] * rgb(0.92, 1.0, 1.12), np.float32)
