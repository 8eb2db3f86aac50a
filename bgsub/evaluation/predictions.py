"""Reading the masks to be scored, each with its frame number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.base.plural import count_of
from bgsub.errors import InputError
from bgsub.evaluation.truth import to_gray
from bgsub.frames.colour import is_gray
from bgsub.frames.region import decode_mask

NumberedMask = tuple[int, NDArray[np.uint8]]
Region = tuple[int, int, int, int]

TINT = 32
"""Maximum difference between a mask's channels, in grey levels: more than a lossy codec adds to black and white."""


def read_masks(masks: str | Path) -> Iterator[NumberedMask]:
    """Yield ``(number, mask)`` with masks ``(height, width)`` uint8, in the order of the footage.

    Parameters
    ----------
    masks
        A mask video, a folder of mask images, a printf or glob pattern, or the output folder of a run (its ``mask.mkv``
        or ``mask-png`` is read). Images are numbered by the digits at the end of their names, frames of a video by
        ``frames.numbers`` in the ``run.json`` beside it, if present, otherwise from 1.

    Raises
    ------
    InputError
        The masks cannot be read or are colour images, the numbers do not increase, or ``run.json`` lists more or fewer
        frames than the video has.
    """
    from bgsub.frames.read.open import open_source

    target = _masks_of_run(Path(masks))
    source = open_source(str(target))
    numbers = recorded_numbers(target.parent / "run.json") if source.info.kind == "video" else None
    previous = None
    used = 0
    for frame in source:
        number = frame.number if numbers is None else _pick(numbers, used, target)
        if previous is not None and number <= previous:
            raise InputError(
                f"{target}: mask {number} comes after mask {previous}; frame numbers must increase"
            )
        if not is_gray(frame.image, TINT):
            raise InputError(
                f"{target}: mask {number} shows colours; give masks in black and white, 255 where the foreground is"
            )
        yield number, to_gray(frame.image)
        previous = number
        used += 1
    if numbers is not None and used != len(numbers):
        raise InputError(_mismatch(target, f"only {count_of(used, 'frame')}", len(numbers)))


def _masks_of_run(target: Path) -> Path:
    """Return the masks in the output folder of a run; any other *target* unchanged."""
    listed = _outputs_of(target / "run.json")
    for name, file in (("mask", "mask.mkv"), ("mask-png", "mask-png")):
        # Masks not listed in the report are an earlier run's.
        if (target / file).exists() and (listed is None or name in listed):
            return target / file
    if listed is not None:
        # Its images, above all background.png, are not masks.
        raise InputError(
            f"{target} holds the results of a run without masks; run it again with --outputs mask"
        )
    return target


def _outputs_of(run_file: Path) -> list[str] | None:
    """Return the names of the outputs listed in a run report, or None without a report."""
    report = _report(run_file)
    return list(report["outputs"]) if isinstance(report.get("outputs"), dict) else None


def recorded_region(masks: str | Path) -> Region | None:
    """Return x, y, width, height of the box that the run behind *masks* processed; None for the whole picture.

    Masks that do not come from a run (no ``run.json`` beside them) have none.
    """
    picture = _report(_run_file(masks)).get("picture")
    if not isinstance(picture, dict) or not isinstance(picture.get("region"), list):
        return None
    x, y, width, height = (int(value) for value in picture["region"])
    whole = (x, y, width, height) == (0, 0, picture.get("width"), picture.get("height"))
    return None if whole else (x, y, width, height)


def recorded_outline(masks: str | Path) -> NDArray[np.bool_] | None:
    """Return the ``(height, width)`` pixels that the run behind *masks* processed; None for all of its region.

    Raises
    ------
    InputError
        The report's entry is not a mask of the run's size.
    """
    run_file = _run_file(masks)
    picture = _report(run_file).get("picture")
    if not isinstance(picture, dict) or picture.get("inside") is None:
        return None
    try:
        outline = decode_mask(str(picture["inside"]))
    except ValueError:
        outline = np.zeros((0, 0), bool)
    if outline.shape != (picture.get("height"), picture.get("width")):
        raise InputError(f"{run_file}: picture.inside is no mask of the run's size; run the separation again")
    return outline


def recorded_numbers(run_file: Path) -> list[int] | None:
    """Return the frame numbers listed in a run report, or None if there is no report or no list.

    ``frames.numbers`` holds inclusive triples ``[first, last, step]`` in the order of the video's frames, for example
    ``[[701, 1200, 1]]``.

    Raises
    ------
    InputError
        The report is not JSON, or the list is not made of such triples.
    """
    frames = _report(run_file).get("frames")
    triples = frames.get("numbers") if isinstance(frames, dict) else None
    if triples is None:
        return None
    if not isinstance(triples, list) or not all(_is_triple(t) for t in triples):
        raise InputError(f"{run_file}: frames.numbers must be a list of [first, last, step]")
    return [n for first, last, step in triples for n in range(first, last + 1, step)]


def _run_file(masks: str | Path) -> Path:
    """Return the path of the report of the run behind *masks*, if there is one."""
    target = Path(masks)
    return (target if (target / "run.json").is_file() else target.parent) / "run.json"


def _report(run_file: Path) -> dict[str, Any]:
    """Return a run report; an empty one if there is none."""
    if not run_file.is_file():
        return {}
    try:
        report: Any = json.loads(run_file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{run_file}: not valid JSON ({error}); run the separation again") from error
    return report if isinstance(report, dict) else {}


def _is_triple(value: object) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(type(n) is int for n in value) and value[2] > 0


def _pick(numbers: list[int], position: int, target: Path) -> int:
    if position >= len(numbers):
        raise InputError(_mismatch(target, f"more than {count_of(position, 'frame')}", len(numbers)))
    return numbers[position]


def _mismatch(target: Path, found: str, listed: int) -> str:
    return (
        f"{target}: holds {found} but run.json beside it lists {listed}; "
        "the two are not from the same run: run the separation again"
    )
