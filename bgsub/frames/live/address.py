"""What a live input is called, with and without its password."""

from __future__ import annotations

import os
import re

SCHEMES = ("http", "https", "rtsp", "rtsps", "rtmp", "rtmps")
ADDRESS, CAMERA, INPUT = "address", "camera", "standard input"
HIDDEN = "…"

_SECRET = re.compile(r"([?&;][^=&;#]*(?:pass|pwd|token|key|secret|auth|sig)[^=&;#]*=)[^&;#]*", re.IGNORECASE)


def kind_of(target: object) -> str | None:
    """Return ADDRESS, CAMERA (a number) or INPUT (``-``); None for files and everything else.

    What exists as a file is a file.
    """
    if not isinstance(target, str) or not target or os.path.lexists(target):
        return None
    if target == "-":
        return INPUT
    if target.isascii() and target.isdecimal():
        return CAMERA
    return ADDRESS if is_address(target) else None


def is_address(text: str) -> bool:
    """Return whether *text* is meant as an address, of any scheme."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", text) is not None


def shown(text: str) -> str:
    """Return an address without its password and without what its query may hold of the kind; other text as it is.

    Examples
    --------
    >>> shown("rtsp://admin:secret@10.0.0.5/1?channel=2&token=abc")
    'rtsp://admin:…@10.0.0.5/1?channel=2&token=…'
    """
    if not is_address(text):
        return text
    scheme, _, rest = text.partition("://")
    # Up to the last @: a password may hold one itself, or a slash.
    user, at, place = rest.rpartition("@")
    if at and ":" in user:
        rest = f"{user.partition(':')[0]}:{HIDDEN}@{place}"
    return _SECRET.sub(rf"\g<1>{HIDDEN}", f"{scheme}://{rest}")
