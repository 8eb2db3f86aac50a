"""What counts as an array: NumPy's, and objects of other libraries that NumPy can read frame by frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError

PLANES = (3, 4)
"""Channels of a colour image: a gray stack with so few columns is really a single colour image."""
CHANNELS = (1, *PLANES)
"""Channels that the last axis of a picture may have: gray, RGB, RGB and alpha."""


def is_array(target: object) -> bool:
    """Return whether NumPy can read *target*: an array, or an object of torch, dask, h5py, Pillow and the like."""
    return hasattr(target, "__array__") or hasattr(target, "__array_interface__") or _is_indexed(target)


def _is_indexed(target: object) -> bool:
    return all(hasattr(target, name) for name in ("shape", "dtype", "__getitem__", "__len__"))


def indexable(target: Any) -> Any:
    """Return *target* itself where its frames can be had one at a time, else all of it as an array."""
    return target if _is_indexed(target) else _as_numpy(lambda: target, target, "the array")


def frame_at(frames: Any, index: int) -> NDArray[Any]:
    """Return one frame of an array or a sequence as a NumPy array in the machine's order of bytes.

    Raises
    ------
    InputError
        The library that it belongs to cannot read it, or not give it to NumPy; its reason is in the message.
    """
    return _as_numpy(lambda: frames[index], frames, f"frame {index}")


def as_picture(frame: Any, index: int) -> NDArray[Any]:
    """Return one frame as :func:`frame_at` does."""
    return _as_numpy(lambda: frame, frame, f"frame {index}")


def _as_numpy(read: Callable[[], Any], owner: object, what: str) -> NDArray[Any]:
    try:
        array = np.asarray(read())
    except Exception as error:  # of the library: on another device, of a dtype that NumPy does not know …
        reason = " ".join(str(error).split())
        raise InputError(f"cannot read {what} ({type(owner).__name__}) as a NumPy array: {reason}") from None
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def check_picture(shape: tuple[int, ...], index: int) -> None:
    """Raise InputError unless a frame is ``(height, width)``, or has 1, 3 or 4 channels in its last axis."""
    if len(shape) in (2, 3) and 0 not in shape and (len(shape) == 2 or shape[2] in CHANNELS):
        return
    raise InputError(
        f"expected pictures of shape (height, width) or (height, width, 3), got {shape} at frame {index}"
        + _transposed(shape, "image.transpose(1, 2, 0)", "image.permute(1, 2, 0)")
    )


def check_stack(shape: tuple[int, ...]) -> None:
    """Raise InputError unless an array holds frames: ``(n, height, width)``, or with 1, 3 or 4 channels at the end."""
    if len(shape) == 3 and shape[2] in PLANES:
        raise InputError(
            f"an array of shape {shape} is one picture in colour, not footage: give (frames, height, width, 3)"
        )
    if len(shape) == 3 or (len(shape) == 4 and shape[3] in CHANNELS):
        return
    raise InputError(
        "expected an array of shape (frames, height, width) or (frames, height, width, 3), "
        f"got {shape}" + _transposed(shape[1:], "frames.transpose(0, 2, 3, 1)", "frames.permute(0, 2, 3, 1)")
    )


def check_alike(picture: NDArray[Any], first: NDArray[Any], index: int) -> None:
    """Raise InputError unless a frame has the shape and dtype of the first."""
    if picture.shape != first.shape:
        raise InputError(
            f"all frames must have one shape: frame 0 is {first.shape}, frame {index} is {picture.shape}"
        )
    if picture.dtype != first.dtype:
        raise InputError(
            f"all frames must have one dtype: frame 0 is {first.dtype}, frame {index} is {picture.dtype}"
        )


def channels_of(picture: NDArray[Any]) -> NDArray[Any]:
    """Return a picture as ``(height, width)`` or ``(height, width, 3)``: one channel is gray, a fourth is alpha."""
    if picture.ndim == 2:
        return picture
    return picture[..., 0] if picture.shape[2] == 1 else picture[..., :3]


def _transposed(shape: tuple[int, ...], numpy_way: str, torch_way: str) -> str:
    """Return what to do where channels come first; empty where they do not."""
    if len(shape) != 3 or shape[0] not in CHANNELS:
        return ""
    return f": channels are last here; give {numpy_way} (torch: {torch_way})"
