"""Where it was measured: processor and versions."""

from __future__ import annotations

import platform
from importlib import metadata

from common.machine import machine

PACKAGES = ("bgsub", "numpy", "scipy", "numba", "opencv-python-headless", "av", "tensorly", "sporco")


def surroundings() -> dict[str, str]:
    """Return the machine, Python, and the versions of the packages that are there."""
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return {"machine": machine(), "python": platform.python_version(), **versions}
