"""Names of files that come from names of other files, or from a source that somebody has written."""

from __future__ import annotations

import unicodedata

import pytest

from bgsub.base.safe_name import LONGEST, all_safe, is_safe, stem_of

UNSAFE = (
    *("", ".", "..", "../up", "/etc/passwd", "a/b", "a\\b", "..\\up", ".hidden"),
    *("a\0b", "a\nb", "\x1b[31m", "a\x7f", "a\u2028b", "a\u202egnp", "\udcff"),
    *("CON", "nul", "com1", "Lpt9.x", "x" * (LONGEST + 1), "é" * LONGEST),
)
SAFE = ("000001", "cam 1", "hafen_früh", "写真", "console", "a.b", "12-30", "x" * LONGEST)


@pytest.mark.parametrize("name", UNSAFE, ids=ascii)
def test_an_unsafe_name_gives_way_to_the_number(name):
    assert not is_safe(name)
    assert stem_of(name, 7) == "000007"
    assert all_safe(["a", name]) == ("", "")


@pytest.mark.parametrize("name", SAFE)
def test_a_safe_name_stays_and_a_file_can_have_it(tmp_path, name):
    assert stem_of(name, 7) == name
    (tmp_path / f"{name}.png").touch()
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}.png"]


def test_names_that_a_file_system_takes_for_one_are_none():
    composed = "früh"
    assert all_safe([composed, unicodedata.normalize("NFD", composed)]) == ("", "")
    assert all_safe(["A", "a"]) == ("", "")
    assert all_safe(["a", "b"]) == ("a", "b")


def test_a_name_that_another_file_has_gives_way():
    assert stem_of("Classes", 3, 2, ["classes"]) == "03"
