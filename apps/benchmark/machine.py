"""Where it was measured: processor and versions."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

PACKAGES = ("bgsub", "numpy", "scipy", "numba", "opencv-python-headless", "av", "tensorly", "sporco")


def surroundings() -> dict[str, str]:
    """Return the machine, Python, and the versions of the packages that are there."""
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    machine = f"{_processor()}, {os.cpu_count()} processors, {platform.system()}"
    return {"machine": machine, "python": platform.python_version(), **versions}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
