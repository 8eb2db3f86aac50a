"""Memory that is freed goes back to the system around fits, and nothing happens where the C library is another."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import weakref
from collections.abc import Iterator

import pytest

from bgsub.heap import returned_memory, returning


class Thing:
    """Something that can be watched while it lives."""


def test_items_are_made_when_they_are_asked_for_and_an_exception_comes_after_them() -> None:
    made = iter(range(9))
    lazy = returning(made)
    assert [next(lazy), next(lazy)] == [0, 1]
    assert next(made) == 2
    assert list(returning(iter(()))) == []

    def failing() -> Iterator[int]:
        yield 1
        raise ValueError("broken frame")

    items = returning(failing())
    assert next(items) == 1
    with pytest.raises(ValueError, match="broken frame"):
        next(items)


def test_an_item_lives_no_longer_than_who_asked_for_it_keeps_it() -> None:
    items = returning(Thing() for _ in range(2))
    thing = next(items)
    watched = weakref.ref(thing)
    del thing
    assert watched() is None
    assert isinstance(next(items), Thing)


def test_closing_early_closes_what_makes_the_items() -> None:
    closed: list[bool] = []

    def items() -> Iterator[int]:
        try:
            yield from range(5)
        finally:
            closed.append(True)

    wrapped = returning(items())
    next(wrapped)
    wrapped.close()  # type: ignore[attr-defined]
    del wrapped
    assert closed == [True]


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def called(*_: object) -> None:
        pytest.fail("called")

    for platform, has in (
        ("linux", []),
        ("linux", ["mallopt"]),
        ("linux", ["malloc_trim"]),
        ("darwin", ["mallopt", "malloc_trim"]),
    ):
        library = type("Library", (), dict.fromkeys(has, called))
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setattr(ctypes, "CDLL", lambda _, library=library: library())
        assert list(returning(iter("ab"))) == ["a", "b"]
        with pytest.raises(KeyError), returned_memory():
            raise KeyError


def test_memory_goes_back_to_the_system_within_and_is_kept_for_reuse_outside() -> None:
    """In a process of its own: what others have freed there would be taken first."""
    done = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip("needs a glibc that counts its blocks")
    assert done.stdout.splitlines() == [
        "within: large True, small False",
        "after: large False, huge True",
        "after an exception: large False",
        "an item is made: large True",
        "an item is used: large False",
        "freed before: goes back",
        "freed within: goes back",
    ], done.stderr


MEASURED = """
import ctypes, sys
from bgsub import heap
class Blocks(ctypes.Structure):
    _fields_ = [(f"field_{index}", ctypes.c_size_t) for index in range(10)]
libc = heap._glibc()
if libc is None or not hasattr(libc, "mallinfo2"):
    sys.exit(77)
libc.mallinfo2.restype = Blocks
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = libc.free.argtypes = [ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]
def mapped(size):
    # hblkhd: bytes in blocks that came from the system one by one.
    before = libc.mallinfo2().field_4
    block = libc.malloc(size)
    more = libc.mallinfo2().field_4 - before
    libc.free(block)
    return more >= size
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
def free_many():
    # The last one stays, so that the heap does not simply end earlier.
    *blocks, last = [libc.malloc(65536) for _ in range(800)]
    for block in (*blocks, last):
        ctypes.memset(block, 1, 65536)
    for block in blocks:
        libc.free(block)
    return resident()
def tell(when, held):
    print(f"{when}: {'goes back' if held - resident() > 40_000_000 else 'is kept'}")
large, small, huge = 2 * heap.FEW_BYTES, heap.FEW_BYTES // 2, 2 * heap.MANY_BYTES
with heap.returned_memory():
    print(f"within: large {mapped(large)}, small {mapped(small)}")
print(f"after: large {mapped(large)}, huge {mapped(huge)}")
try:
    with heap.returned_memory():
        raise KeyError
except KeyError:
    print(f"after an exception: large {mapped(large)}")
for made in heap.returning(mapped(large) for _ in range(1)):
    print(f"an item is made: large {made}")
    print(f"an item is used: large {mapped(large)}")
held = free_many()
with heap.returned_memory():
    tell("freed before", held)
    held = free_many()
tell("freed within", held)
"""
