"""The largest picture that is read: a few bytes can claim one that fills the memory."""

from __future__ import annotations

from bgsub.errors import CannotDecode
from bgsub.options.table import Options

MOST_PIXELS = Options().max_pixels
"""Where nothing else is asked for."""


class TooLarge(CannotDecode):
    """A picture claims more pixels than are read."""


def check_pixels(name: str, width: int, height: int, most: int) -> None:
    """Raise TooLarge if a picture of *width* × *height*, as its header says, has more than *most* pixels."""
    if width * height > most:
        raise TooLarge(
            f"{name} has pictures of {width} × {height}, more than the {most} pixels that are read; "
            "if they are real, give a larger --max-pixels"
        )
