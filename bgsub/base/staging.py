"""Files that appear whole or not at all: written beside the target, renamed at the end."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from contextlib import suppress
from itertools import count
from pathlib import Path

from bgsub.base.cleanup import begun, over
from bgsub.base.leftovers import leftovers, signature
from bgsub.base.write_errors import writing
from bgsub.errors import OutputError

NUMBERED_PNG = re.compile(r"\d+\.png")
_SERIAL = count()
"""Several runs of one process may write to one place."""


class Staged:
    """A file, or a folder of numbered PNG files, on its way to its final name.

    The hidden partial (``.name.part-<process>-…``) lies in the same folder, so the last step is a rename within one
    file system. What had the final name before is kept until :meth:`settle`, so that :meth:`undo` can bring
    it back: a file as a second (hard) link, where the file system has those; a folder under another hidden
    name.

    Parameters
    ----------
    final
        Where the result shall appear. Its folder must exist.
    is_folder
        True for a folder of numbered PNG files.

    Raises
    ------
    OutputError
        If the folder above does not exist, or *final* exists and may not be replaced: a folder where a file
        is asked for, anything that is not a regular file, or a folder that holds more than numbered PNG
        files.
    """

    def __init__(self, final: Path, is_folder: bool = False) -> None:
        self.final = final.absolute()
        self.is_folder = is_folder
        self._serial = next(_SERIAL)
        self.partial = self._beside("part")
        self._earlier = self._beside("old")
        self._has_earlier = False
        self._shown = final
        self._check()

    def prepare(self) -> None:
        """Create the empty partial, so that a folder without permission is noticed before the work starts.

        Partials of the same target that a killed process has left are removed.
        """
        self.discard()
        begun(self, self._vanish)
        with writing(self._shown):
            for each in leftovers(self.final.parent, self._beginning("part")):
                remove(each)
            if self.is_folder:
                self.partial.mkdir()
            else:
                self.partial.touch()

    def place(self) -> None:
        """Give the partial its final name.

        Raises
        ------
        OutputError
            If it cannot be renamed; what was there before is then there still.
        """
        self._check()
        with writing(self._shown):
            if self.is_folder:
                self._swap_folder()
            else:
                self._keep_earlier_file()
                self.partial.replace(self.final)
        over(self)

    def undo(self) -> None:
        """Take the placed result away and bring back what had its name before. No error is raised."""
        remove(self.final)
        if self._has_earlier:
            with suppress(OSError):
                self._earlier.rename(self.final)
            self._has_earlier = False

    def settle(self) -> None:
        """Drop what had the final name before. No error is raised."""
        if self._has_earlier:
            remove(self._earlier)
            self._has_earlier = False

    def discard(self) -> None:
        """Delete the partial, if there is one. No error is raised."""
        remove(self.partial)
        over(self)

    def _vanish(self) -> None:
        """Delete the partial while others still write to it: under another name nothing is added to a folder."""
        gone = self._beside("gone")
        with suppress(OSError):
            self.partial.rename(gone)
        remove(gone)
        remove(self.partial)

    def _beside(self, suffix: str) -> Path:
        return self.final.with_name(self._beginning(suffix) + signature(self._serial))

    def _beginning(self, suffix: str) -> str:
        name = self.final.name
        if len(os.fsencode(name)) > 200:  # the suffix must still fit into the 255 bytes of a file name
            name = hashlib.sha256(os.fsencode(name)).hexdigest()[:16]
        return f".{name}.{suffix}-"

    def _check(self) -> None:
        with writing(self._shown):
            if not self.final.parent.exists():
                raise OutputError(f"cannot write {self._shown}: its folder does not exist; create it first")
            refuse_to_replace(self.final, self._shown, self.is_folder)

    def _keep_earlier_file(self) -> None:
        if not self.final.exists() or self.final.is_symlink():
            return
        remove(self._earlier)
        with suppress(OSError):  # no hard links here: the earlier file is then replaced for good
            os.link(self.final, self._earlier)
            self._has_earlier = True

    def _swap_folder(self) -> None:
        if self.final.exists():
            remove(self._earlier)
            self.final.rename(self._earlier)
            self._has_earlier = True
        try:
            self.partial.rename(self.final)
        except OSError:
            if self._has_earlier:
                self._earlier.rename(self.final)
                self._has_earlier = False
            raise


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


def _check_folder(final: Path, shown: Path) -> None:
    if not final.is_dir():
        raise OutputError(f"cannot write the folder {shown}: a file has this name; choose another")
    for entry in final.iterdir():
        if not (NUMBERED_PNG.fullmatch(entry.name) and entry.is_file()):
            raise OutputError(
                f"will not replace the folder {shown}: it holds '{entry.name}', which is not a numbered PNG file; "
                "move it away or choose another folder"
            )


def remove(path: Path) -> None:
    """Delete a file, or a folder with all it holds. No error is raised."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(OSError):
        path.unlink()
