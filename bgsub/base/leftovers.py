"""What a run that was killed has left: found by its name, and removed by the next run that writes to the same place."""

from __future__ import annotations

import os
import platform
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_HOST = f"{zlib.crc32(platform.node().encode(errors='surrogateescape')):08x}"
"""Of this machine: in a folder that several share, process numbers of others say nothing."""


def signature(serial: int) -> str:
    """Return the end of the name of a partial: whose it is, and which of theirs."""
    return f"{os.getpid()}-{serial}-{_HOST}"


def leftovers(folder: Path, beginning: str) -> Iterator[Path]:
    """Yield what lies in *folder* under *beginning* and the signature of a process of this machine that is no more.

    Nothing where the system does not tell whether a process lives without touching it (Windows). A number that another
    process has been given since counts as living.
    """
    if os.name != "posix":
        return
    whose = re.compile(re.escape(beginning) + rf"(\d{{1,9}})-\d+-{_HOST}")
    names: list[str] = []
    with suppress(OSError):  # a folder may be written to that must not be listed
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
        pass  # somebody else's
    return True
