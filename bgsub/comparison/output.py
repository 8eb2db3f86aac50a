"""The output files of a comparison, which appear together or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bgsub.base.publish import Publication
from bgsub.comparison.dataset import Sequence
from bgsub.errors import OutputError
from bgsub.render.folder import output_folder

JSON, MARKDOWN, CURVE_PICTURE, CURVE_JSON, ERRORS = (
    "benchmark.json",
    "benchmark.md",
    "curve.png",
    "curve.json",
    "errors",
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where results go: two files, and a folder for everything; None for what is not wanted."""

    json: Path | None = None
    markdown: Path | None = None
    folder: Path | None = None
    curve: bool = False

    def reports(self, name: str) -> list[Path]:
        """Return the paths for a report (JSON or MARKDOWN)."""
        given = self.json if name == JSON else self.markdown
        inside = [] if self.folder is None else [self.folder / name]
        return ([] if given is None else [given]) + inside

    def curves(self) -> list[Path]:
        """Return the paths of the curve's image and data, if wanted."""
        if self.folder is None or not self.curve:
            return []
        return [self.folder / CURVE_PICTURE, self.folder / CURVE_JSON]

    def pictures(self, sequences: Iterable[Sequence]) -> dict[str, Path]:
        """Return the path of each sequence's error picture by its label, if wanted."""
        found: dict[str, Path] = {}
        if self.folder is None:
            return found
        for sequence in sequences:
            name = stem = f"{sequence.category}_{sequence.name}"
            taken = {path.stem.lower() for path in found.values()}
            number = 2
            while name.lower() in taken:
                name, number = f"{stem}-{number}", number + 1
            found[sequence.label] = self.folder / ERRORS / f"{name}.png"
        return found


class Results:
    """Pending files: written under hidden names, published together; OutputError if one cannot be written."""

    def __init__(self, files: Publication, paths: Iterable[Path]) -> None:
        self._files = files
        self._written: list[Path] = []
        for path in paths:
            files.make(path)

    def listed(self, folder: Path | None) -> dict[str, list[str]]:
        """Return the file lists for the report in *folder*, which includes itself; nothing without a folder.

        ``outputs`` were written by this comparison; ``earlier_outputs`` were left by previous ones and not rewritten:
        they may be of other frames, methods or versions.
        """
        if folder is None:
            return {}
        now = {
            JSON,
            *(path.relative_to(folder).as_posix() for path in self._written if folder in path.parents),
        }
        stay = (name for name in earlier_outputs(folder) - now if (folder / name).is_file())
        return {"outputs": sorted(now), "earlier_outputs": sorted(stay)}

    def write(self, path: Path, content: bytes | str) -> None:
        """Write a file under its hidden name."""
        self._files.write(path, content)
        self._written.append(path)

    def place(self) -> None:
        """Move everything written to its final name, or nothing if one name is not available."""
        self._files.publish()


def earlier_outputs(folder: Path) -> set[str]:
    """Return the names of the files that comparisons have left in *folder*, according to the latest report."""
    try:
        report = json.loads((folder / JSON).read_text(encoding="utf-8"))
        return {*report["outputs"], *report["earlier_outputs"]}
    except (OSError, ValueError, TypeError, KeyError):
        return set()


@contextmanager
def results(wanted: Wanted, sequences: list[Sequence]) -> Iterator[Results]:
    """Prepare to write what is wanted; if the block raises, nothing of it remains.

    Raises
    ------
    OutputError
        A path is not writable, lies in the data set, is used twice, or holds a file of another origin.
    """
    pictures = wanted.pictures(sequences)
    paths = [*wanted.reports(JSON), *wanted.reports(MARKDOWN), *wanted.curves(), *pictures.values()]
    _refuse_twice(paths)
    for path in paths:
        _refuse_inside(path, sequences)
    if wanted.folder is not None:
        _refuse_foreign(wanted.folder, paths)
    with ExitStack() as stack:
        if wanted.folder is not None:
            stack.enter_context(output_folder(wanted.folder))
            stack.enter_context(output_folder(wanted.folder / ERRORS))
        yield Results(stack.enter_context(Publication()), paths)


def _refuse_twice(paths: list[Path]) -> None:
    places = [path.absolute() for path in paths]
    for path in paths:
        if places.count(path.absolute()) > 1:
            raise OutputError(f"two results would be written to {path}; give each a name of its own")


def _refuse_inside(path: Path, sequences: Iterable[Sequence]) -> None:
    place = path.resolve()
    for sequence in sequences:
        if sequence.folder in (place, *place.parents):
            raise OutputError(
                f"{path} lies in the sequence {sequence.folder}, which is read; choose another place"
            )


def _refuse_foreign(folder: Path, paths: Iterable[Path]) -> None:
    """Refuse to replace files not written by a comparison: those in a folder without the report of one."""
    with suppress(OSError, ValueError, TypeError):
        if {"schema", "sequences", "mean_f"} <= set(json.loads((folder / JSON).read_text(encoding="utf-8"))):
            return
    for path in paths:
        if folder in path.parents and path.exists():
            raise OutputError(
                f"{path} exists and is not from an earlier comparison; move it away or choose another folder with --out"
            )
