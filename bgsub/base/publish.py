"""Files that appear together, complete, or not at all: written to hidden folders alongside, renamed at the end."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Container, Iterable
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
"""Name prefixes of hidden folders, in use and about to be deleted; the suffix identifies their owner."""
EARLIER = "earlier"
"""Subfolder of a hidden folder that keeps what is being replaced, under its own name."""
NUMBERED = re.compile(r"(bin)?\d+\.(png|mp4|webm|mkv|mov|txt)|classes\.txt")
"""Names that runs give to the files of a folder, unless they are those of the input."""
_SERIAL = count()
"""Distinguishes runs of one process that write to the same place."""


class Publication:
    """A set of files that are published all or none: a context manager.

    ::

        with Publication() as files:
            files.make(folder / "mask.mkv")  # a path in a hidden folder of *folder*; write there
            files.publish()                  # now all have their names, or OutputError and none has

    What is not published when the block ends is deleted, as is what killed processes have left in the same
    folders. Files and folders are renamed one by one, in the order of :meth:`make`. If one rename fails, the
    earlier ones are rolled back and what they replaced is restored. A file is replaced atomically where the
    file system has hard links. The process dying between two renames cannot be guarded against: a new file
    may then stand beside an old one, and a folder that was to be replaced is restored by the next run that
    writes there.

    Relative paths are resolved against the current folder at construction.

    Parameters
    ----------
    known
        Names of files that may be in a folder that is replaced, beside numbered ones.
    """

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known = frozenset(known)
        self._serial = next(_SERIAL)
        self._base = _current_folder()
        self._made: dict[Path, Path] = {}
        self._hidden: list[Path] = []
        self._shown: dict[Path, Path] = {}

    def make(self, final: str | Path, is_folder: bool = False) -> Path:
        """Return where to write what will be published as *final*: an unused name, or an empty folder.

        Parameters
        ----------
        final
            Its folder must exist. An existing file is replaced on publication; an existing folder only if it
            holds nothing but numbered files, or files with a known name.
        is_folder
            True for a folder of such files.

        Raises
        ------
        OutputError
            If the place cannot be written to, holds what must not be replaced, or was requested before.
        """
        shown, final = Path(final), self._base / final
        if final in self._made:
            raise OutputError(f"two outputs have the same path {shown}; give them different names")
        with writing(shown):
            if not final.parent.exists():
                raise OutputError(f"cannot write {shown}: its folder does not exist; create it first")
            refuse_to_replace(final, shown, is_folder, self._known)
            # A number, since the name itself may already have the maximum length.
            place = self._folder_in(final.parent) / f"{len(self._made)}{final.suffix[:16]}"
            if is_folder:
                place.mkdir()
        self._made[final], self._shown[final] = place, shown
        return place

    def place(self, final: str | Path) -> Path:
        """Return where a file is until it is published: what :meth:`make` returned."""
        return self._made[self._base / final]

    def write(self, final: str | Path, content: bytes | str) -> None:
        """Create a file with this content; text is encoded as UTF-8."""
        data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
        place = self._made.get(self._base / final) or self.make(final)
        with writing(Path(final)):
            place.write_bytes(data)

    def publish(self) -> None:
        """Rename everything written to its final name, ignoring Ctrl-C meanwhile.

        Raises
        ------
        OutputError
            If one rename fails; then nothing is published, and what had the names before is still there.
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
        """Delete the hidden folders. Raises nothing."""
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
        """Rename *place* to *final*; return the new path of what *final* was before, or None."""
        earlier = None
        with writing(self._shown[final]):
            written = {entry.name for entry in place.iterdir()} if place.is_dir() else ()
            refuse_to_replace(final, self._shown[final], place.is_dir(), self._known | set(written))
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
        """Delete the hidden folders while others may still write there: renaming them first prevents new files."""
        for folder in self._hidden:
            gone = folder.with_name(GONE + folder.name.removeprefix(HIDDEN))
            with suppress(OSError):
                folder.rename(gone)
            _clear(gone)
            _clear(folder)


def refuse_to_replace(final: Path, shown: Path, is_folder: bool, known: Container[str] = ()) -> None:
    """Raise :class:`OutputError` if *final* (*shown* in messages) exists and must not be replaced.

    A folder may be replaced if it holds nothing but files with a number or a *known* name.
    """
    if not final.exists():
        return
    if is_folder:
        _check_folder(final, shown, known)
    elif final.is_dir():
        raise OutputError(f"cannot write {shown}: it is a folder; give a file name")
    elif not final.is_file():
        raise OutputError(f"cannot write {shown}: it is not a regular file; choose another name")


def remove(path: Path) -> None:
    """Delete a file, or a folder with its contents. Raises nothing."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(OSError):
        path.unlink()


def _set_aside(final: Path, earlier: Path) -> None:
    """Keep what is at *final* as *earlier*: a file as a second link, so that its name never goes missing."""
    if not final.is_dir() and not final.is_symlink():
        with suppress(OSError):  # no hard links on this file system
            os.link(final, earlier)
            return
    final.rename(earlier)


def _bring_back(final: Path, earlier: Path | None) -> None:
    if earlier is not None:
        with suppress(OSError):
            earlier.replace(final)


def _clear(hidden: Path) -> None:
    """Delete a hidden folder, after restoring what was set aside there wherever its name is free.

    If something cannot be restored, the folder stays for the next run to retry: it may hold the only copy.
    """
    set_aside: list[Path] = []
    with suppress(OSError):  # usually there is none
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
    except OSError:  # it has been deleted; absolute paths do not need it
        return Path()


def _check_folder(final: Path, shown: Path, known: Container[str]) -> None:
    if not final.is_dir():
        raise OutputError(f"cannot write the folder {shown}: a file has this name; choose another")
    for entry in final.iterdir():
        if not ((NUMBERED.fullmatch(entry.name) or entry.name in known) and entry.is_file()):
            raise OutputError(
                f"will not replace the folder {shown}: it holds '{entry.name}', which no run of bgsub would "
                "write there; move it away or choose another folder"
            )
