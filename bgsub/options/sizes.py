"""Sizes in bytes, as people write them."""

from __future__ import annotations

import re

UNITS = {
    "": 1,
    "K": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
    "KI": 2**10,
    "MI": 2**20,
    "GI": 2**30,
    "TI": 2**40,
}
"""By what a unit's letters stand for; K is 1,000, Ki is 1,024."""
_SIZE = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e\d+)?)\s*([KMGT]?I?)B?", re.IGNORECASE | re.ASCII)


def parse_size(text: str) -> int:
    """Return a number of bytes from words such as ``1.5G``, ``800 MB``, ``2GiB`` or ``1500000000``.

    Raises
    ------
    ValueError
        The text is no size.

    Examples
    --------
    >>> parse_size("1.5G"), parse_size("2 KiB")
    (1500000000, 2048)
    """
    found = _SIZE.fullmatch(text.strip())
    # Who writes 1.5 has forgotten the unit.
    if found is None or found[2].upper() not in UNITS or (not found[2] and not float(found[1]).is_integer()):
        raise ValueError("expected a size such as 1.5G, 800M, 2GiB or a whole number of bytes")
    try:
        return int(float(found[1]) * UNITS[found[2].upper()])
    except OverflowError:
        raise ValueError("expected a size that a computer can have") from None


def megabytes(size: int, up: bool = True) -> str:
    """Return a size for people: what something takes is rounded up, what it may take (not *up*) down.

    Examples
    --------
    >>> megabytes(329_400_000), megabytes(329_400_000, up=False)
    ('330 MB', '329 MB')
    """
    return f"{-(-size // 10**6) if up else size // 10**6} MB"
