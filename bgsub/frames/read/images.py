"""Image files as a frame source."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.base.warn import report
from bgsub.errors import CannotDecode, CannotOpen, InputError
from bgsub.frames.read.listing import in_folder, matching_printf, numbers_of
from bgsub.frames.read.png import sound_png
from bgsub.frames.read.timing import DEFAULT_RATE, check_rate
from bgsub.frames.source import Frame, Image, VideoInfo

_LOGGING = threading.Lock()
_LOG: Any = getattr(cv2.utils, "logging", cv2)  # its place in OpenCV 5, and in OpenCV 4
_SILENT = 0
# Rotated as EXIF says, without alpha; gray stays gray, 16 bits stay 16 bits. IMREAD_UNCHANGED would ignore
# EXIF.
_AS_STORED = cv2.IMREAD_ANYCOLOR | cv2.IMREAD_ANYDEPTH
_FORMATS = {(True, 8): "rgb24", (False, 8): "gray", (True, 16): "rgb48", (False, 16): "gray16"}
DIM = 1 << 12
"""16-bit images whose values stay below come from a camera of at most 12 bits: at most 16 grey levels are left."""


class ImageSource:
    """Image files in a given order as the frames of a video.

    They are rotated upright as EXIF says; alpha is dropped; 16-bit images lose their lower 8 bits; of a file
    with several pages the first is read. The first readable image decides the size, and whether the source is
    in colour: later gray images are then expanded to RGB, or colour ones reduced to luma.

    Parameters
    ----------
    paths
        The files, in display order; see also :meth:`from_folder` and :meth:`from_pattern`.
    name
        Name of the source in messages and reports; the folder of the first file if None.
    fps
        Frame rate: the image at position i of *paths* is shown at i / fps seconds. None assumes 25, and
        ``info.fps`` is then None.
    numbers
        ``Frame.number`` of each file, strictly increasing; by default the last number in each file name, or
        1, 2, 3 … unless these strictly increase.

    Raises
    ------
    CannotOpen
        *paths* is empty.
    CannotDecode
        None of the images can be read.
    InputError
        While reading: images differ in size, or hold neither 8-bit nor 16-bit grey levels.
    OptionError
        *fps* is not within 0.01 … 1000.

    Warns
    -----
    BgsubWarning
        While reading, for each image that cannot be read: it is skipped, leaving a gap in time. Also if the
        first image has 16 bits but uses at most 12 of them.
    """

    __slots__ = ("_dim", "_first", "_info", "_numbers", "_paths", "_rate")

    def __init__(
        self,
        paths: Sequence[str | os.PathLike[str]],
        *,
        name: str | None = None,
        fps: Fraction | None = None,
        numbers: Sequence[int] | None = None,
    ) -> None:
        self._paths = [Path(path) for path in paths]
        if not self._paths:
            raise CannotOpen(f"no pictures in {name or 'an empty list'}")
        self._numbers = list(numbers) if numbers is not None else numbers_of(self._paths)
        self._rate = DEFAULT_RATE if fps is None else check_rate(fps)
        name = str(self._paths[0].parent) if name is None else name
        self._first, stored = _first_readable(self._paths, name)
        image, depth = _as_rgb8(stored, self._first), 8 * stored.itemsize
        self._dim = int(stored.max()) if depth > 8 and 0 < stored.max() < DIM else None
        self._info = VideoInfo(
            name=name,
            kind="images",
            width=image.shape[1],
            height=image.shape[0],
            is_color=image.ndim == 3,
            frame_count=len(self._paths),
            fps=None if fps is None else self._rate,
            duration=len(self._paths) / self._rate,
            codec=self._first.suffix[1:].lower(),
            pixel_format=_FORMATS[image.ndim == 3, depth],
        )

    @classmethod
    def from_folder(cls, folder: str | os.PathLike[str], *, fps: Fraction | None = None) -> ImageSource:
        """Open the images of a folder in natural order; other files and hidden files are ignored.

        For a CDnet sequence (a folder with ``input`` and ``groundtruth``), this opens ``input``.
        """
        return cls(in_folder(Path(folder)), name=str(folder), fps=fps)

    @classmethod
    def from_pattern(cls, pattern: str, *, fps: Fraction | None = None) -> ImageSource:
        """Open the images that match a numbered pattern such as ``img%04d.png``, by number."""
        paths, numbers = matching_printf(pattern)
        return cls(paths, name=pattern, fps=fps, numbers=numbers)

    @property
    def info(self) -> VideoInfo:
        """Exact, except that unreadable images are counted until they are encountered."""
        return self._info

    def __iter__(self) -> Iterator[Frame]:
        """Read the images one after the other."""
        if self._dim is not None:
            report(
                f"{self._first}: a 16-bit picture of values up to {self._dim}: {(self._dim >> 8) + 1} grey levels are "
                f"left of 256; multiply the values by {1 << (16 - self._dim.bit_length())} first"
            )
        index = 0
        for position, (path, number) in enumerate(zip(self._paths, self._numbers, strict=True)):
            try:
                image = read_image(path)
            except CannotDecode as error:
                report(f"{error}; it is skipped")
                continue
            yield Frame(index, number, position / self._rate, self._matched(image, path))
            index += 1

    def _matched(self, image: Image, path: Path) -> Image:
        height, width = image.shape[:2]
        if (width, height) != (self._info.width, self._info.height):
            raise InputError(
                f"pictures differ in size: {self._first} is {self._info.width} × {self._info.height} pixels, "
                f"{path} is {width} × {height}"
            )
        if self._info.is_color and image.ndim == 2:
            return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2RGB), np.uint8)
        if not self._info.is_color and image.ndim == 3:
            return np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), np.uint8)
        return image


def read_image(path: Path) -> Image:
    """Read one image file.

    Returns
    -------
    Image
        ``(height, width)`` gray or ``(height, width, 3)`` RGB, uint8, C-contiguous.

    Raises
    ------
    CannotDecode
        The file cannot be read, or is not an image.
    InputError
        Its values are neither 8-bit nor 16-bit grey levels.
    """
    return _as_rgb8(_read(path), path)


def _read(path: Path) -> NDArray[Any]:
    """Return the stored values of an image file, channels in OpenCV's order."""
    try:
        # Not cv2.imread, which cannot open every Unicode path on every system.
        stored = np.fromfile(path, np.uint8)
        sound = sound_png(stored)
        image = _decode(sound) if sound is not None and sound.size else None
    except OSError as error:
        raise CannotDecode(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    except cv2.error as error:
        raise CannotDecode(f"cannot read {path} as a picture ({error.err})") from None
    if image is None:
        trouble = "it is empty" if stored.size == 0 else "damaged, or another kind of file"
        raise CannotDecode(f"cannot read {path} as a picture ({trouble})")
    return image


def _decode(stored: NDArray[np.uint8]) -> NDArray[Any] | None:
    # OpenCV logs to stderr what is reported here as a one-line warning or error. Its log level is
    # process-wide, and images are read on several threads.
    with _LOGGING:
        level = _LOG.getLogLevel()
        _LOG.setLogLevel(_SILENT)
        try:
            return cv2.imdecode(stored, _AS_STORED)
        finally:
            _LOG.setLogLevel(level)


def _as_rgb8(image: NDArray[Any], path: Path) -> Image:
    if image.dtype == np.uint16:
        image = (image >> 8).astype(np.uint8)
    if image.dtype != np.uint8:
        raise InputError(f"{path} holds {image.dtype} values; convert it to 8-bit or 16-bit grey levels")
    if image.ndim == 3:
        image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
    return np.ascontiguousarray(image, np.uint8)


def _first_readable(paths: Sequence[Path], name: str) -> tuple[Path, NDArray[Any]]:
    trouble = ""
    for path in paths:
        try:
            return path, _read(path)
        except CannotDecode as error:
            trouble = trouble or str(error)
    raise CannotDecode(f"not one picture of {name} can be read: {trouble}")
