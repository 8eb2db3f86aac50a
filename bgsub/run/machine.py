"""Total and free memory of the machine."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

UNKNOWN_BYTES = 1 << 62
"""Stands for memory that is unlimited or unknown."""
CONTAINERS = (
    ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
    ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
"""Where versions 2 and 1 of Linux control groups report a container's memory limit and usage."""


def free_bytes() -> int:
    """Return the memory that this process may still take, given its machine and its container."""
    return min(_free_of_machine(), _free_of_container())


@cache
def machine_bytes() -> int:
    """Return the total memory of the machine, or of the container if that is less; it does not change."""
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
        # If free memory is unknown, half of the total is assumed.
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
    """Return the bytes of cached files, which are evicted when memory is needed elsewhere."""
    words = (folder / "memory.stat").read_text(encoding="ascii").split()
    return int(words[words.index(idle) + 1])
