"""What a pixel shows over a segment, where it shows more than one thing."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.ground.modes import find_modes
from bgsub.frames.difference import channel_difference

APART = 20
"""Grey levels between two values that are not the same thing."""
RADIUS = 12
"""Grey levels within which a value is the same thing."""
MODES = 4
"""Values looked at: the ground, and who stands on it one after the other."""
SELDOM = 0.12
"""Share of the frames in which the ground is seen at least."""
MOSTLY = 0.65
"""Share of the frames in which the ground is seen at least where things only pass; where they stand it may be less."""
OFTEN = 0.06
"""Share of the frames in which a pixel shows something else than the median, for it to be looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """The values that pixels show most.

    Attributes
    ----------
    frames
        ``(n, height, width, channels)`` uint8, grey levels: what was looked at.
    where
        ``(height, width)`` bool: the pixels that show more than one thing.
    modes
        ``(MODES, pixels, channels)`` float32: their densest values, see :func:`.find_modes`.
    shares
        ``(MODES, pixels)`` float32: shares of the frames.
    median_share
        ``(pixels,)`` float32: share of the frames within RADIUS of the median.
    """

    frames: NDArray[np.uint8]
    where: NDArray[np.bool_]
    modes: NDArray[np.float32]
    shares: NDArray[np.float32]
    median_share: NDArray[np.float32]

    @classmethod
    def of(
        cls, few: NDArray[np.uint8], median: NDArray[np.float32], allowed: NDArray[np.bool_], threads: int
    ) -> Views:
        """Look at ``(n, height, width, channels)`` frames, at *allowed* pixels that often differ from the median."""
        picture = np.rint(median).astype(np.uint8)
        where = _often_far(few, picture) & allowed
        pixels = np.flatnonzero(where)
        values = few.reshape(len(few), -1, few.shape[3])[:, pixels]
        middle = picture.reshape(-1, few.shape[3])[pixels]
        near = np.zeros(len(pixels), np.float32)
        for frame in values if len(pixels) else ():
            near += channel_difference(frame[None], middle[None])[0] <= RADIUS
        modes, shares = find_modes(
            np.ascontiguousarray(values.transpose(1, 2, 0)), RADIUS, APART, threads, MODES
        )
        return cls(few, where, modes, shares, near / np.float32(len(few)))

    def other(
        self, which: int, current: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return *current* with one of the modes in it, and how often that is seen, 0 elsewhere."""
        picture, share = current.copy(), np.zeros(self.where.shape, np.float32)
        picture[self.where], share[self.where] = self.modes[which], self.shares[which]
        return picture, share

    def shown(
        self, picture: NDArray[np.float32], box: tuple[slice, slice], place: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Return the share of a *place*, given in its box, that shows *picture* in each frame, ``(n,)``."""
        values = np.rint(picture[box][place]).astype(np.uint8)
        frames = self.frames[:, *box][:, place]
        return np.array([np.mean(channel_difference(each[None], values[None]) <= RADIUS) for each in frames])

    def often_far(self, current: NDArray[np.float32], which: int) -> NDArray[np.bool_]:
        """Return ``(height, width)``: where one of the modes is not what *current* shows, and seen in SELDOM frames."""
        far = np.zeros(self.where.shape, bool)
        apart = np.abs(self.modes[which] - current[self.where]).max(axis=1, initial=0) > APART
        far[self.where] = apart & (self.shares[which] >= SELDOM)
        return far


def _often_far(few: NDArray[np.uint8], picture: NDArray[np.uint8]) -> NDArray[np.bool_]:
    count = np.zeros(picture.shape[:2], np.uint16)
    for frame in few:
        count += channel_difference(frame, picture) > APART
    often = count >= max(OFTEN * len(few), 3)
    # Single pixels are noise, and next to many there may be more.
    opened = cv2.morphologyEx(often.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return often & (cv2.dilate(opened, np.ones((5, 5), np.uint8)) > 0)
