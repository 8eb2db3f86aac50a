"""The sequences of a data set in CDnet layout: ``category/sequence/{input,groundtruth,temporalROI.txt,ROI.bmp}``."""

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
"""Maximum depth of a sequence below the folder given: data sets are also unpacked as dataset/category/…"""
PARTS = ("input", "groundtruth")
"""Folders of a sequence; either one identifies it."""
LAYOUT = "category/sequence/input with the frames and category/sequence/groundtruth with gt000001.png …"
REGIONS = ("ROI.bmp", "ROI.png", "ROI.jpg")
"""Images of the scored region, in order of preference; the first valid one is used."""
BLACK, WHITE = 64, 192
"""A lossy image is accepted as a region only if nearly all of it is darker or brighter than these."""
UNDECIDED = 0.05
"""Maximum fraction of pixels in between."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """A folder with ``input`` and ``groundtruth``; problems with it surface when it is read."""

    category: str
    name: str
    folder: Path

    @property
    def label(self) -> str:
        """``category/name``."""
        return f"{self.category}/{self.name}"


def find_sequences(dataset: str | Path) -> list[Sequence]:
    """Return the sequences of a tree or of one category, or *dataset* itself if it is a sequence.

    A folder with ``input`` or ``groundtruth`` is a sequence; its parent folder is the category. Hidden folders are
    skipped.

    Raises
    ------
    CannotOpen
        The folder does not exist, cannot be read, or contains no sequence.
    InputError
        Two sequences have the same name and category.

    Warns
    -----
    BgsubWarning
        For each folder without sequences beside folders that are or contain sequences.
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
    """Return the sequences in *folder*; add the outermost folders without any, except hidden ones, to *without*."""
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
    """Return ``(height, width)``, True where a sequence is scored; None for everywhere.

    Taken from the first of ROI.bmp, ROI.png, ROI.jpg that has the size of the frames and is black and white: in CDnet
    some ROI.jpg are photographs, and some ROI.bmp have another size. Levels from 128 up are inside.

    Warns
    -----
    BgsubWarning
        There are images but none is valid: everything is scored.
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
    """Return the grey levels of a region image, or None and what is wrong with it."""
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
