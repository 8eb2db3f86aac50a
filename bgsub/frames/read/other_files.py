"""Files that hold footage in a way that is not read, and names that match nothing: what to do about them."""

from __future__ import annotations

import glob
from pathlib import Path

from bgsub.errors import CannotOpen

_ARCHIVE = "unpack it first, and name the folder or file that was in it"
_ARRAY = "open it in Python and call bgsub.separate(array)"
_KINDS = (
    (0, b"\x93NUMPY", "an array", "load it with numpy.load(…, mmap_mode='r') and call bgsub.separate(array)"),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file", f"{_ARRAY}, with h5py.File(…)['name']"),
    (0, b"MATLAB 5.0", "a MATLAB file", f"{_ARRAY}, with scipy.io.loadmat(…)['name'], time first"),
    (0, b"PK\x03\x04", "an archive", _ARCHIVE),
    (0, b"PK\x05\x06", "an empty archive", _ARCHIVE),
    (0, b"7z\xbc\xaf\x27\x1c", "an archive", _ARCHIVE),
    (0, b"Rar!\x1a\x07", "an archive", _ARCHIVE),
    (0, b"\x1f\x8b", "a compressed file", _ARCHIVE),
    (0, b"BZh", "a compressed file", _ARCHIVE),
    (0, b"\xfd7zXZ\0", "a compressed file", _ARCHIVE),
    (0, b"\x28\xb5\x2f\xfd", "a compressed file", _ARCHIVE),
    (257, b"ustar", "an archive", _ARCHIVE),
)
"""Place and text of what such files begin with, what they are, and what to do."""
_LONGEST = 512


def refuse_other_files(path: Path) -> None:
    """Raise CannotOpen for an archive or a file of arrays: FFmpeg would only find invalid data in it."""
    with path.open("rb") as file:
        head = file.read(_LONGEST)
    for place, text, what, way in _KINDS:
        if head[place : place + len(text)] != text:
            continue
        if path.suffix.lower() == ".npz":
            raise CannotOpen(f"{path} is not footage: call bgsub.separate(numpy.load(…)['name']) in Python")
        raise CannotOpen(f"{path} is {what}, not footage: {way}")


def about_no_match(pattern: str) -> str:
    """Return what to say of a wildcard that matches nothing: brackets may have been meant as they are."""
    if "[" not in pattern:
        return f"no file matches {pattern}"
    literal = glob.escape(pattern.replace("[[]", "["))
    return (
        f"no file matches {pattern}: [ ] stand for one of the characters between them; a name that has brackets itself "
        f"is written {literal.replace('[*]', '*').replace('[?]', '?')}"
    )
