"""Frames that can be had only once, kept in a temporary file, since the program reads footage twice."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from bgsub.base.write_errors import reason_of
from bgsub.errors import CannotDecode, InputError, OutputError
from bgsub.frames.read.array_like import as_picture, check_alike, check_picture, is_array


def spooled(frames: Iterable[Any], name: str) -> NDArray[Any]:
    """Return what an iterator yields as one array ``(frames, height, width[, channels])``, on disk and read-only.

    The file has no name where the system allows that (Linux, macOS), and vanishes with the array, however the program
    ends; elsewhere the system deletes it when it is closed. One frame is in memory at a time.

    Raises
    ------
    InputError
        It yields something that is no picture, or pictures of more than one shape or dtype.
    CannotDecode
        It yields nothing.
    OutputError
        The temporary folder cannot take all frames.
    """
    with _temporary(name) as file:
        first: NDArray[Any] | None = None
        count = 0
        for frame in frames:
            picture = _picture(frame, count, name)
            first = picture if first is None else first
            check_alike(picture, first, count)
            _append(file, picture, name)
            count += 1
        if first is None:
            raise CannotDecode(f"the {name} yields no frame")
        # The map keeps the file after it is closed here.
        return np.memmap(file, first.dtype, "r", shape=(count, *first.shape))


def _picture(frame: Any, index: int, name: str) -> NDArray[Any]:
    if not is_array(frame):
        raise InputError(
            f"the {name} yields a {type(frame).__name__} at frame {index}; it must yield pictures, arrays of "
            "(height, width) or (height, width, 3)"
        )
    picture = as_picture(frame, index)
    check_picture(picture.shape, index)
    return picture


def _temporary(name: str) -> IO[bytes]:
    try:
        return tempfile.TemporaryFile(prefix="bgsub-", buffering=0)
    except OSError as error:
        raise _no_room(error, name) from None


def _append(file: IO[bytes], picture: NDArray[Any], name: str) -> None:
    data = memoryview(np.ascontiguousarray(picture)).cast("B")
    try:
        while data:  # without a buffer, a write may be cut short
            data = data[file.write(data) :]
    except OSError as error:
        raise _no_room(error, name) from None


def _no_room(error: OSError, name: str) -> OutputError:
    return OutputError(
        f"cannot keep the frames of the {name} in {tempfile.gettempdir()}: {reason_of(error)} (TMPDIR)"
    )
