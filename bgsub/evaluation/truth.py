"""Reading ground truth: a CDnet folder, a folder of label images, or a lossless label video."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.base.plural import span
from bgsub.errors import CannotOpen, InputError
from bgsub.evaluation.counts import LABELS
from bgsub.frames.read.images import read_image
from bgsub.frames.read.listing import is_picture
from bgsub.frames.source import Image

_IS_LABEL = np.zeros(256, bool)
_IS_LABEL[sorted(LABELS)] = True


@dataclass(frozen=True, slots=True)
class TruthFrame:
    """The ground truth of one frame, read only when :meth:`labels` is called.

    Attributes
    ----------
    number
        The frame's number in the sequence.
    name
        Source of the labels, for messages.
    """

    number: int
    name: str
    picture: Path | Image

    def labels(self) -> NDArray[np.uint8]:
        """Return the ``(height, width)`` uint8 labels.

        Raises
        ------
        CannotDecode
            The file is not an image.
        InputError
            A grey level is not a CDnet label (0, 50, 85, 170, 255): a lossy codec, or another kind of truth.
        """
        labels = _read(self.picture) if isinstance(self.picture, Path) else to_gray(self.picture)
        known = _IS_LABEL[labels]
        if not known.all():
            raise InputError(
                f"{self.name}: grey level {int(labels[~known][0])} is not a CDnet label "
                f"({', '.join(map(str, sorted(LABELS)))}); ground truth must be stored without loss"
            )
        return labels


def read_truth(groundtruth: str | Path) -> Iterator[TruthFrame]:
    """Yield the ground truth of a sequence in increasing frame number.

    Parameters
    ----------
    groundtruth
        A folder of images ``gt000001.png`` … (or any other prefix, if no file is called ``gt*``), numbered by the
        digits at the end of their names; a CDnet sequence folder containing such a folder as ``groundtruth/``; or a
        lossless label video (FFV1 gray), numbered from 1. A CDnet ``temporalROI.txt`` (first and last number to be
        scored) is respected.

    Raises
    ------
    CannotOpen
        There is no such folder or file, or no numbered image in it.
    InputError
        Two images have the same number, or ``temporalROI.txt`` is not two numbers or leaves nothing to be scored.
    """
    path = Path(groundtruth)
    if path.is_dir():
        return _read_folder(path)
    if path.is_file():
        return _read_video(path)
    raise CannotOpen(f"{path}: there is no such ground truth; give a folder of gt*.png or a label video")


def within(groundtruth: str | Path) -> str:
    """Return words saying that ``temporalROI.txt`` limits a ground truth, to precede its numbers; empty without one."""
    path = Path(groundtruth)
    folder = path / "groundtruth" if (path / "groundtruth").is_dir() else path
    return " within temporalROI.txt" if _limits(folder) else ""


def to_gray(image: Image) -> NDArray[np.uint8]:
    """Return the grey levels of an image, ``(height, width)``; equal channels keep their value exactly."""
    if image.ndim == 2:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), np.uint8)


def _read_folder(path: Path) -> Iterator[TruthFrame]:
    folder = path / "groundtruth" if (path / "groundtruth").is_dir() else path
    pictures = [p for p in folder.iterdir() if is_picture(p) and _number(p) is not None]
    pictures = [p for p in pictures if p.name.startswith("gt")] or pictures
    if not pictures:
        raise CannotOpen(f"{folder}: no numbered ground-truth picture (gt000001.png …) in this folder")
    by_number: dict[int, Path] = {}
    for picture in sorted(pictures):
        number = _number(picture)
        assert number is not None
        if number in by_number:
            raise InputError(
                f"{folder}: {by_number[number].name} and {picture.name} are both frame {number}; keep one"
            )
        by_number[number] = picture
    first, last = _temporal_roi(folder)
    numbers = [n for n in sorted(by_number) if first <= n <= last]
    if not numbers:
        raise InputError(_outside(folder, sorted(by_number)))
    return (TruthFrame(n, str(by_number[n]), by_number[n]) for n in numbers)


def _read_video(path: Path) -> Iterator[TruthFrame]:
    from bgsub.frames.read.open import open_source

    for frame in open_source(str(path)):
        yield TruthFrame(frame.number, f"{path}, frame {frame.number}", frame.image)


def _limits(folder: Path) -> Path | None:
    """Return the file that says which numbers are to be scored, if there is one."""
    file = folder.parent / "temporalROI.txt"
    return file if folder.name == "groundtruth" and file.is_file() else None


def _temporal_roi(folder: Path) -> tuple[float, float]:
    file = _limits(folder)
    if file is None:
        return 0, float("inf")
    words = file.read_text(encoding="utf-8-sig", errors="replace").split()
    if len(words) != 2 or not all(word.isdecimal() for word in words):
        raise InputError(f"{file}: expected two frame numbers, the first and the last to be scored")
    return int(words[0]), int(words[1])


def _outside(folder: Path, numbers: list[int]) -> str:
    """Say that none of *numbers* is to be scored."""
    first, last = _temporal_roi(folder)
    return (
        f"{folder}: no ground truth to be scored: it has the numbers {span(numbers[0], numbers[-1])}, and "
        f"{_limits(folder)} wants {first} to {last}; correct that file"
    )


def _number(path: Path) -> int | None:
    digits = re.search(r"(\d+)$", path.stem)
    return int(digits.group(1)) if digits else None


def _read(path: Path) -> NDArray[np.uint8]:
    return to_gray(read_image(path))
