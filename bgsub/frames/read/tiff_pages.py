"""One page of a TIFF file as stored: by tifffile, or by OpenCV where that lacks the codec."""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import tifffile
from numpy.typing import NDArray

from bgsub.errors import CannotDecode
from bgsub.frames.read.decode import with_opencv
from bgsub.frames.read.limits import check_pixels
from bgsub.frames.read.tiff_axes import Layout

_NO_CODEC = re.compile("imagecodecs|not supported")  # of tifffile's errors: the page may well be sound
_GRAY_OR_RGB = (tifffile.PHOTOMETRIC.MINISBLACK, tifffile.PHOTOMETRIC.MINISWHITE, tifffile.PHOTOMETRIC.RGB)


class EndsEarly(CannotDecode):
    """The file ends before a page, and so before all that follow in its series."""


def page_of(file: tifffile.TiffFile, layout: Layout, place: int, path: Path, most: int) -> NDArray[Any]:
    """Return one picture as stored, ``(height, width)`` or ``(height, width, 3)`` in the machine's order of bytes.

    Raises
    ------
    TooLarge
        It claims more than *most* pixels; no memory is taken for them.
    CannotDecode
        It cannot be read.
    """
    try:
        picture = layout.channels_last(_stored(file, layout, place, path, most))
    except CannotDecode:
        raise
    except Exception as error:  # tifffile raises whatever the damage leads to
        reason = " ".join(str(error).split()) or type(error).__name__
        raise CannotDecode(f"cannot read page {place + 1} of {path} ({reason})") from None
    if not picture.size:
        raise CannotDecode(f"cannot read page {place + 1} of {path} (it has no pixels)")
    return picture


def _stored(file: tifffile.TiffFile, layout: Layout, place: int, path: Path, most: int) -> NDArray[Any]:
    series, within = layout.whereabouts(place)
    chosen = file.series[series]
    keyframe = chosen.keyframe
    check_pixels(str(path), *layout.size, most)
    check_pixels(f"a tile of {path}", keyframe.tilewidth, keyframe.tilelength, most)
    if keyframe.photometric in _GRAY_OR_RGB and chosen.dataoffset is not None:
        return _upright_tones(_contiguous(file, chosen, layout, within), keyframe.photometric)
    # What tifffile itself has written may claim any number, and counts as long as claimed.
    if within >= len(file.pages if chosen.kind == "shaped" else chosen.pages):
        raise EndsEarly(f"cannot read page {place + 1} of {path}: the file ends before it")
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
    picture = _with_opencv(page, most)
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
        raise EndsEarly(f"cannot read page {place + 1} of {handle.path}: the file ends before it")
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


def _with_opencv(page: tifffile.TiffPage | tifffile.TiffFrame, most: int) -> NDArray[Any] | None:
    """Decode a page by a copy of its file, shared but for a few bytes, that begins with that page."""
    file = page.parent  # not always the file that was opened: an OME-TIFF may be a set of files
    width = 8 if file.is_bigtiff else 4
    offset = page.offset.to_bytes(width, "little" if file.byteorder == "<" else "big")
    path = Path(file.filehandle.path)
    with path.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_COPY) as copy:
        copy[width : 2 * width] = offset
        stored = np.frombuffer(copy, np.uint8)
        try:
            return with_opencv(stored, str(path), most)
        finally:
            del stored  # a map cannot be closed while an array shows it
