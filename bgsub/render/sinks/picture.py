"""PNG sinks: a single image, or a folder of them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np

from bgsub.base.publish import Publication
from bgsub.base.safe_name import stem_of
from bgsub.base.write_errors import writing
from bgsub.errors import OptionError, OutputError
from bgsub.frames.source import Image
from bgsub.render.sinks.sink import FileSink


class PictureSink(FileSink):
    """One PNG file: of several images written, the last one.

    Parameters
    ----------
    path
        The file, with any name that the file system accepts.
    files
        Publishes it: see :class:`.FileSink`.

    Raises
    ------
    OutputError
        If the path cannot be used.
    """

    def __init__(self, path: str | Path, files: Publication | None = None) -> None:
        super().__init__(path, files)
        self._last: Image | None = None

    def _put(self, image: Image, time: Fraction, number: int, name: str) -> None:
        self._last = image.copy()

    def _finish(self) -> None:
        if self._last is not None:
            self._store(self._at, encode_png(self._last, self.name))
            self._last = None


class ImageSequenceSink(FileSink):
    """A folder of PNG files named by frame number, ``000001.png`` and so on, or after the frame's own file; lossless.

    The folder appears when it is complete. An existing folder is replaced if it holds nothing but such files, and
    refused otherwise. Images may have four channels, the last one alpha.

    Parameters
    ----------
    path
        The folder.
    files
        Publishes it: see :class:`.FileSink`.
    digits
        Minimum number of digits in a name.
    prefix
        What stands before the number; frames are then named by number in any case.

    Raises
    ------
    OutputError
        If the path cannot be used.
    OptionError
        If *digits* is not 1–20.
    """

    _channels = ((), (3,), (4,))

    def __init__(
        self, path: str | Path, files: Publication | None = None, digits: int = 6, prefix: str = ""
    ) -> None:
        if not 1 <= digits <= 20:
            raise OptionError(f"digits must lie between 1 and 20, not {digits}")
        super().__init__(path, files, is_folder=True)
        self._digits, self._prefix = digits, prefix

    def _put(self, image: Image, time: Fraction, number: int, name: str) -> None:
        if number < 0:
            raise OutputError(f"cannot write {self.name}: frame number {number} is negative")
        stem = stem_of("" if self._prefix else name, number, self._digits)
        target = self._at / f"{self._prefix}{stem}.png"
        with writing(self.path):
            if target.exists():
                raise OutputError(f"cannot write {self.name}: there are two frames called {target.stem}")
        self._store(target, encode_png(image, self.name))


def encode_png(image: Image, name: str) -> bytes:
    """Return *image* (gray, RGB or RGBA) as the bytes of a PNG file."""
    if image.ndim == 3:
        order = cv2.COLOR_RGB2BGR if image.shape[2] == 3 else cv2.COLOR_RGBA2BGRA
        image = np.asarray(cv2.cvtColor(image, order), np.uint8)
    encoded, data = cv2.imencode(".png", image)
    if not encoded:
        raise OutputError(f"cannot write {name}: a picture of {image.shape} cannot be stored as PNG")
    return data.tobytes()
