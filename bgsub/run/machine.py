"""The machine that a run is on: how much memory there is, and how much of it is free."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

UNKNOWN_BYTES = 1 << 62
"""Where nothing limits the memory, or nothing says how much there is."""
CONTAINERS = (
    ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
    ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
"""Where the two versions of Linux control groups say what a container may take and takes."""


def free_bytes() -> int:
    """Return the memory that this process may still take: of the machine, and of the container it runs in."""
    return min(_free_of_machine(), _free_of_container())


@cache
def machine_bytes() -> int:
    """Return all the memory that there is: of the machine, or of the container it runs in; it does not change."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        whole = UNKNOWN_BYTES
    for folder, limit, *_ in CONTAINERS:
        with suppress(OSError, ValueError):
            whole = min(whole, int(Path(folder, limit).read_text(encoding="ascii")))
    return whole


def _free_of_machine() -> int:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        # Where nothing says what is free, half of what is there is taken to be.
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return UNKNOWN_BYTES


def _free_of_container() -> int:
    for folder, limit, used, idle in CONTAINERS:
        try:
            taken = int(Path(folder, used).read_text(encoding="ascii")) - _files_in_memory(Path(folder), idle)
            return int(Path(folder, limit).read_text(encoding="ascii")) - taken
        except (OSError, ValueError):
            continue
    return UNKNOWN_BYTES


def _files_in_memory(folder: Path, idle: str) -> int:
    """Return the bytes of files that are kept in memory and are given up when something else needs the room."""
    words = (folder / "memory.stat").read_text(encoding="ascii").split()
    return int(words[words.index(idle) + 1])
