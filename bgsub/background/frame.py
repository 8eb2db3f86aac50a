"""That a frame is one which a background can be held against."""

from __future__ import annotations

from typing import Any

import numpy as np

from bgsub.errors import InputError
from bgsub.frames.grid import Grid
from bgsub.frames.read.array import how_to_convert


def check_frame(frame: Any, grid: Grid, takes_gray: bool) -> None:
    """Raise InputError unless *frame* is ``(height, width, 3)`` uint8, or *takes_gray* and it is ``(height, width)``.

    A colour frame is judged in gray by a model that was fitted on gray, as it would have been read. The other way round
    nothing is right: gray in three channels differs from every colour of the background.
    """
    if not isinstance(frame, np.ndarray):
        raise InputError(
            f"a frame must be an array, not a {type(frame).__name__} (a Frame has one: frame.image)"
        )
    size = (grid.height, grid.width)
    if frame.dtype == np.uint8 and (frame.shape == (*size, 3) or (takes_gray and frame.shape == size)):
        return
    raise InputError(
        f"the frame is {frame.dtype} {'×'.join(map(str, frame.shape))}, but the model was fitted on "
        f"{'colour' if grid.color else 'gray'} pictures of height {size[0]} and width {size[1]}: "
        f"{_what_to_do(frame, size, takes_gray)}"
    )


def _what_to_do(frame: np.ndarray[Any, Any], size: tuple[int, int], takes_gray: bool) -> str:
    height, width = size
    if frame.shape in (size, (*size, 1)) and not takes_gray:
        way = "for gray frames, fit a model on gray ones or with gray=True"
        return f"give colour, uint8 {height}×{width}×3 (RGB); {way}"
    for shape, way in (
        ((*size, 1), "frame[:, :, 0]"),
        ((*size, 4), "frame[:, :, :3], without alpha"),
        ((3, *size), "frame.transpose(1, 2, 0), channels last"),
    ):
        if frame.shape == shape and frame.dtype == np.uint8:
            return f"give {way}"
    if frame.shape in (size, (*size, 3)):
        way = how_to_convert(frame.dtype, "frame")
        if frame.dtype == np.bool_:
            return way
        return f"where the footage was stretched, read with its range, open_source(…, range=(low, high)); else {way}"
    gray = f" or {height}×{width} (gray)" if takes_gray else ""
    return f"give uint8 {height}×{width}×3 (RGB){gray}"
