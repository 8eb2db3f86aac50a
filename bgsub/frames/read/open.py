"""Open any footage the user names: the only place that chooses a reader."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from numpy.typing import NDArray

from bgsub.base.warn import report
from bgsub.errors import CannotOpen
from bgsub.frames.live.address import shown
from bgsub.frames.read.array import ArraySource
from bgsub.frames.read.array_like import is_array
from bgsub.frames.read.container import missing
from bgsub.frames.read.content import is_animated, is_tiff
from bgsub.frames.read.images import ImageSource
from bgsub.frames.read.levels import Pair
from bgsub.frames.read.listing import in_folder, is_glob, is_picture, is_printf, matching_glob
from bgsub.frames.read.other_files import about_no_match, refuse_other_files
from bgsub.frames.read.spool import spooled
from bgsub.frames.read.timing import check_rate
from bgsub.frames.read.turned import Turned
from bgsub.frames.read.video import VideoSource
from bgsub.frames.source import FrameSource
from bgsub.options.table import Options

Target: TypeAlias = (
    "str | os.PathLike[str] | NDArray[Any] | Sequence[NDArray[Any]] | Iterable[NDArray[Any]] | FrameSource"
)


def open_source(
    target: Target,
    *,
    fps: Fraction | None = None,
    range: Pair | None = None,  # noqa: A002  what the option is called everywhere
    options: Options | None = None,
) -> FrameSource:
    """Open footage.

    Parameters
    ----------
    target
        One of

        - a video file, or an image file (one frame);
        - a TIFF of several pages, an animated PNG, WebP or GIF, whatever its name: its pages or frames;
        - a folder of images, in natural order (of a CDnet sequence, its ``input``);
        - a wildcard (``cam1/*.jpg``): the images, or the one video file, that it matches;
        - a numbered pattern (``img%04d.png``), by number;
        - a ``(frames, height, width[, channels])`` array of any integer, float or boolean dtype (NumPy's, or one of
          torch, dask, xarray, h5py, zarr, which is read frame by frame), or a sequence of images;
        - an iterator of images: it is read at once, into a temporary file, because footage is read twice;
        - a :class:`bgsub.frames.source.FrameSource`, which is returned as it is (unless *options* turn it).

        A path that exists is always taken literally, even if its name looks like a wildcard.
    fps
        Frame rate of footage without time stamps (images, arrays); None assumes 25. It precedes the interval noted in a
        TIFF. Ignored, with a warning, for a video file or a source, which have their own time stamps.
    range
        ``(low, high)``: the stored values of images and arrays that become the grey levels 0 and 255; what lies beyond
        is cut off. None leaves 8-bit values as they are, and finds a range in a sample of the footage for others.
        Ignored, with a warning, for a video file or a source, whose frames are grey levels.
    options
        Of these, ``fps`` and ``range`` where the arguments are None, ``rotate``, ``max_pixels``, and what a video file
        is read by: ``stream``, ``deinterlace``.

    Raises
    ------
    CannotOpen
        The footage does not exist, or is neither a video nor images, or is a TIFF with more axes than time.
    CannotDecode
        It opens, but no frame can be decoded.
    InputError
        An array has an unsupported dtype or shape.
    OptionError
        *fps* is not within 0.01 … 1000, or *range* is not two finite numbers, the lower first.
    OutputError
        There is no room for the frames of an iterator in the temporary folder.
    """
    how = options or Options()
    how = replace(
        how, fps=how.fps if fps is None else check_rate(fps), range=how.range if range is None else range
    )
    source = _opened(target, how)
    return Turned(source, how.rotate) if how.rotate else source


def _opened(target: Target, how: Options) -> FrameSource:
    if isinstance(target, str | os.PathLike):
        try:
            return _open_path(os.fspath(target), how)
        except OSError as error:
            name = error.filename or os.fspath(target)
            raise CannotOpen(f"cannot open {name}: {(error.strerror or str(error)).lower()}") from None
    if is_array(target):
        return ArraySource(target, fps=how.fps, levels=how.range)
    if isinstance(target, FrameSource):
        _warn_unused(how.fps, how.range, target.info.name)
        return target
    if isinstance(target, Sequence):
        if isinstance(target, bytes | bytearray) or not all(map(is_array, target)):
            raise _no_footage(target)
        return ArraySource(target, fps=how.fps, levels=how.range)
    if isinstance(target, Iterable) and not isinstance(target, Mapping | Set):
        name = type(target).__name__
        return ArraySource(spooled(target, name), fps=how.fps, levels=how.range, name=name)
    raise _no_footage(target)


def _open_path(text: str, how: Options) -> FrameSource:
    if not text:
        raise CannotOpen("the name of the footage is empty")
    path = Path(text)
    if os.path.exists(path):  # noqa: PTH110  Path.exists raises for names that are too long
        return _open_existing(path, how)
    if "://" in text:
        raise CannotOpen(
            f"no such file: {shown(text)} (addresses are not read here; bgsub.separate, bgsub.fit and the commands "
            "record them first)"
        )
    if is_printf(text):
        return ImageSource.from_pattern(text, fps=how.fps, levels=how.range, max_pixels=how.max_pixels)
    if is_glob(text):
        return _open_glob(text, how)
    raise missing(path)


def _open_existing(path: Path, how: Options) -> FrameSource:
    if path.is_dir():
        return _open_pictures(in_folder(path), str(path), how)
    return _open_file(path, str(path), how)


def _open_glob(pattern: str, how: Options) -> FrameSource:
    found = matching_glob(pattern)
    pictures = [path for path in found if is_picture(path)]
    if pictures:
        return _open_pictures(pictures, pattern, how)
    if len(found) == 1:
        return _open_existing(found[0], how)
    if found:
        raise CannotOpen(
            f"{pattern} matches {len(found)} files and no pictures; name one video at a time, such as {found[0]}"
        )
    raise CannotOpen(about_no_match(pattern))


def _open_pictures(paths: list[Path], name: str, how: Options) -> FrameSource:
    """Open files as one picture each; a single one may hold several."""
    if len(paths) == 1:
        return _open_file(paths[0], name, how)
    return ImageSource(paths, name=name, fps=how.fps, levels=how.range, max_pixels=how.max_pixels)


def _open_file(path: Path, name: str, how: Options) -> FrameSource:
    if path.is_file():
        # Those of /proc have no size, and some wait for ever when they are read.
        if path.stat().st_size == 0:
            raise CannotOpen(f"{path} is empty (0 bytes)")
        refuse_other_files(path)
        if is_animated(path):
            from bgsub.frames.read.animation import AnimationSource

            _warn_unused(None, how.range, name)
            return AnimationSource(path, name=name, fps=how.fps, max_pixels=how.max_pixels)
        if is_tiff(path) and (stack := _stack(path, name, how)) is not None:
            return stack
    if is_picture(path):
        return ImageSource([path], name=name, fps=how.fps, levels=how.range, max_pixels=how.max_pixels)
    _warn_unused(how.fps, how.range, name)
    return VideoSource(path, how)


def _stack(path: Path, name: str, how: Options) -> FrameSource | None:
    from bgsub.frames.read.tiff import TiffSource, is_stack

    if not is_stack(path):
        return None
    return TiffSource(path, name=name, fps=how.fps, levels=how.range, max_pixels=how.max_pixels)


def _warn_unused(fps: Fraction | None, levels: Pair | None, name: str) -> None:
    if fps is not None:
        report(f"{name} has its own time stamps; the given rate, {fps} frames/s, is not used")
    if levels is not None:
        report(f"the frames of {name} are grey levels from 0 to 255 already; the given range is not used")


def _no_footage(target: object) -> CannotOpen:
    return CannotOpen(
        f"cannot read footage from {_described(target)}; give one path, an array, a sequence or an iterator of arrays"
    )


def _described(target: object) -> str:
    if isinstance(target, Mapping):
        return f"a {type(target).__name__}, which holds several things by name"
    if isinstance(target, Sequence) and not isinstance(target, bytes | bytearray):
        return f"a {type(target).__name__} that does not hold arrays only"
    return f"a {type(target).__name__}"
