"""The image files that a folder, wildcard or numbered pattern stands for, their order and their numbers."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from bgsub.base.plural import count_of
from bgsub.errors import CannotOpen

PICTURE_SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp"})
"""Suffixes of image files, compared in lower case."""

VIDEO_SUFFIXES = frozenset(
    {".3gp", ".apng", ".asf", ".avi", ".dav", ".flv", ".gif", ".h264", ".h265", ".hevc", ".m2ts", ".m4v", ".mjpeg",
     ".mjpg", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg", ".mts", ".mxf", ".ogv", ".ts", ".vob", ".webm", ".wmv"}
)  # fmt: skip
"""Suffixes of files with many frames, for messages only: what a file holds is told by its content."""

_DIGITS = re.compile(r"([0-9]+)")
_PRINTF = re.compile(r"%0?([0-9]{0,2})d")


def is_picture(path: Path) -> bool:
    """Return whether the name is that of an image file, and not hidden."""
    return path.suffix.lower() in PICTURE_SUFFIXES and not path.name.startswith(".")


def natural_sort(paths: Iterable[Path]) -> list[Path]:
    """Sort paths in natural order, ignoring case: ``img2`` before ``img10``."""
    return sorted(paths, key=_natural_key)


def _natural_key(path: Path) -> tuple[list[tuple[int, str]], list[tuple[int, str]], str]:
    return _pieces(str(path.parent)), _pieces(path.stem), str(path)


def _pieces(text: str) -> list[tuple[int, str]]:
    # Text and digits alternate, text first, so numbers are only ever compared with numbers.
    parts = _DIGITS.split(text.lower())
    return [(int(part), "") if place % 2 else (0, part) for place, part in enumerate(parts)]


def numbers_of(paths: Iterable[Path]) -> list[int]:
    """Return the last number in each file name if these strictly increase, else count from 1."""
    found: list[int] = []
    for path in paths:
        digits = _DIGITS.findall(path.stem)
        found.append(int(digits[-1]) if digits else -1)
    grows = all(before < after for before, after in pairwise(found))
    return found if grows and found and found[0] >= 0 else list(range(1, len(found) + 1))


def in_folder(folder: Path) -> list[Path]:
    """Return the images of a folder, in natural order.

    For a CDnet sequence (a folder with ``input`` and ``groundtruth``), these are the images of ``input``.

    Raises
    ------
    CannotOpen
        It holds no image, or cannot be read.
    """
    if (folder / "input").is_dir() and (folder / "groundtruth").is_dir():
        folder = folder / "input"
    try:
        found = natural_sort(path for path in folder.iterdir() if is_picture(path) and path.is_file())
    except OSError as error:
        raise CannotOpen(f"cannot read {folder}: {(error.strerror or str(error)).lower()}") from None
    if not found:
        raise CannotOpen(f"no pictures in the folder {folder}{_instead(folder)}")
    return found


def _instead(folder: Path) -> str:
    """Return what to do with a folder without pictures: its videos are named one at a time."""
    videos = natural_sort(
        path for path in folder.iterdir() if path.suffix.lower() in VIDEO_SUFFIXES and path.is_file()
    )
    if len(videos) == 1:
        return f", but one video; name it: {videos[0]}"
    if videos:
        return f", but {count_of(len(videos), 'video')}; name one at a time, such as {videos[0]}"
    kinds = ", ".join(sorted(suffix[1:] for suffix in PICTURE_SUFFIXES))
    return f" (looked for {kinds})"


def is_glob(text: str) -> bool:
    """Return whether *text* contains a wildcard: ``*``, ``?`` or ``[…]``."""
    return glob.has_magic(text)


def matching_glob(pattern: str) -> list[Path]:
    """Return the files that match a wildcard (``**`` recurses into folders), in natural order."""
    names = glob.glob(pattern, recursive=True)  # noqa: PTH207  Path.glob refuses absolute patterns
    return natural_sort(path for name in names if (path := Path(name)).is_file())


def is_printf(text: str) -> bool:
    """Return whether the file name in *text* contains a number format such as ``%d`` or ``%04d``."""
    return _PRINTF.search(Path(text).name) is not None


def matching_printf(pattern: str) -> tuple[list[Path], list[int]]:
    """Return the files that match a numbered pattern, by increasing number, and their numbers.

    ``%d`` matches any number, ``%04d`` one of at least four digits; ``%%`` is a percent sign. Numbers may
    start anywhere and have gaps. If two names have the same number (``7``, ``07``), the first in natural
    order is taken.

    Raises
    ------
    CannotOpen
        The name does not contain exactly one number format, or no file matches.
    """
    path = Path(pattern)
    if len(_PRINTF.findall(path.name.replace("%%", ""))) != 1:
        raise CannotOpen(
            f"cannot read the pattern {pattern}: it needs exactly one number format such as %04d"
        )
    before, width, after = _PRINTF.split(path.name.replace("%%", "\0"))
    digits = f"([0-9]{{{max(1, int(width or 1))},}})"
    name = re.compile(_literal(before) + digits + _literal(after))
    found: dict[int, Path] = {}
    if path.parent.is_dir():
        for candidate in natural_sort(path.parent.iterdir()):
            if (match := name.fullmatch(candidate.name)) and candidate.is_file():
                found.setdefault(int(match[1]), candidate)
    if not found:
        raise CannotOpen(f"no file matches the numbered pattern {pattern}")
    numbers = sorted(found)
    return [found[number] for number in numbers], numbers


def _literal(text: str) -> str:
    return re.escape(text.replace("\0", "%"))
