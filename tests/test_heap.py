"""What the C library is told about freed memory, and when."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import weakref
from collections.abc import Iterator

import pytest

from bgsub import heap
from bgsub.heap import (
    FEW_BYTES,
    FEW_KEPT,
    M_MMAP_THRESHOLD,
    M_TRIM_THRESHOLD,
    MANY_BYTES,
    MANY_KEPT,
    returned_memory,
    returning,
)

BEFORE = ["trim", f"blocks from {FEW_BYTES}", f"keep {FEW_KEPT}"]
AFTER = [f"blocks from {MANY_BYTES}", f"keep {MANY_KEPT}", "trim"]


class Library:
    """Takes the place of glibc, and notes what it is told."""

    def __init__(self, said: list[str]) -> None:
        self.said = said

    def malloc_trim(self, pad: int) -> int:
        assert pad == 0
        self.said.append("trim")
        return 1

    def mallopt(self, parameter: int, value: int) -> int:
        word = {M_MMAP_THRESHOLD: "blocks from", M_TRIM_THRESHOLD: "keep"}[parameter]
        self.said.append(f"{word} {value}")
        return 1


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    notes: list[str] = []
    monkeypatch.setattr(heap, "_glibc", lambda: Library(notes))
    return notes


class Thing:
    """Something that can be watched while it lives."""


def test_memory_is_given_back_before_and_after_and_large_blocks_in_between(said: list[str]) -> None:
    with returned_memory():
        assert said == BEFORE
        said.append("fit")
    assert said == [*BEFORE, "fit", *AFTER]


def test_an_exception_passes_and_memory_is_kept_again(said: list[str]) -> None:
    with pytest.raises(ZeroDivisionError), returned_memory():
        raise ZeroDivisionError
    assert said == [*BEFORE, *AFTER]


def test_each_item_is_made_within_and_handed_over_outside(said: list[str]) -> None:
    def items() -> Iterator[int]:
        for number in range(3):
            said.append(f"make {number}")
            yield number
        said.append("end")

    expected: list[str] = []
    for number in returning(items()):
        expected += [*BEFORE, f"make {number}", *AFTER, f"use {number}"]
        said.append(f"use {number}")
        assert said == expected
    assert said == [*expected, *BEFORE, "end", *AFTER]


def test_nothing_is_made_before_it_is_asked_for(said: list[str]) -> None:
    made = iter(range(9))
    lazy = returning(made)
    assert not said
    assert [next(lazy), next(lazy)] == [0, 1]
    assert next(made) == 2


def test_of_nothing_comes_nothing(said: list[str]) -> None:
    assert list(returning(iter(()))) == []
    assert said == [*BEFORE, *AFTER]


def test_an_exception_comes_after_what_was_made_before_it(said: list[str]) -> None:
    def failing() -> Iterator[int]:
        yield 1
        raise ValueError("broken frame")

    items = returning(failing())
    assert next(items) == 1
    with pytest.raises(ValueError, match="broken frame"):
        next(items)
    assert said == 2 * [*BEFORE, *AFTER]
    assert list(items) == []


def test_an_item_lives_no_longer_than_who_asked_for_it_keeps_it(said: list[str]) -> None:
    items = returning(Thing() for _ in range(2))
    thing = next(items)
    watched = weakref.ref(thing)
    del thing
    assert watched() is None
    assert isinstance(next(items), Thing)


def test_closing_early_closes_what_makes_the_items_when_it_goes(said: list[str]) -> None:
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
    assert said == [*BEFORE, *AFTER]


@pytest.mark.parametrize("lacks", ["malloc_trim", "mallopt", "both"])
def test_another_c_library_is_left_alone(lacks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        def __init__(self) -> None:
            for name in {"malloc_trim", "mallopt"} - {lacks}:
                if lacks != "both":
                    setattr(self, name, lambda *_: pytest.fail("called"))

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda _: Other())
    with returned_memory():
        pass
    assert list(returning(iter("ab"))) == ["a", "b"]
    with pytest.raises(KeyError), returned_memory():
        raise KeyError


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_elsewhere_no_library_is_looked_for(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: pytest.fail("looked for"))
    with returned_memory():
        assert list(returning(iter("ab"))) == ["a", "b"]


def test_a_block_comes_from_the_system_within_and_from_the_heap_afterwards() -> None:
    """In a process of its own: what others have freed there would be taken first."""
    done = subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip("needs a glibc that counts its blocks")
    assert done.stdout.split() == ["True", "False", "True", "False", "True"], done.stderr


COUNTED = """
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
few, many = heap.FEW_BYTES, heap.MANY_BYTES
with heap.returned_memory():
    print(mapped(2 * few), mapped(few // 2), mapped(2 * few))
print(mapped(2 * few), mapped(2 * many))
"""
