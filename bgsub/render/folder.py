"""The folder a run writes into: made when needed, removed when the run fails, other files left alone."""

from __future__ import annotations

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
            reason = "it is a file" if folder.is_file() else error.strerror
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
    for name in names:
        path = folder / name
        if not path.exists():
            continue
        with suppress(OSError):
            if path.samefile(source):
                raise OutputError(f"{path} is the input itself; choose another folder with -o")
        if not (folder / REPORT).exists():
            raise OutputError(
                f"{path} exists and there is no {REPORT} beside it, so it is not from an earlier run; "
                f"move it away or choose another folder with -o"
            )


def _missing(folder: Path) -> list[Path]:
    """Return *folder* and its parents as far as they do not exist, innermost first."""
    chain = [folder, *folder.parents]
    with suppress(OSError):
        return [path for path in chain if not path.exists()]
    return []
