"""A background model in a file: NPZ, readable with NumPy alone, no pickles."""

from __future__ import annotations

import json
import struct
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.lib.npyio import NpzFile

from bgsub.background.data import Background
from bgsub.background.fit_report import FitReport
from bgsub.background.store.members import check_sizes
from bgsub.background.store.values import check_values
from bgsub.base.publish import Publication
from bgsub.base.write_errors import writing
from bgsub.errors import BgsubError, CannotOpen, InputError, OutputError
from bgsub.frames.grid import Grid
from bgsub.frames.read.limits import MOST_PIXELS, check_pixels

SCHEMA = 6
META = "meta"
GRID = ("width", "height", "color", "scale", "roi", "exclude")
OPTIONS = ("stabilise", "threshold", "sensitivity", "shadows", "min_area", "seed")
ARRAYS = ("offset", "components", "typical", "ordinary", "shade")
REFERENCE = "reference"
B = TypeVar("B", bound=Background)
FOREIGN = (
    *(BgsubError, KeyError, ValueError, TypeError, AttributeError, EOFError),
    *(tokenize.TokenError, SyntaxError, struct.error, RecursionError),
    *(zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OverflowError, MemoryError),
)
"""What reading a file that is none of ours, or is damaged, may raise on its way through NumPy, ZIP and JSON."""


def save_background(model: Background, path: Path) -> None:
    """Write *model* to *path* (beside it first, renamed when complete).

    Raises
    ------
    OutputError
        When the file cannot be written; nothing is left behind.
    """
    if not path.name:
        raise OutputError(f"cannot write the model {path}: it is a folder; add a file name")
    with Publication() as files:
        files.make(path)
        add_background(model, path, files)
        files.publish()


def add_background(model: Background, path: Path, files: Publication) -> None:
    """Write *model* where *files* keep *path* until they are published.

    Raises
    ------
    OutputError
        When it cannot be written.
    """
    meta = {
        "schema": SCHEMA,
        "grid": {name: getattr(model.grid, name) for name in GRID},
        "outlier": model.outlier,
        "level": model.level,
        **{name: getattr(model, name) for name in OPTIONS},
        "report": model.report.to_dict(),
    }
    arrays = {name: getattr(model, name) for name in ARRAYS}
    if model.reference is not None:
        arrays[REFERENCE] = model.reference
    with writing(path), files.place(path).open("wb") as file:
        np.savez_compressed(file, meta=np.array(json.dumps(meta)), **arrays)


def load_background(path: Path, kind: type[B]) -> B:
    """Read a model, as a background of this *kind*.

    Raises
    ------
    CannotOpen
        When there is no such file, or it is not a model of this version, or it holds what no fit leaves.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise CannotOpen(f"cannot read the model {path}: it is a device or a pipe")
    try:
        # NumPy leaves a file open that it has opened itself and cannot read.
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            meta = json.loads(str(_taken(file, [META])[META]))
            if meta["schema"] != SCHEMA:
                raise CannotOpen(
                    f"{path} is a model of format {meta['schema']}, but this version reads {SCHEMA}: fit it again"
                )
            check_values(meta)
            reference = REFERENCE in file or meta["stabilise"] != "off"
            return _restore(kind, meta, _taken(file, [*ARRAYS, *([REFERENCE] if reference else [])]))
    except CannotOpen:
        raise
    except OSError as error:
        raise CannotOpen(f"cannot read the model {path}: {error.strerror or 'it is damaged'}") from None
    except FOREIGN as error:
        raise CannotOpen(_refusal(path, error)) from None


def _taken(file: NpzFile, names: list[str]) -> dict[str, Any]:
    """Return arrays of a file; InputError when some are missing, ValueError when the file is none of ours."""
    if not {META, *ARRAYS} & set(file):
        raise ValueError
    if missing := [name for name in names if name not in file]:
        arrays, are = ("arrays", "are") if len(missing) > 1 else ("array", "is")
        raise InputError(f"its {arrays} {', '.join(missing)} {are} missing")
    assert file.zip is not None
    check_sizes(file.zip, names)
    # The passes are compiled for arrays that lie row by row.
    return {name: np.asarray(file[name], order="C") for name in names}


def _refusal(path: Path, error: Exception) -> str:
    if not isinstance(error, (KeyError, BgsubError)):
        return (
            f"{path} is not a background model written by bgsub: another kind of file, or a damaged one; "
            "give one that BackgroundModel.save wrote"
        )
    what = f"{error} is missing in its array {META}" if isinstance(error, KeyError) else str(error)
    return f"{path} is no whole background model of bgsub: {' '.join(what.split())}; fit it again and save it"


def _restore(kind: type[B], meta: dict[str, Any], arrays: dict[str, Any]) -> B:
    chosen = {name: meta[name] for name in OPTIONS}
    model = kind(
        grid=_grid(meta["grid"]),
        outlier=float(meta["outlier"]),
        report=FitReport.from_dict(meta["report"]),
        reference=arrays.get(REFERENCE),
        level=float(meta["level"]),
        **{name: arrays[name] for name in ARRAYS},
        **chosen,
    )
    _check_report(model)
    return model


def _check_report(model: Background) -> None:
    """Check that the report is the model's own."""
    report = model.report
    if model.rank != report.rank:
        raise InputError(f"rank in its report is {report.rank}, but it has components for {model.rank}")
    if model.outlier != report.outlier:
        raise InputError(f"outlier in its report is {report.outlier:g}, but its own is {model.outlier:g}")
    if not 0 < report.columns <= report.frames:
        raise InputError(f"columns in its report are {report.columns}, of {report.frames} frames")


def _grid(values: dict[str, Any]) -> Grid:
    check_pixels("its grid", values["width"], values["height"], MOST_PIXELS)
    try:
        return Grid(**values)
    except BgsubError:
        raise
    except (ValueError, TypeError) as error:
        raise InputError(f"an area of its grid, roi or exclude, cannot be read: {error}") from None
