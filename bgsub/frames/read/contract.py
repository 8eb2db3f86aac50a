"""Checks that a source yields what its info declares, including sources written by others."""

from __future__ import annotations

from typing import Any

import numpy as np

from bgsub.errors import InputError
from bgsub.frames.read.array import how_to_convert
from bgsub.frames.source import Frame, VideoInfo


def check_kept(frame: Any, info: VideoInfo) -> None:
    """Raise InputError unless *frame* is a Frame whose image has the dtype, size and channels that *info* declares."""
    if not isinstance(frame, Frame):
        raise InputError(
            f"{info.name} yields a {type(frame).__name__}: a source yields bgsub.frames.source.Frame"
        )
    image: Any = frame.image
    said = (info.height, info.width, 3) if info.is_color else (info.height, info.width)
    if isinstance(image, np.ndarray) and image.dtype == np.uint8 and image.shape == said:
        return
    found = f"{image.dtype} {_sides(image.shape)}" if isinstance(image, np.ndarray) else type(image).__name__
    raise InputError(
        f"{info.name}: the picture of frame {frame.index} is {found}, but the info of this source says "
        f"uint8 {_sides(said)} ({'colour' if info.is_color else 'gray'}): {_what_to_do(image, said)}"
    )


def _what_to_do(image: Any, said: tuple[int, ...]) -> str:
    if isinstance(image, np.ndarray) and image.shape == said:
        return how_to_convert(image.dtype, "image")
    return "yield pictures of one size, all in colour or all gray"


def _sides(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape)) or "scalar"
