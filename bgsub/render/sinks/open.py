"""All sinks, and the one place that chooses between them by the path's name.

::

    name.mp4                       VideoSink          H.264, for viewing         kind "video"
    name.mkv                       MaskSink           FFV1, exact                kind "mask"
    name.webm                      CutoutSink         VP9 with alpha             kind "cutout"
    name.png                       PictureSink        one PNG                    any kind
    name/, name, name/%06d.png     ImageSequenceSink  folder of numbered PNG     kinds "video", "mask", "cutout"
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from bgsub.base.publish import Publication
from bgsub.errors import OptionError
from bgsub.render.layer import Kind
from bgsub.render.sinks.clock import DEFAULT_TIME_BASE, time_base_for
from bgsub.render.sinks.cutout import CutoutSink
from bgsub.render.sinks.mask import MaskSink
from bgsub.render.sinks.memory import MemorySink
from bgsub.render.sinks.picture import ImageSequenceSink, PictureSink
from bgsub.render.sinks.sink import FileSink, Sink
from bgsub.render.sinks.video import Encoding, VideoSink

__all__ = [
    "DEFAULT_TIME_BASE",
    "CutoutSink",
    "Encoding",
    "FileSink",
    "ImageSequenceSink",
    "MaskSink",
    "MemorySink",
    "PictureSink",
    "Sink",
    "Timing",
    "VideoSink",
    "open_sink",
    "time_base_for",
]

_NUMBERED = re.compile(r"%0?(\d*)d\.png", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Timing:
    """What is known about the frame times in advance.

    Attributes
    ----------
    fps
        Nominal frame rate; None if unknown.
    time_base
        Seconds of which all times are multiples; None if unknown.
    """

    fps: Fraction | None = None
    time_base: Fraction | None = None


def open_sink(
    path: str | Path,
    kind: Kind,
    timing: Timing | None = None,
    encoding: Encoding | None = None,
    files: Publication | None = None,
) -> FileSink:
    """Return the sink for *path*; nothing is written before it is entered or written to.

    Parameters
    ----------
    path
        Its suffix decides the format; see the table above. A ``Path`` has no trailing slash, but a name
        without a suffix, or of an existing folder, also means a folder.
    kind
        ``"video"``, ``"mask"`` or ``"picture"``: a layer's ``kind``.
    timing
        What is known about the frame times in advance.
    encoding
        Codec and settings of a video for people, whose suffix must be the codec's.
    files
        Publishes it: see :class:`.FileSink`.

    Raises
    ------
    OptionError
        If the suffix is unknown or does not suit the kind.
    OutputError
        If the path cannot be used.
    """
    timing = timing or Timing()
    text = str(path)
    pattern = _NUMBERED.fullmatch(Path(path).name)
    suffix = Path(path).suffix.lower()
    if pattern:
        _refuse_picture(text, kind)
        return ImageSequenceSink(Path(path).parent, files, int(pattern[1] or 1))
    if text.endswith(("/", os.sep)) or not suffix or (suffix not in _SUFFIXES and Path(path).is_dir()):
        _refuse_picture(text, kind)
        return ImageSequenceSink(path, files)
    encoding = encoding or Encoding()
    if kind == "video" and suffix == encoding.known.suffix:
        return VideoSink(path, files, fps=timing.fps, time_base=timing.time_base, encoding=encoding)
    if suffix not in _SUFFIXES:
        raise OptionError(f"cannot tell the format of {text} from '{suffix}'; use {_advice(kind)}")
    if kind not in _SUFFIXES[suffix]:
        raise OptionError(f"cannot write a {kind} to {text}: {suffix} {_WHY[suffix]}; use {_advice(kind)}")
    if suffix == ".webm":
        return CutoutSink(path, files, fps=timing.fps, threads=encoding.threads)
    return PictureSink(path, files) if suffix == ".png" else MaskSink(path, files, fps=timing.fps)


_SUFFIXES: dict[str, tuple[Kind, ...]] = {
    ".mp4": (),
    ".mkv": ("mask",),
    ".webm": ("cutout",),
    ".png": ("video", "mask", "picture", "cutout"),
}
_WHY = {
    ".mp4": "is H.264, which does not keep pixels exact",
    ".mkv": "holds masks only",
    ".webm": "holds cut-outs only",
}


def _advice(kind: Kind) -> str:
    known = {
        "video": ".mp4 or a folder (name/)",
        "mask": ".mkv or a folder (name/), both exact",
        "picture": ".png",
        "cutout": ".webm or a folder (name/)",
    }
    return known[kind]


def _refuse_picture(path: str, kind: Kind) -> None:
    if kind == "picture":
        raise OptionError(f"cannot write one picture to the folder {path}; use .png")
