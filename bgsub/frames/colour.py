"""Whether a picture in colour's format shows any colour."""

from __future__ import annotations

import numpy as np

from bgsub.frames.source import Image

GRAY = 1
"""Grey levels by which the channels of a gray picture in colour's format differ at most: rounding."""


def is_gray(picture: Image, most: int = GRAY) -> bool:
    """Tell whether a picture has one channel, or no two channels of any pixel differ by more than *most* levels."""
    return picture.ndim == 2 or int(np.max(picture.max(axis=2) - picture.min(axis=2), initial=0)) <= most
