"""The sequences of a data set in CDnet's layout: ``category/sequence/{input,groundtruth,temporalROI.txt,ROI.bmp}``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bgsub.base.warn import report
from bgsub.errors import CannotOpen, InputError
from bgsub.evaluation.truth import to_gray
from bgsub.frames.read.images import read_image
from bgsub.frames.read.listing import natural_sort

DEPTH = 3
"""Folders between the one that is named and a sequence, at most: data sets are also unpacked as dataset/category/…"""
PARTS = ("input", "groundtruth")
"""Folders of a sequence; one of them tells it."""
LAYOUT = "category/sequence/input with the frames and category/sequence/groundtruth with gt000001.png …"
REGIONS = ("ROI.bmp", "ROI.png", "ROI.jpg")
"""Pictures of the region that is scored, the first that fits being used."""
BLACK, WHITE = 64, 192
"""A lossy picture is taken for a region only if nearly all of it is darker or brighter than these."""
UNDECIDED = 0.05
"""Share of a picture that may lie between."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """A folder with ``input`` and ``groundtruth``; what is wrong with it shows when it is read."""

    category: str
    name: str
    folder: Path

    @property
    def label(self) -> str:
        """``category/name``."""
        return f"{self.category}/{self.name}"


def find_sequences(dataset: str | Path) -> list[Sequence]:
    """Return the sequences of a tree, of one category, or the one that *dataset* itself is.

    A folder with ``input`` or ``groundtruth`` is a sequence; the folder above is its category. Hidden folders are not
    looked into.

    Raises
    ------
    CannotOpen
        There is no such folder, it may not be read, or there is no sequence in it.
    InputError
        Two sequences have one name and one category.

    Warns
    -----
    BgsubWarning
        For each folder beside sequences, or beside folders with sequences, that holds none.
    """
    place = Path(dataset)
    if not place.is_dir():
        reason = "it is a file" if place.exists() else "there is no such folder"
        raise CannotOpen(f"cannot read the data set {dataset}: {reason}; expected a folder with {LAYOUT}")
    without: list[Path] = []
    try:
        folders = _sequences(place.resolve(), DEPTH, without)
    except OSError as error:
        raise CannotOpen(f"cannot read {error.filename}: {(error.strerror or str(error)).lower()}") from None
    if not folders:
        raise CannotOpen(f"no sequence in {dataset}; expected {LAYOUT}")
    for folder in without:
        report(f"{folder} is left out: no sequence in it, that is, no folder with {' and '.join(PARTS)}")
    found: dict[str, Sequence] = {}
    for folder in folders:
        sequence = Sequence(folder.parent.name, folder.name, folder)
        if other := found.get(sequence.label):
            raise InputError(
                f"{other.folder} and {folder} are both called {sequence.label}; compare on one of the trees at a time"
            )
        found[sequence.label] = sequence
    return list(found.values())


def _sequences(folder: Path, depth: int, without: list[Path]) -> list[Path]:
    """Return the sequences in *folder*; the outermost folders that hold none, but for hidden ones, join *without*."""
    if any((folder / part).is_dir() for part in PARTS):
        return [folder]
    found: list[Path] = []
    empty: list[Path] = []
    for inner in natural_sort(path for path in folder.iterdir() if path.is_dir()) if depth else ():
        if not inner.name.startswith("."):
            found += _sequences(inner, depth - 1, empty)
    without += empty if found else [folder]
    return found


def scored_region(folder: Path, width: int, height: int) -> NDArray[np.bool_] | None:
    """Return ``(height, width)`` true where a sequence is scored; None for everywhere.

    From the first of ROI.bmp, ROI.png, ROI.jpg that has the size of the frames and is black and white: CDnet has
    ROI.jpg that are photographs, and ROI.bmp of another size. Levels from 128 on are inside.

    Warns
    -----
    BgsubWarning
        There are pictures, and none of them fits: everything is scored.
    """
    names = {path.name.lower(): path for path in folder.iterdir() if path.is_file()}
    refused = []
    for path in (names[name.lower()] for name in REGIONS if name.lower() in names):
        levels, fault = _thresholds(path, width, height)
        if levels is not None:
            inside = levels >= 128
            return None if inside.all() else np.asarray(inside)
        refused.append(f"{path.name} {fault}")
    if refused:
        report(
            f"{folder}: the whole picture is scored, since {' and '.join(refused)}; give a picture of the frames' size "
            "that is white where masks are scored, or none"
        )
    return None


def _thresholds(path: Path, width: int, height: int) -> tuple[NDArray[np.uint8] | None, str]:
    """Return the grey levels of a picture of a region, or None and what is wrong with it."""
    try:
        levels = to_gray(read_image(path))
    except InputError as error:
        return None, f"is no picture ({error})"
    if levels.max() == 1:  # stored as 0 and 1
        levels = levels * np.uint8(255)
    if levels.shape != (height, width):
        return None, f"is {levels.shape[1]}×{levels.shape[0]} and the frames are {width}×{height}"
    if np.mean((levels > BLACK) & (levels < WHITE)) > UNDECIDED:
        return None, "is not black and white"
    if levels.max() < 128:
        return None, "is black everywhere"
    return levels, ""
