"""One-line messages for everything that can go wrong when writing a file."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bgsub.errors import OutputError

_REASONS = {
    errno.ENOSPC: "the disk is full; free some space or choose another folder",
    errno.EDQUOT: "the disk quota is used up; free some space or choose another folder",
    errno.EFBIG: "the file is larger than the file system or the process limit allows; choose another folder",
    errno.EACCES: "no permission; choose another folder",
    errno.EPERM: "no permission; choose another folder",
    errno.EROFS: "the file system is read-only; choose another folder",
    errno.ENOENT: "its folder does not exist; create it first",
    errno.ENOTDIR: "a part of its path is a file, not a folder; choose another path",
    errno.EISDIR: "it is a folder; give a file name",
    errno.ENAMETOOLONG: "the name is too long; choose a shorter one",
}


def reason_of(error: OSError | Exception) -> str:
    """Return what went wrong, and what to do, in a few words."""
    number = getattr(error, "errno", None)
    reason = _REASONS.get(number) if number is not None else None
    if reason is not None:
        return reason
    known = isinstance(number, int) and 0 < number < 1000
    return os.strerror(number) if known and number is not None else str(error)


def output_error(path: Path, error: OSError | Exception) -> OutputError:
    """Return the :class:`OutputError` for *error* while writing *path*."""
    return OutputError(f"cannot write {path}: {reason_of(error)}")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an ``OSError`` inside the block into the :class:`OutputError` for *path*."""
    try:
        yield
    except OSError as error:
        raise output_error(path, error) from error
