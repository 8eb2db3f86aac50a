"""The residual as people judge it: one number of grey levels a pixel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgsub.frames.difference import channel_difference
from bgsub.frames.source import Image


def score(image: Image, background: Image) -> NDArray[np.uint8]:
    """Return how foreign each pixel is: the channel maximum of |M − X|, X being rounded to grey levels.

    Parameters
    ----------
    image, background
        ``(height, width, 3)`` or ``(height, width)`` uint8, of one shape, grey levels.

    Returns
    -------
    ``(height, width)`` uint8, grey levels. Not Y ≠ 0: Y is shrunk by the ℓ1 ball, and its support is not sparse
    before convergence.
    """
    return channel_difference(image, background)
