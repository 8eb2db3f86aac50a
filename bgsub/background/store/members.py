"""The arrays in an NPZ file before they are unpacked: a few bytes can claim, or become, more than the memory holds."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from math import prod

from numpy.lib import format as npy

from bgsub.errors import InputError

SMALL = 1 << 28
"""Bytes that are unpacked of any file."""
RATIO = 100
"""How much smaller than its content a larger file may be. A picture is packed to a third; only one of a single colour
throughout reaches 1,000, as what is made to fill a memory does."""


def check_sizes(archive: zipfile.ZipFile, names: Iterable[str]) -> None:
    """Check arrays of an archive, by their headers.

    Raises
    ------
    InputError
        They unpack to so much more than is stored that they are made for it.
    ValueError, KeyError
        One is none that NumPy has written, or its header claims another size than the archive does.
    """
    members = [archive.getinfo(f"{name}.npy") for name in names]
    unpacked, stored = sum(each.file_size for each in members), _length(archive)
    if unpacked > max(SMALL, RATIO * stored):
        raise InputError(f"it has {stored} bytes and unpacks to {unpacked}, as no model of a scene does")
    for member in members:
        _check_claim(archive, member)


def _length(archive: zipfile.ZipFile) -> int:
    """Return the bytes of the whole file, whatever it says that its members take of them."""
    assert archive.fp is not None
    return archive.fp.seek(0, io.SEEK_END)


def _check_claim(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    with archive.open(member) as file:
        if npy.read_magic(file) != (1, 0):  # as all short headers are
            raise ValueError
        shape, _, dtype = npy.read_array_header_1_0(file)
        if dtype.hasobject or file.tell() + prod(shape) * dtype.itemsize != member.file_size:
            raise ValueError
