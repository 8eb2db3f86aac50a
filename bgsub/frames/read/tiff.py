"""TIFF files of several pictures as a frame source, read page by page."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import tifffile
from numpy.typing import NDArray

from bgsub.base.plural import count_of
from bgsub.base.warn import report
from bgsub.errors import CannotDecode, CannotOpen
from bgsub.frames.read.levels import Pair, pixel_format, spread
from bgsub.frames.read.limits import MOST_PIXELS, TooLarge, check_pixels
from bgsub.frames.read.stretch import FLAG, Stretch
from bgsub.frames.read.tiff_axes import layout_of, seconds_between
from bgsub.frames.read.tiff_pages import EndsEarly, page_of
from bgsub.frames.read.timing import DEFAULT_RATE, check_rate, is_sensible
from bgsub.frames.source import Frame, VideoInfo

# It logs what is reported here as a one-line warning or error; with no handler at all, logging prints.
logging.getLogger("tifffile").addHandler(logging.NullHandler())


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
    max_pixels
        Pixels that a picture may have at most.

    Raises
    ------
    CannotOpen
        It is damaged, or more than one picture a point in time: the message names its axes and their sizes.
    CannotDecode
        No picture of it can be read, or they claim too many pixels.
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

    __slots__ = ("_info", "_layout", "_most", "_path", "_step", "_stretch")

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        name: str | None = None,
        fps: Fraction | None = None,
        levels: Pair | None = None,
        max_pixels: int = MOST_PIXELS,
    ) -> None:
        self._path, self._most = Path(path), max_pixels
        name = str(path) if name is None else name
        with _opened(self._path) as file:
            self._layout = layout_of(file, self._path)
            check_pixels(name, *self._layout.size, max_pixels)
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
                    report(f"{error}; it is skipped{self._following(error, place)}")
                    if self._is_over(error):
                        return
                    continue
                image = reading.grey(stored, f"page {place + 1} of {self._path}")
                yield Frame(index, place + 1, place * self._step, image)
                index += 1

    def _page(self, file: tifffile.TiffFile, place: int) -> NDArray[Any]:
        return page_of(file, self._layout, place, self._path, self._most)

    def _is_over(self, error: CannotDecode) -> bool:
        """Return whether no page can follow the one that failed: a file of some bytes can claim any number."""
        return isinstance(error, EndsEarly) and len(self._layout.series) == 1

    def _following(self, error: CannotDecode, place: int) -> str:
        left = self._layout.count - place - 1
        return f", with {count_of(left, 'page')} that would follow" if left and self._is_over(error) else ""

    def _first(self, file: tifffile.TiffFile) -> NDArray[Any]:
        trouble = ""
        for place in range(self._layout.count):
            try:
                return self._page(file, place)
            except CannotDecode as error:
                trouble = trouble or str(error)
                if self._is_over(error):
                    break
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


def read_page(path: Path, most: int) -> NDArray[Any] | None:
    """Return the picture of a TIFF file that OpenCV cannot read; None if tifffile cannot either.

    Raises
    ------
    TooLarge
        It claims more than *most* pixels.
    """
    try:
        with tifffile.TiffFile(path) as file:
            return page_of(file, layout_of(file, path), 0, path, most)
    except TooLarge:
        raise
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
