"""One picture from the bytes of a file, as stored: any dtype, upright, in RGB or gray, without alpha.

Pillow decodes PNG and JPEG, because libpng and libjpeg inside OpenCV print on standard error what is wrong, without the
name of the file; the pixels are the same. OpenCV decodes the rest, and PNG in 16 bits, which Pillow would halve.
"""

from __future__ import annotations

import io
import threading
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.frames.read.headers import size_of
from bgsub.frames.read.limits import MOST_PIXELS, TooLarge, check_pixels
from bgsub.frames.read.png import SIGNATURE, bare_png, sound_png

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_LOGGING = threading.Lock()
_LOG: Any = getattr(cv2.utils, "logging", cv2)  # its place in OpenCV 5, and in OpenCV 4
_SILENT = 0
# Rotated as EXIF says, without alpha; gray stays gray, 16 bits stay 16 bits. IMREAD_UNCHANGED would ignore
# EXIF.
_AS_STORED = cv2.IMREAD_ANYCOLOR | cv2.IMREAD_ANYDEPTH
_JPEG = b"\xff\xd8\xff"
_DEPTH = 24
"""Place of the bits a channel in a PNG file: its first chunk is of a fixed size."""
GRAY_MODES = {"1", "L", "LA", "La", "I", "I;16", "I;16B", "F"}
"""Pillow's names of pictures in one channel, with or without alpha."""


def decode(stored: NDArray[np.uint8], name: str, most: int = MOST_PIXELS) -> NDArray[Any] | None:
    """Return the picture in the bytes of a file, which messages call *name*.

    Returns
    -------
    NDArray or None
        ``(height, width)`` gray or ``(height, width, 3)`` RGB; None if it is damaged or no picture.

    Raises
    ------
    TooLarge
        It claims more than *most* pixels; no memory is taken for them.
    """
    head = stored[:8].tobytes()
    if head == SIGNATURE:
        sound = sound_png(stored)
        return None if sound is None else _png(sound, name, most)
    if head.startswith(_JPEG):
        return _with_pillow(stored, name, most)
    return with_opencv(stored, name, most) if stored.size else None


def with_opencv(stored: NDArray[np.uint8], name: str, most: int) -> NDArray[Any] | None:
    """Return the picture that OpenCV finds in *stored*, or None; arguments and errors as for :func:`decode`."""
    # A kind of which the size is not known could take any memory.
    if (size := size_of(stored.data)) is None:
        return None
    check_pixels(name, *size, most)
    # OpenCV logs to stderr what is reported here as a one-line warning or error. Its log level is
    # process-wide, and images are read on several threads.
    with _LOGGING:
        level = _LOG.getLogLevel()
        _LOG.setLogLevel(_SILENT)
        try:
            picture = cv2.imdecode(stored, _AS_STORED)
        except cv2.error:
            return None
        finally:
            _LOG.setLogLevel(level)
    if picture is None or picture.ndim == 2:
        return picture
    return np.ascontiguousarray(picture[..., ::-1])


def _png(sound: NDArray[np.uint8], name: str, most: int) -> NDArray[Any] | None:
    picture = _with_pillow(sound, name, most)
    if picture is None or sound[_DEPTH] <= 8:
        return picture
    bare = bare_png(sound)
    return None if bare is None else with_opencv(bare, name, most)


def _with_pillow(stored: NDArray[np.uint8], name: str, most: int) -> NDArray[Any] | None:
    # Not Image.open, which takes large pictures for an attack.
    from PIL.JpegImagePlugin import JpegImageFile
    from PIL.PngImagePlugin import PngImageFile

    reader = JpegImageFile if stored[0] == _JPEG[0] else PngImageFile
    try:
        with reader(io.BytesIO(stored.tobytes())) as picture:
            check_pixels(name, *picture.size, most)
            picture.load()
            _turn_upright(picture)
            return pixels(picture, picture.mode in GRAY_MODES)
    except TooLarge:
        raise
    except Exception:  # its plugins raise whatever the damage leads to
        return None


def _turn_upright(picture: Picture) -> None:
    from PIL import ImageOps

    try:
        ImageOps.exif_transpose(picture, in_place=True)
    except Exception:  # damaged EXIF is no reason to lose the picture
        return


def pixels(picture: Picture, gray: bool) -> NDArray[np.uint8]:
    """Return the pixels of a Pillow image in 8 bits, gray or RGB, without alpha and in memory of their own."""
    wanted = "L" if gray else "RGB"
    if picture.mode.startswith("I;16"):
        high = (np.asarray(picture) >> 8).astype(np.uint8)
        return high if gray else np.repeat(high[..., None], 3, axis=2)
    if picture.mode != wanted:
        picture.info.pop("transparency", None)  # Pillow would warn of what it does with it
        picture = picture.convert(wanted)
    return np.array(picture, np.uint8)
