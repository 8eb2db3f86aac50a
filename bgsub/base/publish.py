"""Files that appear together, whole, or not at all: made in a hidden folder beside their places, renamed at the end."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

from bgsub.base.cleanup import begun, over
from bgsub.base.interrupts import uninterrupted
from bgsub.base.leftovers import leftovers, signature
from bgsub.base.write_errors import writing
from bgsub.errors import OutputError

HIDDEN, GONE = ".bgsub-", ".bgsub-gone-"
"""Beginnings of the names of hidden folders, those in use and those on their way out; the ends tell whose they are."""
EARLIER = "earlier"
"""Folder in a hidden one for what had a name before, under that name."""
NUMBERED_PNG = re.compile(r"\d+\.png")
_SERIAL = count()
"""Several runs of one process may write to one place."""


class Publication:
    """Files on their way to their places: a context manager.

    ::

        with Publication() as files:
            files.make(folder / "mask.mkv")  # a path in a hidden folder of *folder*; write there
            files.publish()                  # all have their names now, or OutputError and none has

    What is not published when the block ends is gone, and so is what a process that was killed has left beside it.
    Files and folders are renamed one after the other, in the order of :meth:`make`. Where one cannot be, those before
    it are taken back, and what had their names before is there again. A file is replaced in one step where the file
    system has hard links. What cannot be guarded is the process dying between two renames: a new file may then stand
    beside an old one, and a folder that was to be replaced is brought back by the next run that writes there.

    Relative paths are those of the current folder when it was made.
    """

    def __init__(self) -> None:
        self._serial = next(_SERIAL)
        self._base = _current_folder()
        self._made: dict[Path, Path] = {}
        self._hidden: list[Path] = []
        self._shown: dict[Path, Path] = {}

    def make(self, final: str | Path, is_folder: bool = False) -> Path:
        """Return where to write what shall appear as *final*: a name that is free, or an empty folder.

        Parameters
        ----------
        final
            Its folder must exist. A file of that name is replaced when this is published; a folder as long as it holds
            nothing but numbered PNG files.
        is_folder
            True for a folder of numbered PNG files.

        Raises
        ------
        OutputError
            If the place cannot be written to, holds what may not be replaced, or was asked for before.
        """
        shown, final = Path(final), self._base / final
        if final in self._made:
            raise OutputError(f"two outputs have the same path {shown}; give them different names")
        with writing(shown):
            if not final.parent.exists():
                raise OutputError(f"cannot write {shown}: its folder does not exist; create it first")
            refuse_to_replace(final, shown, is_folder)
            # A number in place of the name, which may be as long as a name can be.
            place = self._folder_in(final.parent) / f"{len(self._made)}{final.suffix[:16]}"
            if is_folder:
                place.mkdir()
        self._made[final], self._shown[final] = place, shown
        return place

    def write(self, final: str | Path, content: bytes | str) -> None:
        """Make a file with this content; text is stored as UTF-8."""
        data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
        place = self._made.get(self._base / final) or self.make(final)
        with writing(Path(final)):
            place.write_bytes(data)

    def publish(self) -> None:
        """Give all that was written its name; a Ctrl-C is ignored meanwhile.

        Raises
        ------
        OutputError
            If one cannot have its name; then none has, and what had the names before is there still.
        """
        with uninterrupted():
            done: list[tuple[Path, Path | None]] = []
            try:
                for final, place in self._made.items():
                    if place.exists():
                        done.append((final, self._rename(final, place)))
            except BaseException:
                for final, earlier in reversed(done):
                    remove(final)
                    _bring_back(final, earlier)
                raise
            self.discard()

    def discard(self) -> None:
        """Remove what is hidden. Raises nothing."""
        for folder in self._hidden:
            _clear(folder)
        self._made.clear()
        self._hidden.clear()
        over(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with uninterrupted():
            self.discard()

    def _folder_in(self, parent: Path) -> Path:
        folder = parent / f"{HIDDEN}{signature(self._serial)}"
        if folder not in self._hidden:
            for each in (*leftovers(parent, HIDDEN), *leftovers(parent, GONE)):
                _clear(each)
            begun(self, self._vanish)
            self._hidden.append(folder)
            folder.mkdir()
        return folder

    def _rename(self, final: Path, place: Path) -> Path | None:
        """Rename *place* to *final*; return where that is now which had the name, or None."""
        earlier = None
        with writing(self._shown[final]):
            refuse_to_replace(final, self._shown[final], place.is_dir())
            if final.exists() or final.is_symlink():
                earlier = place.parent / EARLIER / final.name
                earlier.parent.mkdir(exist_ok=True)
                _set_aside(final, earlier)
            try:
                place.replace(final)
            except OSError:
                _bring_back(final, earlier)
                raise
        return earlier

    def _vanish(self) -> None:
        """Remove what is hidden while others still write there: under another name nothing is added to a folder."""
        for folder in self._hidden:
            gone = folder.with_name(GONE + folder.name.removeprefix(HIDDEN))
            with suppress(OSError):
                folder.rename(gone)
            _clear(gone)
            _clear(folder)


def refuse_to_replace(final: Path, shown: Path, is_folder: bool) -> None:
    """Raise :class:`OutputError` where *final*, which messages call *shown*, is there and is not to be replaced."""
    if not final.exists():
        return
    if is_folder:
        _check_folder(final, shown)
    elif final.is_dir():
        raise OutputError(f"cannot write {shown}: it is a folder; give a file name")
    elif not final.is_file():
        raise OutputError(f"cannot write {shown}: it is not a regular file; choose another name")


def remove(path: Path) -> None:
    """Delete a file, or a folder with all it holds. Raises nothing."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(OSError):
        path.unlink()


def _set_aside(final: Path, earlier: Path) -> None:
    """Keep what has a name under another: a file as a second link, so that the name is never without one."""
    if not final.is_dir() and not final.is_symlink():
        with suppress(OSError):  # no hard links here
            os.link(final, earlier)
            return
    final.rename(earlier)


def _bring_back(final: Path, earlier: Path | None) -> None:
    if earlier is not None:
        with suppress(OSError):
            earlier.replace(final)


def _clear(hidden: Path) -> None:
    """Remove a hidden folder. What was set aside there gets its name back first where that is free.

    If something cannot have it, the folder stays for the next run to try again: it may be all there is of it.
    """
    set_aside: list[Path] = []
    with suppress(OSError):  # mostly there is none
        set_aside = sorted((hidden / EARLIER).iterdir())
    for earlier in set_aside:
        final = hidden.parent / earlier.name
        if not os.path.lexists(final):
            _bring_back(final, earlier)
            if not os.path.lexists(final):
                return
    remove(hidden)


def _current_folder() -> Path:
    try:
        return Path.cwd()
    except OSError:  # it has been removed; absolute paths do without
        return Path()


def _check_folder(final: Path, shown: Path) -> None:
    if not final.is_dir():
        raise OutputError(f"cannot write the folder {shown}: a file has this name; choose another")
    for entry in final.iterdir():
        if not (NUMBERED_PNG.fullmatch(entry.name) and entry.is_file()):
            raise OutputError(
                f"will not replace the folder {shown}: it holds '{entry.name}', which is not a numbered PNG file; "
                "move it away or choose another folder"
            )
