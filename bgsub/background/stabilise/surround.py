"""What a camera that shakes has seen beyond the picture of its middle position."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.stabilise.lit_warp import lit_as_reference
from bgsub.background.stabilise.registration import Motion, Registered
from bgsub.background.stabilise.warp import corners, inverse, known, seen_from
from bgsub.frames.source import Image

MOST = 32
"""Pixels: a camera that goes further has the rest repeated from the border."""
VIEWS = 40
"""Frames that are looked at: their median is as good as that of more."""

Part = tuple[slice, slice]


@dataclass(frozen=True, slots=True, eq=False)
class Bands:
    """The border of the reference, both sides of it, as the frames that show it saw it.

    A frame that lies three pixels to the left shows three columns that the reference has not, and hides three that it
    has. So a band on both sides of the border, as wide as the frames go, is the temporal median of those frames alone
    that show the place, each in the light of the reference.

    Attributes
    ----------
    margin
        The furthest that a frame goes, pixels, at most MOST: the width of the band on either side.
    parts
        Of the picture with its margin: where, the values, and which of them some frame has shown.
    """

    margin: int
    parts: tuple[tuple[Part, Image, NDArray[np.bool_]], ...]

    @classmethod
    def of(cls, pictures: Sequence[Image], found: Sequence[Registered]) -> Bands:
        """Gather the bands.

        Parameters
        ----------
        pictures
            At least one frame as the camera saw it, ``(height, width)`` or ``(height, width, 3)`` uint8.
        found
            Where each of them lies; those not trusted are not looked at.

        Notes
        -----
        VIEWS pictures of one band at a time, at most 2 · margin · (width + 2 · margin) pixels each.
        """
        views = [pair for pair in zip(pictures, found, strict=True) if pair[1].trusted]
        shape = pictures[0].shape
        margin = min(MOST, max((_reach(each.motion, shape) for _, each in views), default=0))
        if not margin:
            return cls(0, ())
        views = views[:: math.ceil(len(views) / VIEWS)]
        places = _places(shape[0] + 2 * margin, shape[1] + 2 * margin, 2 * margin)
        return cls(margin, tuple((place, *_median(place, margin, views)) for place in places))

    def put_around(self, reference: Image) -> Image:
        """Return ``(height + 2 margin, width + 2 margin)``: *reference* and what was seen around it.

        The border of the reference is replaced, too. What nobody saw is the nearest pixel of the reference.
        """
        margins = (self.margin,) * 4
        whole = np.asarray(cv2.copyMakeBorder(reference, *margins, cv2.BORDER_REPLICATE), np.uint8)
        for place, values, shown in self.parts:
            whole[place][shown] = values[shown]
        return whole


def without_margin(around: Image, margin: int) -> Image:
    """Return the middle of a picture with a margin, a view."""
    return around[margin : around.shape[0] - margin, margin : around.shape[1] - margin]


def _reach(motion: Motion, shape: Sequence[int]) -> int:
    """Return how many pixels, rounded up, the frame goes beyond the reference or stays behind it."""
    points = corners(shape)
    return math.ceil(float(np.abs(points @ inverse(motion).T - points[:, :2]).max()))


def _places(height: int, width: int, band: int) -> tuple[Part, ...]:
    """Return the four bands along the border of a picture."""
    down, across = min(band, height), min(band, width)
    return (
        (slice(0, down), slice(0, width)),
        (slice(height - down, height), slice(0, width)),
        (slice(0, height), slice(0, across)),
        (slice(0, height), slice(width - across, width)),
    )


def _median(
    place: Part, margin: int, views: Sequence[tuple[Image, Registered]]
) -> tuple[Image, NDArray[np.bool_]]:
    """Return the temporal median of a part, over the views that show each pixel, and where there are any."""
    seen = [_view(picture, found, place, margin) for picture, found in views]
    count = np.sum([shown for _, shown in seen], axis=0)
    # What is not shown is 255, and sorted behind everything that is.
    values = np.sort(np.stack([picture for picture, _ in seen]), axis=0)
    middle = np.maximum(count - 1, 0) // 2
    index = middle.reshape(1, *middle.shape, *(1,) * (values.ndim - 3))
    median = np.take_along_axis(values, index, axis=0)[0]
    return median, count > 0


def _view(picture: Image, found: Registered, place: Part, margin: int) -> tuple[Image, NDArray[np.bool_]]:
    """Return a part of the surround as one frame shows it, 255 where it does not, and where it does."""
    corner = (place[1].start - margin, place[0].start - margin)
    moved = replace(found, motion=seen_from(corner, found.motion))
    shape = (place[0].stop - place[0].start, place[1].stop - place[1].start)
    lit = lit_as_reference(picture, moved, "linear", shape)
    shown = known(inverse(moved.motion), shape, np.ones(picture.shape[:2], bool))
    lit[~shown] = 255
    return lit, shown
