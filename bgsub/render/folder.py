"""The folder a run writes into: made when needed, removed when the run fails, other files left alone."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bgsub.errors import OutputError

REPORT = "run.json"


@contextmanager
def output_folder(folder: Path) -> Iterator[Path]:
    """Make *folder* ready to be written to; when the block raises, folders made here are removed if empty.

    Raises
    ------
    OutputError
        When it is a file, cannot be made, or cannot be written to.
    """
    made = _missing(folder)
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            reason = "it is a file" if isinstance(error, FileExistsError) else error.strerror
            raise OutputError(
                f"cannot write into the folder {folder}: {reason}; choose another with -o"
            ) from None
        yield folder
    except BaseException:
        for path in made:
            with suppress(OSError):
                path.rmdir()
        raise


def refuse_to_overwrite(folder: Path, names: Iterable[str], source: str) -> None:
    """Check that no output would replace the input, or a file that no run has written.

    Raises
    ------
    OutputError
        Naming the file that is in the way.
    """
    for name in (*names, REPORT):
        path = folder / name
        if not path.exists():
            continue
        if _is_within(Path(source), path):
            raise OutputError(f"{path} is the input itself; choose another folder with -o")
        if not _has_report(folder):
            raise OutputError(
                f"{path} exists and is not from an earlier run of bgsub; move it away or choose another folder with -o"
            )


def _is_within(source: Path, path: Path) -> bool:
    """Tell whether *source* (a file, a folder, or the pattern of files in one) is *path* or lies in it."""
    for part in (source, *source.parents):
        with suppress(OSError):
            if path.samefile(part):
                return True
    return False


def _has_report(folder: Path) -> bool:
    """Tell whether a run of this program has written into *folder*."""
    try:
        report = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    program = report.get("program") if isinstance(report, dict) else None
    return isinstance(program, dict) and program.get("name") == "bgsub"


def _missing(folder: Path) -> list[Path]:
    """Return *folder* and its parents as far as they do not exist, innermost first."""
    chain = [folder, *folder.parents]
    with suppress(OSError):
        return [path for path in chain if not path.exists()]
    return []
