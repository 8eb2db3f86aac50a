"""Leftovers of killed runs: recognised by name, removed by the next run that writes to the same place."""

from __future__ import annotations

import os
import platform
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_HOST = f"{zlib.crc32(platform.node().encode(errors='surrogateescape')):08x}"
"""Identifies this machine: in a shared folder, process IDs of other machines mean nothing here."""


def signature(serial: int) -> str:
    """Return the suffix of a temporary name: process ID, *serial* and host."""
    return f"{os.getpid()}-{serial}-{_HOST}"


def leftovers(folder: Path, beginning: str) -> Iterator[Path]:
    """Yield entries of *folder* named *beginning* plus the signature of a dead process of this machine.

    Yields nothing where the system cannot tell whether a process is alive without affecting it (Windows). A
    process ID that has been reused counts as alive.
    """
    if os.name != "posix":
        return
    whose = re.compile(re.escape(beginning) + rf"(\d{{1,9}})-\d+-{_HOST}")
    names: list[str] = []
    with suppress(OSError):  # a writable folder need not be listable
        names = [entry.name for entry in folder.iterdir()]
    for name in names:
        if (found := whose.fullmatch(name)) and not _lives(int(found[1])):
            yield folder / name


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # alive, but another user's
    return True
