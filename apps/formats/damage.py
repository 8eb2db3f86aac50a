"""What happens to files: cut off, overwritten, joined."""

from __future__ import annotations

import random

from formats.recipe import Bytes


def cut(share: float) -> Bytes:
    """Keep the beginning only."""
    return lambda data: data[: max(1, int(len(data) * share))]


def behead(share: float) -> Bytes:
    """Keep the end only."""
    return lambda data: data[int(len(data) * share) :] or data


def overwrite(place: float, size: int, value: int | None = None) -> Bytes:
    """Put *size* bytes at a share of the length: noise, or *value* again and again."""

    def change(data: bytes) -> bytes:
        noise = random.Random(size).randbytes(size) if value is None else bytes([value]) * size
        start = int(len(data) * place)
        return (data[:start] + noise + data[start + size :])[: max(len(data), start + size)]

    return change


def append(size: int) -> Bytes:
    """Append noise."""
    return lambda data: data + random.Random(size).randbytes(size)


def sprinkle(seed: int, share: float) -> Bytes:
    """Change single bytes here and there."""

    def change(data: bytes) -> bytes:
        chance, changed = random.Random(seed), bytearray(data)
        for _ in range(max(1, int(len(data) * share))):
            changed[chance.randrange(len(data))] = chance.randrange(256)
        return bytes(changed)

    return change


def twice(data: bytes) -> bytes:
    """Append the file to itself, as recorders do."""
    return data + data


def replace(old: bytes, new: bytes) -> Bytes:
    """Replace bytes by as many others."""
    assert len(old) == len(new)
    return lambda data: data.replace(old, new)
