"""TIFF files of several pictures as a frame source, read page by page; the one door to tifffile."""

from __future__ import annotations

import logging
import mmap
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import tifffile
from numpy.typing import NDArray

from bgsub.base.warn import report
from bgsub.errors import CannotDecode, CannotOpen
from bgsub.frames.read.decode import with_opencv
from bgsub.frames.read.levels import Pair, pixel_format, spread
from bgsub.frames.read.stretch import FLAG, Stretch
from bgsub.frames.read.tiff_axes import Layout, layout_of, seconds_between
from bgsub.frames.read.timing import DEFAULT_RATE, check_rate, is_sensible
from bgsub.frames.source import Frame, VideoInfo

# It logs what is reported here as a one-line warning or error; with no handler at all, logging prints.
logging.getLogger("tifffile").addHandler(logging.NullHandler())

_NO_CODEC = re.compile("imagecodecs|not supported")  # of tifffile's errors: the page may well be sound
_GRAY_OR_RGB = (tifffile.PHOTOMETRIC.MINISBLACK, tifffile.PHOTOMETRIC.MINISWHITE, tifffile.PHOTOMETRIC.RGB)


class TiffSource:
    """The pictures of one TIFF file as the frames of a video: one page is in memory at a time.

    Parameters
    ----------
    path
        A TIFF, BigTIFF, OME-TIFF or ImageJ stack with one picture a point in time: gray or RGB, any integer, float or
        boolean dtype. A stack whose only axis is Z, or has no name, is taken as time, as are more than 8 channels.
    name
        In messages and reports; the path if None.
    fps
        Frame rate. None takes the interval that OME or ImageJ have noted, else 25 (``info.fps`` is None then).
    levels
        The stored values that become 0 and 255; None leaves 8-bit pictures as they are, and finds a range for others.

    Raises
    ------
    CannotOpen
        It is damaged, or more than one picture a point in time: the message names its axes and their sizes.
    CannotDecode
        No picture of it can be read.
    InputError
        It holds no real numbers.
    OptionError
        *fps* or *levels* cannot be used.

    Warns
    -----
    BgsubWarning
        While reading, for a page that cannot be read: it is skipped, leaving a gap in time. Also of the range that
        deeper pictures are stretched to, and of the first picture with values beyond it.
    """

    __slots__ = ("_info", "_layout", "_path", "_step", "_stretch")

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        name: str | None = None,
        fps: Fraction | None = None,
        levels: Pair | None = None,
    ) -> None:
        self._path = Path(path)
        name = str(path) if name is None else name
        with _opened(self._path) as file:
            self._layout = layout_of(file, self._path)
            noted = seconds_between(file)
            first = self._first(file)
        if fps is not None:
            noted = 1 / check_rate(fps)
        self._step = noted or 1 / DEFAULT_RATE
        self._stretch = Stretch(name, first, levels, self._sample, FLAG)
        is_color = first.ndim == 3
        self._info = VideoInfo(
            name=name,
            kind="images",
            width=first.shape[1],
            height=first.shape[0],
            is_color=is_color,
            frame_count=self._layout.count,
            fps=1 / noted if noted and is_sensible(1 / noted) else None,
            duration=self._layout.count * self._step,
            codec="tiff",
            pixel_format=pixel_format(first.dtype, is_color),
            levels=self._stretch.pair,
        )

    @property
    def info(self) -> VideoInfo:
        """Exact, except that damaged pages are counted until they are encountered."""
        return self._info

    def __iter__(self) -> Iterator[Frame]:
        """Read the pages one after the other."""
        reading = self._stretch.begin()
        index = 0
        with _opened(self._path) as file:
            for place in range(self._layout.count):
                try:
                    stored = self._page(file, place)
                except CannotDecode as error:
                    report(f"{error}; it is skipped")
                    continue
                image = reading.grey(stored, f"page {place + 1} of {self._path}")
                yield Frame(index, place + 1, place * self._step, image)
                index += 1

    def _page(self, file: tifffile.TiffFile, place: int) -> NDArray[Any]:
        return _page_of(file, self._layout, place, self._path)

    def _first(self, file: tifffile.TiffFile) -> NDArray[Any]:
        trouble = ""
        for place in range(self._layout.count):
            try:
                return self._page(file, place)
            except CannotDecode as error:
                trouble = trouble or str(error)
        raise CannotDecode(f"not one page of {self._path} can be read: {trouble}")

    def _sample(self) -> Iterator[NDArray[Any]]:
        with _opened(self._path) as file:
            for place in spread(self._layout.count):
                try:
                    yield self._page(file, place)
                except CannotDecode:
                    continue


def is_stack(path: Path) -> bool:
    """Return whether a TIFF file holds more than one picture; False if tifffile cannot make it out.

    Raises
    ------
    CannotOpen
        It holds more than a picture for each point in time.
    """
    try:
        with tifffile.TiffFile(path) as file:
            return layout_of(file, path).count > 1
    except CannotOpen:
        raise
    except Exception:  # it raises whatever the damage leads to; other readers may know better
        return False


