"""Image files as a frame source."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.base.safe_name import all_safe
from bgsub.base.warn import report
from bgsub.errors import CannotDecode, CannotOpen, InputError
from bgsub.frames.read.content import begins_tiff, has_more_pages, is_animated
from bgsub.frames.read.decode import decode
from bgsub.frames.read.levels import Pair, pixel_format, spread
from bgsub.frames.read.limits import MOST_PIXELS, TooLarge
from bgsub.frames.read.listing import in_folder, matching_printf, numbers_of
from bgsub.frames.read.stretch import FLAG, Stretch
from bgsub.frames.read.timing import DEFAULT_RATE, check_rate
from bgsub.frames.source import Frame, Image, VideoInfo


class ImageSource:
    """Image files in a given order as the frames of a video, one picture each.

    They are rotated upright as EXIF says; alpha is dropped; what is deeper than 8 bits is stretched (see
    :class:`bgsub.frames.read.stretch.Stretch`). The first readable image decides the size, the dtype, and whether the
    source is in colour: later gray images are then expanded to RGB, or colour ones reduced to luma.

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
    levels
        The stored values that become 0 and 255; None leaves 8-bit images as they are, and finds a range for others.
    max_pixels
        Pixels that a picture may have at most.

    Raises
    ------
    CannotOpen
        *paths* is empty.
    CannotDecode
        None of the images can be read, or one claims too many pixels.
    InputError
        An image holds no real numbers, or its file several pictures. While reading: images differ in size or dtype.
    OptionError
        *fps* is not within 0.01 … 1000, or *levels* are not two numbers, the lower first.

    Warns
    -----
    BgsubWarning
        While reading, for each image that cannot be read: it is skipped, leaving a gap in time. Also of the range that
        deeper images are stretched to, and of the first image with values beyond it.
    """

    __slots__ = ("_first", "_info", "_most", "_names", "_numbers", "_paths", "_rate", "_stretch")

    def __init__(
        self,
        paths: Sequence[str | os.PathLike[str]],
        *,
        name: str | None = None,
        fps: Fraction | None = None,
        numbers: Sequence[int] | None = None,
        levels: Pair | None = None,
        max_pixels: int = MOST_PIXELS,
    ) -> None:
        self._most = max_pixels
        self._paths = [Path(path) for path in paths]
        if not self._paths:
            raise CannotOpen(f"no pictures in {name or 'an empty list'}")
        self._numbers = list(numbers) if numbers is not None else numbers_of(self._paths)
        self._rate = DEFAULT_RATE if fps is None else check_rate(fps)
        self._names = all_safe(path.stem for path in self._paths)
        name = str(self._paths[0].parent) if name is None else name
        self._first, stored = _first_readable(self._paths, name, max_pixels)
        self._stretch = Stretch(name, stored, levels, self._sample, FLAG)
        is_color = stored.ndim == 3
        self._info = VideoInfo(
            name=name,
            kind="images",
            width=stored.shape[1],
            height=stored.shape[0],
            is_color=is_color,
            frame_count=len(self._paths),
            fps=None if fps is None else self._rate,
            duration=len(self._paths) / self._rate,
            codec=self._first.suffix[1:].lower(),
            pixel_format=pixel_format(stored.dtype, is_color),
            levels=self._stretch.pair,
        )

    @classmethod
    def from_folder(
        cls,
        folder: str | os.PathLike[str],
        *,
        fps: Fraction | None = None,
        levels: Pair | None = None,
        max_pixels: int = MOST_PIXELS,
    ) -> ImageSource:
        """Open the images of a folder in natural order; other files and hidden files are ignored.

        For a CDnet sequence (a folder with ``input`` and ``groundtruth``), this opens ``input``.
        """
        paths = in_folder(Path(folder))
        return cls(paths, name=str(folder), fps=fps, levels=levels, max_pixels=max_pixels)

    @classmethod
    def from_pattern(
        cls,
        pattern: str,
        *,
        fps: Fraction | None = None,
        levels: Pair | None = None,
        max_pixels: int = MOST_PIXELS,
    ) -> ImageSource:
        """Open the images that match a numbered pattern such as ``img%04d.png``, by number."""
        paths, numbers = matching_printf(pattern)
        return cls(paths, name=pattern, fps=fps, numbers=numbers, levels=levels, max_pixels=max_pixels)

    @property
    def names(self) -> tuple[str, ...]:
        """Of each image: that of its file without the ending; all empty if two are alike, or one fits no file."""
        return self._names

    @property
    def file_names(self) -> dict[str, str]:
        """Names of the files by the names of the frames; empty where frames have none."""
        return {name: path.name for name, path in zip(self._names, self._paths, strict=True) if name}

    @property
    def info(self) -> VideoInfo:
        """Exact, except that unreadable images are counted until they are encountered."""
        return self._info

    def __iter__(self) -> Iterator[Frame]:
        """Read the images one after the other."""
        reading = self._stretch.begin()
        index = 0
        for position, (path, number) in enumerate(zip(self._paths, self._numbers, strict=True)):
            try:
                stored = _read(path, self._most)
            except TooLarge:
                raise
            except CannotDecode as error:
                report(f"{error}; it is skipped")
                continue
            self._check(stored, path)
            image = in_channels(reading.grey(stored, str(path)), self._info.is_color)
            yield Frame(index, number, position / self._rate, image, self.names[position])
            index += 1

    def _check(self, stored: NDArray[Any], path: Path) -> None:
        height, width = stored.shape[:2]
        if (width, height) != (self._info.width, self._info.height):
            raise InputError(
                f"pictures differ in size: {self._first} is {self._info.width} × {self._info.height} pixels, "
                f"{path} is {width} × {height}"
            )
        if stored.dtype != self._stretch.dtype:
            raise InputError(
                f"pictures differ in depth: {self._first} holds {self._stretch.dtype} values, {path} {stored.dtype}; "
                "convert them to one of the two"
            )

    def _sample(self) -> Iterator[NDArray[Any]]:
        for place in spread(len(self._paths)):
            try:
                yield _read(self._paths[place], self._most)
            except CannotDecode:
                continue


def in_channels(image: Image, is_color: bool) -> Image:
    """Return *image* in RGB, or in gray: colour becomes luma, and gray is repeated."""
    if is_color == (image.ndim == 3):
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2RGB if is_color else cv2.COLOR_RGB2GRAY), np.uint8)


def read_image(path: Path, max_pixels: int = MOST_PIXELS) -> Image:
    """Read one image file by itself; of 16 bits the upper 8.

    Returns
    -------
    Image
        ``(height, width)`` gray or ``(height, width, 3)`` RGB, uint8, C-contiguous.

    Raises
    ------
    CannotDecode
        The file cannot be read, is not an image, or claims more than *max_pixels*.
    InputError
        Its values are neither 8-bit nor 16-bit grey levels, or it holds several pictures.
    """
    stored = _read(path, max_pixels)
    if stored.dtype == np.uint16:
        stored = (stored >> 8).astype(np.uint8)
    if stored.dtype != np.uint8:
        raise InputError(f"{path} holds {stored.dtype} values; convert it to 8-bit or 16-bit grey levels")
    return np.ascontiguousarray(stored, np.uint8)


def _read(path: Path, most: int) -> NDArray[Any]:
    """Return the stored values of an image file, ``(height, width)`` or ``(height, width, 3)`` RGB."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise CannotDecode(
                f"cannot read {path} as a picture (it is a device or a pipe, which may never end)"
            )
        # Not cv2.imread, which cannot open every Unicode path on every system.
        stored = np.fromfile(path, np.uint8)
    except OSError as error:
        raise CannotDecode(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    _refuse_several(stored, path)
    image = decode(stored, str(path), most)
    if image is None and begins_tiff(stored[:4].tobytes()):
        from bgsub.frames.read.tiff import read_page

        image = read_page(path, most)
    if image is None or not image.size:
        trouble = "it is empty" if stored.size == 0 else "damaged, or another kind of file"
        raise CannotDecode(f"cannot read {path} as a picture ({trouble})")
    return image


def _refuse_several(stored: NDArray[np.uint8], path: Path) -> None:
    """Raise InputError where a file holds more than one picture: nobody knows which of them is meant."""
    if _is_stack(stored, path) or is_animated(stored):
        raise InputError(
            f"{path} holds several pictures, but one file among others is one picture; name that file alone, or store "
            "its pictures in files of their own"
        )


def _is_stack(stored: NDArray[np.uint8], path: Path) -> bool:
    if not begins_tiff(stored[:4].tobytes()) or not has_more_pages(stored):
        return False
    from bgsub.frames.read.tiff import is_stack

    return is_stack(path)


def _first_readable(paths: Sequence[Path], name: str, most: int) -> tuple[Path, NDArray[Any]]:
    trouble = ""
    for path in paths:
        try:
            return path, _read(path, most)
        except TooLarge:
            raise
        except CannotDecode as error:
            trouble = trouble or str(error)
    raise CannotDecode(f"not one picture of {name} can be read: {trouble}")
