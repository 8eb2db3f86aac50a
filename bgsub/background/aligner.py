"""Frames of a camera that shakes, judged where it does not: on the reference, and what comes of it brought back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgsub.background.registration import Motion, Registration
from bgsub.background.registration_columns import lit_as_frame, lit_as_reference
from bgsub.background.registration_warp import warp_to_frame
from bgsub.frames.source import Image


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The region of a frame held against the background; see :class:`bgsub.background.model.Separated`."""

    background: Image
    difference: NDArray[np.uint8]
    mask: NDArray[np.uint8]
    shadow: NDArray[np.uint8] | None
    specks: NDArray[np.uint8] | None
    coefficients: NDArray[np.float32]
    registered: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Aligner:
    """Registers frames against the reference.

    Attributes
    ----------
    registration
        Against the reference.
    reference
        What the camera sees of the box, region or not.
    inside
        ``(height, width)`` bool: the pixels of the reference that are judged; None for all.
    """

    registration: Registration
    reference: Image
    inside: NDArray[np.bool_] | None

    @classmethod
    def of(cls, reference: Image, kind: str, inside: NDArray[np.bool_] | None) -> Aligner:
        """Prepare for a reference picture."""
        return cls(Registration.of(reference, kind, inside), reference, inside)

    def __call__(self, region: Image, judged: Callable[[Image], Parts]) -> Parts:
        """Return what *judged* finds on the frame as the reference sees it, where the frame sees it.

        Thresholds belong to places of the scene, so that it is the frame that is moved. What the reference does not
        show, a strip at the border, is taken to be what the nearest pixel is: an object does not end there.
        The background is in the frame's light; what comes from outside the region is the reference.
        """
        found = self.registration.register(region)
        steady = lit_as_reference(region, found, "linear")
        if self.inside is not None:
            steady[~self.inside] = 0
        parts = judged(steady)
        mask, difference = (_moved(each, found.motion) for each in (parts.mask, parts.difference))
        shadow, specks = (
            None if each is None else _moved(each, found.motion) for each in (parts.shadow, parts.specks)
        )
        plate = parts.background
        if self.inside is not None:
            plate = plate.copy()
            plate[~self.inside] = self.reference[~self.inside]
        background = lit_as_frame(plate, found)
        return Parts(background, difference, mask, shadow, specks, parts.coefficients, found.trusted)


def _moved(plane: NDArray[np.uint8], motion: Motion) -> NDArray[np.uint8]:
    return warp_to_frame(plane, motion, "nearest")
