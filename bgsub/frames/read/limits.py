"""The largest picture that is read: a few bytes can claim one that fills the memory."""

from __future__ import annotations

from bgsub.errors import CannotDecode


def check_pixels(name: str, width: int, height: int, most: int) -> None:
    """Raise CannotDecode if a picture of *width* × *height*, as its header says, has more than *most* pixels."""
    if width * height > most:
        raise CannotDecode(
            f"{name} has pictures of {width} × {height}, more than the {most} pixels that are read; "
            "if they are real, give a larger --max-pixels"
        )
