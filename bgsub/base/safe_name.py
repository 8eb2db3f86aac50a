"""Whether a name may become that of a file: in the folder that is meant, and apart from others."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Sequence

LONGEST = 240
"""Bytes of a name in UTF-8: file systems take 255, and an ending is added."""
# Times of day have colons where file names may have them. Marks that turn the direction of text hide an ending.
_SEPARATORS = r'/\\:*?"<>|' if os.name == "nt" else r"/\\"
_FORBIDDEN = re.compile(f"[{_SEPARATORS}\u202a-\u202e\u2066-\u2069]")
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE
)
_UNSHOWN = {"Cc", "Cs", "Zl", "Zp"}
"""Categories of characters: controls, halves of pairs (what is no Unicode), breaks of lines and paragraphs."""


def is_safe(name: str) -> bool:
    """Return whether a file can be called *name* and an ending, and is then where it was meant to be.

    Not if it is empty or too long, begins with a dot (hidden, or another folder), holds what separates folders, devices
    or lines, turns text around, is no Unicode, or belongs to a device.
    """
    return (
        name != ""
        and not name.startswith(".")
        and not _FORBIDDEN.search(name)
        and not _RESERVED.fullmatch(name)
        and not any(unicodedata.category(letter) in _UNSHOWN for letter in name)
        and len(name.encode("utf-8")) <= LONGEST
    )


def key_of(name: str) -> str:
    """Return what two names have in common that some file system takes for one: apart from case and composition."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def all_safe(names: Iterable[str]) -> tuple[str, ...]:
    """Return *names* if files can be called so and no two are taken for one; else as many empty ones."""
    wanted = tuple(names)
    differ = len({key_of(name) for name in wanted}) == len(wanted)
    return wanted if differ and all(map(is_safe, wanted)) else ("",) * len(wanted)


def stem_of(name: str, number: int, digits: int = 6, taken: Sequence[str] = ()) -> str:
    """Return what the file of a frame is called, without its ending: *name* if that is safe, else its number.

    Parameters
    ----------
    name, number
        Of the frame; the name may be empty.
    digits
        Of the number, at least.
    taken
        Names that files beside it have.
    """
    free = is_safe(name) and key_of(name) not in map(key_of, taken)
    return name if free else f"{number:0{digits}d}"
