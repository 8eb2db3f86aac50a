"""Detection of gray content in RGB images."""

from __future__ import annotations

import numpy as np

from bgsub.frames.source import Image

GRAY = 1
"""Largest difference between the channels of a gray image stored as RGB, in grey levels: rounding."""


def is_gray(picture: Image, most: int = GRAY) -> bool:
    """Return whether an image has one channel, or its channels differ by at most *most* levels at every pixel."""
    return picture.ndim == 2 or int(np.max(picture.max(axis=2) - picture.min(axis=2), initial=0)) <= most
