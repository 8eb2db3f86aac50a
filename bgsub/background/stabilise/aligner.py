"""Frames of a camera that shakes, judged where it does not: on the reference, and what comes of it brought back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.stabilise.lit_warp import lit_as_frame, lit_as_reference
from bgsub.background.stabilise.registration import Motion, Registered, Registration
from bgsub.background.stabilise.surround import without_margin
from bgsub.background.stabilise.warp import seen_from, warp_to_frame
from bgsub.frames.source import Image


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The region of a frame held against the background; see :class:`bgsub.background.model.Separated`."""

    background: Image
    difference: NDArray[np.uint8]
    mask: NDArray[np.uint8]
    shadow: NDArray[np.uint8] | None
    small_objects: NDArray[np.uint8] | None
    coefficients: NDArray[np.float32]
    registered: bool = True
    blind: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Aligner:
    """Registers frames against the reference.

    Attributes
    ----------
    registration
        Against the reference.
    around
        What the camera sees of the box, region or not, with a margin of what it saw beyond it.
    inside
        ``(height, width)`` bool: the pixels of the reference that are judged; None for all.
    """

    registration: Registration
    around: Image
    inside: NDArray[np.bool_] | None

    @classmethod
    def of(
        cls, around: Image, kind: str, shape: tuple[int, int], inside: NDArray[np.bool_] | None
    ) -> Aligner:
        """Prepare for a reference picture of *shape*, ``(height, width)``, in the middle of *around*."""
        margin = (around.shape[0] - shape[0]) // 2
        return cls(Registration.of(without_margin(around, margin), kind, inside), around, inside)

    def __call__(self, region: Image, judged: Callable[[Image], Parts]) -> Parts:
        """Return what *judged* finds on the frame as the reference sees it, where the frame sees it.

        Thresholds belong to places of the scene, so that it is the frame that is moved. What the reference does not
        show, a strip at the border, is taken to be what the nearest pixel is: an object does not end there.
        The background is in the frame's light; what comes from outside the region or the reference is *around*.
        """
        found = self.registration.register(region)
        steady = lit_as_reference(region, found, "linear")
        if self.inside is not None:
            steady[~self.inside] = 0
        parts = judged(steady)
        mask, difference = (_moved(each, found.motion) for each in (parts.mask, parts.difference))
        shadow, small_objects = (
            None if each is None else _moved(each, found.motion)
            for each in (parts.shadow, parts.small_objects)
        )
        background = self._brought_back(parts.background, found)
        return replace(
            parts,
            background=background,
            difference=difference,
            mask=mask,
            shadow=shadow,
            small_objects=small_objects,
            registered=found.trusted,
        )

    def _brought_back(self, background: Image, found: Registered) -> Image:
        """Return the background as the frame sees it, with what was seen around it."""
        height, width = self.registration.shape
        margin = (self.around.shape[0] - height) // 2
        whole = self.around.copy()
        middle = without_margin(whole, margin)
        if self.inside is None:
            middle[...] = background
        else:
            cv2.copyTo(background, self.inside.view(np.uint8), middle)
        moved = replace(found, motion=seen_from((-margin, -margin), found.motion))
        return lit_as_frame(whole, moved, shape=(height, width))


def _moved(plane: NDArray[np.uint8], motion: Motion) -> NDArray[np.uint8]:
    return warp_to_frame(plane, motion, "nearest")
