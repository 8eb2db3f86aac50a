"""Try one file: describe it, read it, separate it; say what came of it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np

from bgsub.errors import BgsubError, BgsubWarning
from bgsub.frames.read.open import open_source
from formats.capture import captured

LIBJPEG = ("Corrupt JPEG data: ", "Premature end of JPEG file", "Inconsistent progression sequence")
"""How the lines begin that libjpeg, inside of OpenCV, prints of a damaged picture; nothing can be done about them."""


@dataclass(slots=True)
class Trial:
    """What came of a file.

    Attributes
    ----------
    frames
        How many were read.
    refused
        The line in which it was refused; empty where it was read.
    warned
        Warnings of the reader.
    faults
        Everything that users must never see.
    """

    frames: int = 0
    refused: str = ""
    warned: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def attempt(path: Path, out: Path | None) -> Trial:
    """Try the file; *out* is a folder for a separation, None for none."""
    trial = Trial()
    _info(path, trial)
    trial.refused = _read(path, trial)
    if out is not None:
        _separate(path, out, trial)
    return trial


def _info(path: Path, trial: Trial) -> None:
    _command(["info", str(path)], trial)


def _separate(path: Path, out: Path, trial: Trial) -> None:
    words = ["separate", str(path), "-o", str(out), "--outputs", "mask,plate", "--quiet", "--threads", "1"]
    _command(words, trial)


def _command(words: list[str], trial: Trial) -> None:
    """Run a command; note what is neither a result, nor a warning, nor a refusal in one line."""
    from bgsub.cli.main import run

    with captured() as texts, warnings.catch_warnings():
        only_ours()
        code = run(words)
    lines = texts[1].splitlines()
    refusal = "" if code == 0 or not lines else lines.pop()
    known = ("bgsub: warning: ", *LIBJPEG)
    trial.faults += [f"{words[0]}: {line}" for line in lines if not line.startswith(known)]
    if code not in (0, 1) or (code == 1) != refusal.startswith("bgsub: ") or "unexpected" in refusal:
        trial.faults.append(f"{words[0]} ends with {code}: {refusal}")


def only_ours() -> None:
    """Make an error of every warning that is not the project's own."""
    warnings.simplefilter("error")
    warnings.simplefilter("always", BgsubWarning)


def _read(path: Path, trial: Trial) -> str:
    with captured() as texts, warnings.catch_warnings(record=True) as caught:
        only_ours()
        try:
            _iterate(path, trial)
            refusal = ""
        except BgsubError as error:
            refusal = str(error)
        except Exception as error:
            refusal = f"{type(error).__name__}: {error}"
            trial.faults.append(f"reading: {refusal}")
    trial.warned = [str(each.message) for each in caught]
    trial.faults += [f"more than one line: {text!r}" for text in (*trial.warned, refusal) if "\n" in text]
    printed = [line for text in texts for line in text.splitlines()]
    trial.warned += [f"libjpeg: {line}" for line in printed if line.startswith(LIBJPEG)]
    trial.faults += [f"printed: {line}" for line in printed if not line.startswith(LIBJPEG)]
    return refusal


def _iterate(path: Path, trial: Trial) -> None:
    source = open_source(path)
    info, times = source.info, []
    shape = (info.height, info.width, 3)[: 3 if info.is_color else 2]
    for frame in source:
        if frame.image.shape != shape or frame.image.dtype != np.uint8:
            trial.faults.append(
                f"frame {frame.number}: {frame.image.shape}, {frame.image.dtype}; not {shape}"
            )
        times.append(frame.time)
    trial.frames = len(times)
    if not all(type(time) is Fraction for time in times):
        trial.faults.append("times that are no fractions")
    if not all(before < after for before, after in pairwise(times)):
        trial.faults.append("times that do not increase")
