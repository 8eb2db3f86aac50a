"""The output folder of a run: created if needed, removed if the run fails; other files are left alone."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path

from bgsub.base.cleanup import begun, over
from bgsub.base.publish import refuse_to_replace
from bgsub.base.write_errors import writing
from bgsub.errors import OutputError
from bgsub.frames.source import VideoInfo

REPORT = "run.json"


@contextmanager
def output_folder(folder: Path) -> Iterator[Path]:
    """Prepare *folder* for writing; if the block raises, folders created here are removed if empty.

    Raises
    ------
    OutputError
        If it is a file, or cannot be created or written to.
    """
    made, this = _missing(folder), object()
    begun(this, lambda: _remove_empty(made))
    try:
        with _refusing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            _try_to_write(folder)
        yield folder
    except BaseException:
        _remove_empty(made)
        # Whatever is left in them may be about to be removed.
        if not any(map(os.path.lexists, made)):
            over(this)
        raise
    over(this)


def check_folder(folder: Path) -> None:
    """Raise what :func:`output_folder` would raise, as far as can be told without creating a folder.

    Raises
    ------
    OutputError
        If it is a file, has an invalid name, or the existing part of its path cannot be written to.
    """
    chain = [folder, *folder.parents]
    # Not Path.exists, which raises for names that are too long.
    missing = list(takewhile(lambda path: not os.path.lexists(path), chain))
    place = chain[min(len(missing), len(chain) - 1)]
    with _refusing(folder):
        for path in missing:
            with suppress(FileNotFoundError):
                (place / path.name).lstat()
        if not missing and not place.is_dir():
            raise FileExistsError
        _try_to_write(place)


@contextmanager
def _refusing(folder: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        # ValueError means a null byte; its message differs between versions of Python.
        reason = getattr(error, "strerror", None) or "its name holds a null byte"
        if isinstance(error, FileExistsError):
            reason = "it is a link to what is not there" if folder.is_symlink() else "it is a file"
        raise OutputError(
            f"cannot write into the folder {folder}: {reason}; choose another with -o"
        ) from None


def _try_to_write(folder: Path) -> None:
    with tempfile.TemporaryFile(dir=folder):
        pass


def refuse_to_overwrite(
    folder: Path, names: Iterable[str], source: str, given: str | None = None, known: Container[str] = ()
) -> None:
    """Check that no output would replace the input, a *given* background, or anything that no run has written.

    Not even within a folder of images, whose files may have *known* names beside numbers.

    Raises
    ------
    OutputError
        Naming the file that is in the way.
    """
    earlier = earlier_outputs(folder)
    for name in (*names, REPORT):
        path = folder / name
        if not path.exists():
            continue
        if _is_within(Path(source), path):
            raise OutputError(f"{path} is the input itself; choose another folder with -o")
        if given is not None and _is_within(Path(given), path):
            raise OutputError(f"{path} is the given background itself; choose another folder with -o")
        if name not in earlier:
            raise OutputError(
                f"{path} exists and is not from an earlier run of bgsub; move it away or choose another folder with -o"
            )
        with writing(path):
            refuse_to_replace(path, path, is_folder=name.endswith("/"), known=known)


def refuse_to_mix(folder: Path, info: VideoInfo) -> None:
    """Check that images are not read from *folder*: a second run would take the first one's output for frames.

    Raises
    ------
    OutputError
        If the source is a folder of images, or a pattern in it, and that folder is *folder*.
    """
    source = Path(info.name)
    if source.is_file():
        return  # a stack is named, and no file that is written beside it is read
    place = source if source.is_dir() else source.parent
    if info.kind == "images" and place.is_dir() and folder.is_dir() and place.samefile(folder):
        raise OutputError(
            f"the pictures are read from {folder}; choose another folder for the results with -o"
        )


def _is_within(source: Path, path: Path) -> bool:
    """Return whether *source* (a file, a folder, or a pattern of files in one) is *path* or lies in it."""
    for part in (source, *source.parents):
        with suppress(OSError):
            if path.samefile(part):
                return True
    return False


def earlier_outputs(folder: Path) -> set[str]:
    """Return the names of the files that earlier runs have left in *folder*, including the report.

    A report lists the outputs of its own run, and those of earlier runs that it has not replaced.
    """
    try:
        report = json.loads((folder / REPORT).read_text(encoding="utf-8"))
        if report["program"]["name"] != "bgsub":
            return set()
        listed = {*report["outputs"].values(), *report.get("earlier_outputs", [])}
        return {REPORT, *(name for name in listed if name and Path(name).name == name.removesuffix("/"))}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return set()


def _remove_empty(folders: list[Path]) -> None:
    for path in folders:
        with suppress(OSError, ValueError):
            path.rmdir()


def _missing(folder: Path) -> list[Path]:
    """Return *folder* and those of its parents that do not exist, innermost first."""
    chain = [folder, *folder.parents]
    with suppress(OSError):
        return [path for path in chain if not path.exists()]
    return []
