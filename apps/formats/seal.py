"""Damage behind checksums: these are made right again, so that what they protect is read at all."""

from __future__ import annotations

import io
import random
import zipfile
import zlib

from formats.mutate import mutated

_PNG = b"\x89PNG\r\n\x1a\n"
_ZIP = b"PK\x03\x04"


def resealed(original: bytes, seed: str) -> bytes:
    """Return *original* damaged as :func:`formats.mutate.mutated` does it; its checksums hold every other time."""
    if random.Random(seed).random() < 0.5:
        return mutated(original, seed)
    if original.startswith(_ZIP):
        return _zip(original, seed)
    damaged = mutated(original, seed)
    return _png(damaged) if damaged.startswith(_PNG) else damaged


def _png(data: bytes) -> bytes:
    sealed, place = bytearray(data), len(_PNG)
    while place + 12 <= len(sealed):
        end = place + 8 + int.from_bytes(sealed[place : place + 4], "big")
        if end + 4 > len(sealed):
            break
        sealed[end : end + 4] = zlib.crc32(sealed[place + 4 : end]).to_bytes(4, "big")
        place = end + 4
    return bytes(sealed)


def _zip(data: bytes, seed: str) -> bytes:
    """Damage one of the files in an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    chosen = random.Random(seed).choice(sorted(members))
    members[chosen] = mutated(members[chosen], seed)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()
