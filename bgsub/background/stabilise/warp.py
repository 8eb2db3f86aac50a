"""Moving pictures between the frame and the reference it was registered against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.stabilise.registration import Motion

INTERPOLATIONS = {"nearest": cv2.INTER_NEAREST, "linear": cv2.INTER_LINEAR, "cubic": cv2.INTER_CUBIC}


def warp_to_reference(
    image: NDArray[Any], motion: Motion, interpolation: str = "cubic", shape: Sequence[int] | None = None
) -> NDArray[Any]:
    """Return *image*, a picture of the frame, as the reference sees it: out(x) = image(motion · x).

    Parameters
    ----------
    image
        ``(height, width)`` or ``(height, width, 3)``, uint8 or float32.
    motion
        ``(2, 3)`` float64, reference to frame.
    interpolation
        ``"nearest"``, ``"linear"`` or ``"cubic"``: cubic keeps noise and edges as sharp as they are.
    shape
        Height and width of the result; None for those of *image*.

    Returns
    -------
    A new array of the same dtype. Where the frame shows nothing its border is repeated.
    """
    return _warped(image, motion, INTERPOLATIONS[interpolation] | cv2.WARP_INVERSE_MAP, shape)


def warp_to_frame(
    picture: NDArray[Any], motion: Motion, interpolation: str = "cubic", shape: Sequence[int] | None = None
) -> NDArray[Any]:
    """Return *picture*, one of the reference's pixels, as the frame sees it: out(motion · x) = picture(x).

    Parameters and result are those of :func:`warp_to_reference`; where the reference shows nothing (see :func:`known`)
    its border is repeated. Thresholds and other smooth fields go ``"linear"``: cubic overshoots.
    """
    return _warped(picture, motion, INTERPOLATIONS[interpolation], shape)


def known(
    motion: Motion, shape: tuple[int, int], inside: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Return which pixels of the frame the reference shows.

    Parameters
    ----------
    motion
        ``(2, 3)`` float64, reference to frame.
    shape
        ``(height, width)`` of the frame, and of the reference unless *inside* has another one.
    inside
        ``(height, width)`` bool: the pixels of the reference that are looked at; None for all.

    Returns
    -------
    ``(height, width)`` bool. A pixel within half a pixel of the reference's outermost ones counts as shown.
    """
    seen = np.full(shape, 255, np.uint8) if inside is None else np.where(inside, 255, 0).astype(np.uint8)
    size = (shape[1], shape[0])
    shown = cv2.warpAffine(seen, motion, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(shown, np.uint8) > 127


def corners(shape: Sequence[int]) -> NDArray[np.float64]:
    """Return ``(4, 3)``: x, y and 1 of the corner pixels of a picture."""
    height, width = shape[0] - 1, shape[1] - 1
    return np.array([(0, 0, 1), (width, 0, 1), (0, height, 1), (width, height, 1)], np.float64)


def inverse(motion: Motion) -> Motion:
    """Return the motion from frame to reference."""
    return np.asarray(cv2.invertAffineTransform(motion), np.float64)


def seen_from(corner: tuple[int, int], motion: Motion) -> Motion:
    """Return *motion* for a picture whose first pixel is the reference's pixel (x, y) *corner*."""
    return np.column_stack([motion[:, :2], motion[:, 2] + motion[:, :2] @ np.array(corner, np.float64)])


def _warped(picture: NDArray[Any], motion: Motion, flags: int, shape: Sequence[int] | None) -> NDArray[Any]:
    height, width = (shape or picture.shape)[:2]
    size = (width, height)
    return np.asarray(cv2.warpAffine(picture, motion, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))