def read_page(path: Path) -> NDArray[Any] | None:
    """Return the picture of a TIFF file that OpenCV cannot read; None if tifffile cannot either."""
    try:
        with tifffile.TiffFile(path) as file:
            return _page_of(file, layout_of(file, path), 0, path)
    except Exception:  # it raises whatever the damage leads to
        return None


@contextmanager
def _opened(path: Path) -> Iterator[tifffile.TiffFile]:
    try:
        file = tifffile.TiffFile(path)
    except OSError:
        raise
    except Exception as error:
        raise CannotOpen(f"cannot read {path} as a TIFF: {' '.join(str(error).split())}") from None
    with file:
        yield file


def _page_of(file: tifffile.TiffFile, layout: Layout, place: int, path: Path) -> NDArray[Any]:
    """Return one picture as stored, ``(height, width)`` or ``(height, width, 3)`` in the machine's order of bytes."""
    try:
        return layout.channels_last(_stored(file, layout, place, path))
    except CannotDecode:
        raise
    except Exception as error:  # tifffile raises whatever the damage leads to
        reason = " ".join(str(error).split()) or type(error).__name__
        raise CannotDecode(f"cannot read page {place + 1} of {path} ({reason})") from None


def _stored(file: tifffile.TiffFile, layout: Layout, place: int, path: Path) -> NDArray[Any]:
    series, within = layout.whereabouts(place)
    chosen = file.series[series]
    keyframe = chosen.keyframe
    if keyframe.photometric in _GRAY_OR_RGB and chosen.dataoffset is not None:
        return _upright_tones(_contiguous(file, chosen, layout, within), keyframe.photometric)
    page = chosen.pages[within]
    if page is None:
        raise CannotDecode(f"page {place + 1} of {path} is missing")
    if keyframe.photometric in _GRAY_OR_RGB:
        try:
            with _at_hand(page):
                return _upright_tones(np.asarray(page.asarray()), keyframe.photometric)
        except (ValueError, ImportError) as error:
            if isinstance(error, ValueError) and not _NO_CODEC.search(str(error)):
                raise
    picture = _with_opencv(page)
    if picture is None:
        compression, tones = (
            tifffile.COMPRESSION(keyframe.compression),
            tifffile.PHOTOMETRIC(keyframe.photometric),
        )
        kind = f"{compression.name} of {keyframe.dtype} in {tones.name}"
        raise CannotDecode(
            f"cannot read page {place + 1} of {path}: it is {kind}; store it without compression, or install "
            "imagecodecs"
        )
    return picture


def _contiguous(
    file: tifffile.TiffFile, series: tifffile.TiffPageSeries, layout: Layout, place: int
) -> NDArray[Any]:
    """Read one picture of a stack without compression, which may have one directory for all of them."""
    dtype = np.dtype(series.dtype).newbyteorder(file.byteorder)
    count = int(np.prod(layout.shape))
    handle = file.filehandle
    handle.seek((series.dataoffset or 0) + place * count * dtype.itemsize)
    data = handle.read(count * dtype.itemsize)
    if len(data) < count * dtype.itemsize:
        raise CannotDecode(f"cannot read page {place + 1} of {handle.path}: the file ends before it")
    return np.frombuffer(data, dtype).reshape(layout.shape).astype(dtype.newbyteorder("="))


@contextmanager
def _at_hand(page: tifffile.TiffPage | tifffile.TiffFrame) -> Iterator[None]:
    """Keep the file of a page open: those of a set are closed, and tifffile would warn."""
    handle = page.parent.filehandle
    was_closed = handle.closed
    if was_closed:
        handle.open()
    try:
        yield
    finally:
        if was_closed:
            handle.close()


def _upright_tones(values: NDArray[Any], photometric: int) -> NDArray[Any]:
    """Return *values* with black as the lowest: scans of paper are stored the other way round."""
    if photometric != tifffile.PHOTOMETRIC.MINISWHITE or values.dtype.kind not in "bu":
        return values
    return ~values


def _with_opencv(page: tifffile.TiffPage | tifffile.TiffFrame) -> NDArray[Any] | None:
    """Decode a page by a copy of its file, shared but for a few bytes, that begins with that page."""
    file = page.parent  # not always the file that was opened: an OME-TIFF may be a set of files
    width = 8 if file.is_bigtiff else 4
    offset = page.offset.to_bytes(width, "little" if file.byteorder == "<" else "big")
    path = Path(file.filehandle.path)
    with path.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_COPY) as copy:
        copy[width : 2 * width] = offset
        stored = np.frombuffer(copy, np.uint8)
        try:
            return with_opencv(stored)
        finally:
            del stored  # a map cannot be closed while an array shows it
