"""What comes out when a frame is held against a background."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bgsub.frames.source import Image
from bgsub.masks.small_objects import Persistence


@dataclass(frozen=True, slots=True, eq=False)
class Separated:
    """One frame held against a background; every part at the size of the scaled picture.

    Attributes
    ----------
    image
        The frame as it was judged: scaled, gray or RGB, uint8.
    background
        Same shape: the scene without what moves; 0 outside the region of interest.
    score
        ``(height, width)`` uint8: channel maximum of |image − background|, grey levels; 0 outside the region.
    mask
        ``(height, width)`` uint8, 255 where :class:`.Detector` sees an object, or where something smaller
        was in the frames before, too (:class:`bgsub.masks.small_objects.Persistence`); 0 elsewhere.
    shadow
        ``(height, width)`` uint8, 255 where there is cast shadow, which is no part of the mask; None where shadows are
        kept in it.
    small_objects
        ``(height, width)`` uint8, 255 where something is too small for the mask unless it was there in the frames
        before, too; None for nothing.
    coefficients
        ``(rank,)`` float32: where the frame lies along the background's components.
    registered
        False where a camera that shakes could not be followed: the frame was judged as if it had not moved.
    blind
        True where the frame shows nothing of the scene, as without a signal or with a covered lens: its mask is empty.
    """

    image: Image
    background: Image
    score: NDArray[np.uint8]
    mask: NDArray[np.uint8]
    shadow: NDArray[np.uint8] | None
    small_objects: NDArray[np.uint8] | None
    coefficients: NDArray[np.float32]
    registered: bool
    blind: bool = False

    def after(self, persistence: Persistence) -> Separated:
        """Return the same with those small objects in the mask that *persistence*, of earlier frames, lets in."""
        mask = persistence(self.mask, self.small_objects)
        return self if mask is self.mask else replace(self, mask=mask)
