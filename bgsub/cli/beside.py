"""Where results go if nobody says: beside the footage, under its name."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path, PurePath

from bgsub.errors import OutputError
from bgsub.frames.live.address import ADDRESS, CAMERA, INPUT, kind_of, shown
from bgsub.render.folder import REPORT

FOLDER = "_bgsub"
PICTURE = "_frame.png"
_WILD = re.compile(r"[*?%\[]")
_LIVE = {INPUT: "stdin"}


def beside(source: str, ending: str = FOLDER) -> Path:
    """Return the path of the results of *source* if nobody names one: that of *source* itself, with *ending*.

    Of a file or a folder: beside it, never within. Of a pattern: beside the folder that it is in, or in it under the
    words that the pattern begins with, where *ending* is that of a folder. Of a live input: in the current folder.

    Examples
    --------
    >>> str(beside("cam1.mp4")), str(beside("0"))
    ('cam1_bgsub', 'camera0_bgsub')
    """
    kind = kind_of(source)
    if kind is not None:
        return Path(f"{_live_name(source, kind)}{ending}")
    path = Path(source)
    if os.path.lexists(path) or not _WILD.search(source):
        path = path if path.name not in ("", "..") else Path(os.path.abspath(path))  # noqa: PTH100  links stay
        name = path.name if os.path.isdir(path) else path.stem  # noqa: PTH112  names may be too long
        return path.parent / f"{name or 'root'}{ending}"
    return _beside_pattern(path, ending)


def _beside_pattern(pattern: Path, ending: str) -> Path:
    parts = pattern.parts
    place = next(index for index, part in enumerate(parts) if _WILD.search(part))
    prefix = _WILD.split(parts[place])[0].rstrip("-_. ")
    folder = Path(*parts[:place])
    if prefix and ending == FOLDER:
        return folder / f"{prefix}{ending}"
    # A picture in the folder itself might match the pattern, and become a frame.
    return beside(str(folder), ending)


def _live_name(source: str, kind: str) -> str:
    if kind == CAMERA:
        return f"camera{int(source)}"
    return _LIVE.get(kind) or _last_part(source)


def _last_part(address: str) -> str:
    """Return the last word of an address that is neither its password nor its query."""
    place = shown(address).partition("://")[2].rpartition("@")[2]
    words = [word for word in re.split(r"[?#]", place)[0].split("/") if word]
    name = words[-1] if words else "address"
    name = PurePath(name).stem if len(words) > 1 else name.partition(":")[0]
    return re.sub(r"[^\w.-]+", "_", name).strip("._") or "address"


def refuse_other_footage(folder: Path, source: str) -> None:
    """Check that *folder*, which nobody has named, holds no results of other footage of the same name.

    Raises
    ------
    OutputError
        If it does: ``cam1.mp4`` and ``cam1.avi`` would both go to ``cam1_bgsub``.
    """
    try:
        there = str(json.loads((folder / REPORT).read_text(encoding="utf-8"))["input"]["name"])
    except (OSError, ValueError, TypeError, KeyError):
        return
    kind = kind_of(source)
    same = there == shown(source) if kind == ADDRESS else PurePath(there).name == PurePath(source).name
    if not same and kind not in (CAMERA, INPUT):
        raise OutputError(f"{folder} holds the results of {there}; give another folder with -o")
