"""A street seen by a camera on a mast in the wind: it moves by a few pixels and turns a little."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scene.plate import paint_plate

from scenes.cast import street_traffic
from scenes.clip import Clip, Take
from scenes.film import View, shoot

BORDER = 8
"""Pixels of the street beyond each side of the frame."""

LARGEST = 5.0
"""Pixels."""

TURN = 0.25
"""Degrees, standard deviation."""


def make(take: Take) -> Clip:
    """Make the scene: shifts of 1.6 pixels (standard deviation, at most 5) and turns of 0.25 degrees."""
    wide = replace(take, width=take.width + 2 * BORDER)
    plate = paint_plate(take.rng(0), wide.width, wide.height)
    picture = plate.image.astype(np.float32)
    shifts = np.clip(1.6 * np.stack([_swing(take, 2), 0.7 * _swing(take, 3)], axis=1), -LARGEST, LARGEST)
    turns = np.deg2rad(TURN * _swing(take, 4))
    margin = ((wide.width - take.width) / 2, (wide.height - take.height) / 2)

    def view(t: int) -> View:
        shift = (margin[0] + shifts[t, 0], margin[1] + shifts[t, 1])
        return View(picture, plate.occluders, shake=_shake(take, shift, float(turns[t])))

    return shoot(view, street_traffic(take.rng(1)), take)


def _swing(take: Take, stream: int) -> NDArray[np.float64]:
    """Return a damped oscillation that gusts keep going: standard deviation 1, a period of about 12 frames."""
    gusts = take.rng(stream).standard_normal(take.frames + 60)
    decay, turn = 0.9, 2 * np.pi / 12
    swing = np.zeros(gusts.size)
    for t in range(2, gusts.size):
        swing[t] = 2 * decay * np.cos(turn) * swing[t - 1] - decay**2 * swing[t - 2] + gusts[t]
    kept = swing[60:]
    return np.asarray((kept - kept.mean()) / kept.std())


def _shake(take: Take, shift: tuple[float, float], turn: float) -> NDArray[np.float64]:
    """Return the map from the frame to the picture: a turn about the middle of the frame, then a shift."""
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = (take.width - 1) / 2, (take.height - 1) / 2
    return np.array(
        [[cos, -sin, x - cos * x + sin * y + shift[0]], [sin, cos, y - sin * x - cos * y + shift[1]]]
    )
