"""Open any footage the user names: the only place that chooses a reader."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bgsub.base.warn import report
from bgsub.errors import CannotOpen
from bgsub.frames.live.address import shown
from bgsub.frames.read.array import ArraySource
from bgsub.frames.read.container import missing
from bgsub.frames.read.images import ImageSource
from bgsub.frames.read.listing import is_glob, is_picture, is_printf, matching_glob
from bgsub.frames.read.turned import Turned
from bgsub.frames.read.video import VideoSource
from bgsub.frames.source import FrameSource
from bgsub.options.table import Options

Target: TypeAlias = "str | os.PathLike[str] | NDArray[Any] | Sequence[NDArray[Any]] | FrameSource"


def open_source(
    target: Target, *, fps: Fraction | None = None, options: Options | None = None
) -> FrameSource:
    """Open footage.

    Parameters
    ----------
    target
        One of

        - a video file, or an image file (one frame);
        - a folder of images, in natural order (of a CDnet sequence, its ``input``);
        - a wildcard (``cam1/*.jpg``): the images, or the one video file, that it matches;
        - a numbered pattern (``img%04d.png``), by number;
        - a ``(frames, height, width[, 3])`` uint8 array, or a sequence of images;
        - a :class:`bgsub.frames.source.FrameSource`, which is returned as it is (unless *options* turn it).

        A path that exists is always taken literally, even if its name looks like a wildcard.
    fps
        Frame rate of footage without time stamps (images, arrays); None assumes 25. Ignored, with a warning,
        for a video file or a source, which have their own time stamps.
    options
        Of these, ``rotate``, and what a video file is read by: ``stream``, ``deinterlace``, ``max_pixels``.

    Raises
    ------
    CannotOpen
        The footage does not exist, or is neither a video nor images.
    CannotDecode
        It opens, but no frame can be decoded.
    InputError
        An array has an unsupported dtype or shape.
    OptionError
        *fps* is not within 0.01 … 1000.
    """
    source = _opened(target, fps, options)
    return source if options is None or not options.rotate else Turned(source, options.rotate)


def _opened(target: Target, fps: Fraction | None, options: Options | None) -> FrameSource:
    if isinstance(target, str | os.PathLike):
        try:
            return _open_path(os.fspath(target), fps, options)
        except OSError as error:
            name = error.filename or os.fspath(target)
            raise CannotOpen(f"cannot open {name}: {(error.strerror or str(error)).lower()}") from None
    if isinstance(target, np.ndarray):
        return ArraySource(target, fps=fps)
    if isinstance(target, FrameSource):
        _warn_unused(fps, target.info.name)
        return target
    if (
        isinstance(target, Sequence)
        and not isinstance(target, str)
        and all(isinstance(image, np.ndarray) for image in target)
    ):
        return ArraySource(target, fps=fps)
    raise CannotOpen(
        f"cannot read footage from {_described(target)}; give one path, an array, or a sequence of arrays"
    )


def _open_path(text: str, fps: Fraction | None, options: Options | None) -> FrameSource:
    if not text:
        raise CannotOpen("the name of the footage is empty")
    path = Path(text)
    if os.path.exists(path):  # noqa: PTH110  Path.exists raises for names that are too long
        return _open_existing(path, fps, options)
    if "://" in text:
        raise CannotOpen(
            f"no such file: {shown(text)} (addresses are not read here; bgsub.separate, bgsub.fit and the commands "
            "record them first)"
        )
    if is_printf(text):
        return ImageSource.from_pattern(text, fps=fps)
    if is_glob(text):
        return _open_glob(text, fps, options)
    raise missing(path)


def _open_existing(path: Path, fps: Fraction | None, options: Options | None) -> FrameSource:
    if path.is_dir():
        return ImageSource.from_folder(path, fps=fps)
    if is_picture(path):
        return ImageSource([path], name=str(path), fps=fps)
    _warn_unused(fps, str(path))
    return VideoSource(path, options)


def _open_glob(pattern: str, fps: Fraction | None, options: Options | None) -> FrameSource:
    found = matching_glob(pattern)
    pictures = [path for path in found if is_picture(path)]
    if pictures:
        return ImageSource(pictures, name=pattern, fps=fps)
    if len(found) == 1:
        return _open_existing(found[0], fps, options)
    if found:
        raise CannotOpen(f"{pattern} matches {len(found)} files and no pictures; name one video at a time")
    raise CannotOpen(f"no file matches {pattern}")


def _warn_unused(fps: Fraction | None, name: str) -> None:
    if fps is not None:
        report(f"{name} has its own time stamps; the given rate, {fps} frames/s, is not used")


def _described(target: object) -> str:
    if isinstance(target, Sequence) and not isinstance(target, bytes):
        return f"a {type(target).__name__} that does not hold arrays only"
    return f"a {type(target).__name__}"
