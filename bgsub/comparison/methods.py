"""The systems that can be compared."""

from __future__ import annotations

import cv2

from bgsub.comparison.subtractors import CONTRIB, CONTRIB_MODULE, OPENCV
from bgsub.errors import UsageError, nearest

BGSUB = "bgsub"
ALL = "all"
METHODS = (BGSUB, "median", *OPENCV, *CONTRIB)
"""All names, in the order of the tables."""


def is_opencv(method: str) -> bool:
    """Return whether a system is one of OpenCV's."""
    return method in OPENCV or method in CONTRIB


def available() -> tuple[str, ...]:
    """Return the names of the installed systems."""
    return tuple(name for name in METHODS if _is_installed(name))


def parse_methods(text: str) -> tuple[str, ...]:
    """Parse comma-separated names or ``all``; return each name once, in the order given.

    Raises
    ------
    UsageError
        There is no name, or no system of that name, or it is not installed.
    """
    names = [name for word in text.split(",") if (name := word.strip().lower())]
    if not names:
        raise UsageError(f"--methods: no name given; there are {_choices()}")
    chosen: list[str] = []
    for name in names:
        chosen += available() if name == ALL else [_checked(name)]
    return tuple(dict.fromkeys(chosen))


def _checked(name: str) -> str:
    if name not in METHODS:
        raise UsageError(
            f"--methods: unknown method '{name}'{nearest(name, (*METHODS, ALL))}; there are {_choices()}"
        )
    if not _is_installed(name):
        raise UsageError(
            f"--methods: {name} is not installed; it is in OpenCV's contributed modules: "
            "pip uninstall opencv-python-headless && pip install opencv-contrib-python-headless"
        )
    return name


def _choices() -> str:
    return ", ".join((*METHODS, ALL))


def _is_installed(name: str) -> bool:
    if name in CONTRIB:
        return hasattr(getattr(cv2, CONTRIB_MODULE, None), CONTRIB[name])
    return name not in OPENCV or hasattr(cv2, OPENCV[name])
