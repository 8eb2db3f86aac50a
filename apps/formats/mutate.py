"""Seeded damage to the bytes of a file, of the kinds that break readers."""

from __future__ import annotations

import random
from collections.abc import Callable

HEADER = 512
"""Bytes at the beginning in which most lengths and sizes stand."""
EXTREME = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 50_000, 1_000_000)
"""Values that sizes and counts are replaced by."""

Damage = Callable[[bytearray, random.Random], None]


def _place(data: bytearray, chance: random.Random) -> int:
    return chance.randrange(max(len(data), 1))


def _span(data: bytearray, chance: random.Random) -> slice:
    start = _place(data, chance)
    return slice(start, start + chance.randint(1, max(len(data) // 4, 1)))


def flip(data: bytearray, chance: random.Random) -> None:
    """Flip single bits."""
    for _ in range(chance.choice((1, 2, 8, 32))):
        data[_place(data, chance)] ^= 1 << chance.randrange(8)


def overwrite(data: bytearray, chance: random.Random) -> None:
    """Replace single bytes."""
    for _ in range(chance.choice((1, 4, 16, 64))):
        data[_place(data, chance)] = chance.choice((0, 0xFF, 0x7F, 0x80, chance.randrange(256)))


def cut(data: bytearray, chance: random.Random) -> None:
    """Keep the beginning."""
    del data[_place(data, chance) :]


def swap(data: bytearray, chance: random.Random) -> None:
    """Exchange two blocks."""
    size = chance.randint(1, max(len(data) // 8, 1))
    one, other = _place(data, chance), _place(data, chance)
    first, second = data[one : one + size], data[other : other + size]
    data[one : one + size], data[other : other + size] = second, first


def repeat(data: bytearray, chance: random.Random) -> None:
    """Put a block in twice."""
    span = _span(data, chance)
    data[span.start : span.start] = data[span]


def blank(data: bytearray, chance: random.Random) -> None:
    """Fill a range with zeros."""
    span = _span(data, chance)
    data[span] = bytes(len(data[span]))


def claim(data: bytearray, chance: random.Random) -> None:
    """Replace lengths near the header, in either order of bytes."""
    for _ in range(chance.choice((1, 2, 4))):
        width = chance.choice((1, 2, 4))
        value = chance.choice(EXTREME) & ((1 << 8 * width) - 1)
        start = chance.randrange(max(min(HEADER, len(data)) - width, 1))
        data[start : start + width] = value.to_bytes(width, chance.choice(("big", "little")))


def insert(data: bytearray, chance: random.Random) -> None:
    """Put garbage in."""
    start = _place(data, chance)
    data[start:start] = chance.randbytes(chance.choice((1, 2, 16, 300)))


DAMAGES: tuple[Damage, ...] = (flip, overwrite, cut, swap, repeat, blank, claim, claim, insert)


def mutated(original: bytes, seed: str) -> bytes:
    """Return *original* damaged once or twice, the same for the same *seed*."""
    chance, data = random.Random(seed), bytearray(original)
    for _ in range(chance.choice((1, 1, 2))):
        if data:
            chance.choice(DAMAGES)(data, chance)
    return bytes(data)
