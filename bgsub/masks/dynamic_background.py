"""What the empty scene does by itself, pixel by pixel, and where it never comes to rest: dynamic background."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

DYNAMIC = 6.0
"""Grey levels of flicker that no sensor shows by day: something moves there all the time."""
AROUND = 9
"""Pixels: a place is dynamic, not a pixel. The flicker is already an average over a window."""
CAP = 6.0
"""Times the flicker of the smoothed picture that the deviation is believed to be at most: what stands there for a while
deviates without flickering."""
STRAYS = 2.0
"""Times the flicker by which smoothed pictures deviate where things pass: of leaves and water smoothing leaves less."""
FAR = 12.0
"""Grey levels of deviation below which nothing need have passed."""
PASSED = 0.4
"""Share of a connected place in which things pass, from which on all that flickers there are these things. Traffic
reads 0.43 to 0.9; of trees and water at most 0.18 are branches that swing before the sky, or what crosses it."""
LITTLE = 2.0
"""The same for such a place: what passes says nothing of how the ground moves."""


@dataclass(frozen=True, slots=True, eq=False)
class SceneActivity:
    """What a scene does when nothing passes, grey levels, each ``(height, width)`` float32.

    Attributes
    ----------
    flicker
        Median change of a pixel from one frame to the next; 0 where it is only the noise of the sensor.
    smooth_flicker
        The same of smoothed pictures: what is left of it where ripples and noise cancel.
    deviation
        Upper quartile of the deviation of smoothed pictures from the background; 0 where the background is not dynamic.
    sensor_noise
        σ of the noise of the sensor, where that is all that flickers and would be taken for movement; 0 elsewhere.
    """

    flicker: NDArray[np.float32]
    smooth_flicker: NDArray[np.float32]
    deviation: NDArray[np.float32]
    sensor_noise: NDArray[np.float32]

    @classmethod
    def none(cls, shape: tuple[int, int]) -> SceneActivity:
        """Return what is known of a scene in which nothing moves by itself."""
        return cls(*(np.zeros(shape, np.float32) for _ in range(4)))

    @property
    def allowed_deviation(self) -> NDArray[np.float32]:
        """The ordinary deviation: the observed one, at most CAP times the flicker of the smoothed picture.

        A tree or water changes from frame to frame, and deviates by more the longer one looks; somebody who stands
        deviates without changing. Where things pass most of the time, as traffic does in a few seconds of video, at
        most LITTLE times as much as the smoothed picture flickers.
        """
        most = np.where(self._passed(), LITTLE, CAP)
        return np.asarray(np.minimum(self.deviation, most * self.smooth_flicker), np.float32)

    def _passed(self) -> NDArray[np.bool_]:
        """Return the connected places that flicker because things pass, not because the ground moves."""
        _, labels = cv2.connectedComponents((self.deviation > 0).astype(np.uint8))
        places = np.asarray(labels, np.int32)
        passed = (self.deviation > FAR) & (self.deviation > STRAYS * self.flicker)
        sizes = np.bincount(places.ravel())
        shares = np.bincount(places.ravel(), weights=passed.ravel()) / np.maximum(sizes, 1)
        shares[0] = 0  # what is not dynamic
        return np.asarray(shares[places] >= PASSED)


def find_dynamic(flicker: NDArray[np.float32], inside: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Return where the average of *flicker* around a pixel exceeds DYNAMIC; only pixels *inside* count, if given."""
    return window_mean(flicker, AROUND, inside) > DYNAMIC


def window_mean(
    values: NDArray[np.float32], side: int, inside: NDArray[np.bool_] | None = None
) -> NDArray[np.float32]:
    """Return the mean over windows of *side* × *side* pixels, of those *inside* if given; 0 where there are none.

    The border is repeated outwards.
    """
    if inside is None:
        return _blurred(values, side)
    weight = inside.astype(np.float32)
    # An average over the pixels inside: of one in side² at least, or of none.
    return np.asarray(
        _blurred(values * weight, side) / np.maximum(_blurred(weight, side), 0.5 / side**2), np.float32
    )


def _blurred(picture: NDArray[np.float32], side: int) -> NDArray[np.float32]:
    blurred = cv2.blur(picture, (side, side), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, np.float32).reshape(picture.shape)
