"""What a scene is asked for, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scene.geometry import REFERENCE_HEIGHT


@dataclass(frozen=True, slots=True)
class Clip:
    """A finished scene.

    Attributes
    ----------
    frames
        ``(n, height, width, 3)`` uint8 RGB, with noise.
    labels
        ``(n, height, width)`` uint8, CDnet: 255 where moving things cover 90 % of the pixel or more, 170 where they
        cover 10 to 90 % (and wherever a scene says that either answer is right), 50 in a moving shadow, 0 elsewhere.
    backgrounds
        ``(n, height, width, 3)`` uint8 RGB: each frame without what moves across it and without its shadow, but
        with the light, the shaking and the waving of that frame; without noise.
    """

    frames: NDArray[np.uint8] = field(repr=False)
    labels: NDArray[np.uint8] = field(repr=False)
    backgrounds: NDArray[np.uint8] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Take:
    """How a scene is to be made.

    Raises
    ------
    ValueError
        A scene needs at least 24 frames, a width of at least 96 that is a multiple of 8, and a seed from 0 on.
    """

    seed: int = 1
    frames: int = 200
    width: int = 192

    def __post_init__(self) -> None:
        if self.seed < 0 or self.frames < 24:
            raise ValueError(
                f"a scene needs 24 frames and a seed from 0 on, not {self.frames} and {self.seed}"
            )
        if self.width < 96 or self.width % 8:
            raise ValueError(f"the width must be a multiple of 8 and at least 96, not {self.width}")

    @property
    def height(self) -> int:
        """Rows: three quarters of the columns."""
        return self.width * 3 // 4

    @property
    def unit(self) -> float:
        """Pixels of the picture for each reference pixel; the reference picture is 320 × 240."""
        return self.height / REFERENCE_HEIGHT

    @property
    def shape(self) -> tuple[int, int]:
        """``(height, width)``."""
        return self.height, self.width

    def rng(self, stream: int) -> np.random.Generator:
        """Return a generator of its own for each purpose: what one draws does not change the others."""
        return np.random.default_rng([self.seed, stream])
