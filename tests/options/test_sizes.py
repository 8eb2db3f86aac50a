"""Sizes in bytes, as people write them, and the option that takes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgsub import Options
from bgsub.errors import OptionError, UsageError
from bgsub.options import toml
from bgsub.options.sizes import megabytes, parse_size

SIZES = [
    ("1500000000", 1_500_000_000),
    ("1.5G", 1_500_000_000),
    ("1.5 GB", 1_500_000_000),
    ("800M", 800_000_000),
    ("800mb", 800_000_000),
    ("64k", 64_000),
    ("2GiB", 2_147_483_648),
    ("2gi", 2_147_483_648),
    ("1.5 MiB", 1_572_864),
    ("512KiB", 524_288),
    ("0.001T", 1_000_000_000),
    (" 7B ", 7),
    ("2e9", 2_000_000_000),
    (".5G", 500_000_000),
]
NO_SIZES = [
    "",
    "G",
    "1.5X",
    "nan",
    "inf",
    "1..5G",
    "1,5G",
    "1 5G",
    "G1",
    "1iB",
    "1.5GBB",
    "0x10",
    "٣G",
    "1e999",
    "1.5",
    ".5 B",
]


def test_a_size_is_read():
    for text, size in SIZES:
        assert parse_size(text) == size, text
        assert toml.parse("memory", text) == size, text


@given(st.integers(0, 10**12))
def test_plain_bytes_are_exact(size):
    assert parse_size(str(size)) == size


def test_what_is_no_size_is_refused_in_a_line_that_shows_one():
    for text in NO_SIZES:
        with pytest.raises(ValueError, match="expected a size"):
            parse_size(text)
        if text:  # an empty text in a file means that nothing is asked for
            with pytest.raises(UsageError, match=r"^--memory: cannot read .*: expected a size"):
                toml.parse("memory", text)


def test_nothing_and_less_than_nothing_are_out_of_range():
    for text in ("0", "0.0G", "-5", "-1.5G"):
        with pytest.raises(OptionError, match=r"^--memory is -?[0-9.e+]+, but must be > 0 bytes$"):
            Options(memory=toml.parse("memory", text))


def test_a_file_may_hold_a_size_or_a_number_of_bytes(tmp_path):
    lines = {'"1.5G"': 1_500_000_000, "800000000": 800_000_000, "1.5e9": 1_500_000_000, '"auto"': None}
    for line, size in lines.items():
        (tmp_path / "my.toml").write_text(f"memory = {line}")
        options = Options(**toml.load(tmp_path / "my.toml"))
        assert options.memory == size
        (tmp_path / "again.toml").write_text(toml.dump(options))
        assert Options(**toml.load(tmp_path / "again.toml")) == options


def test_a_file_with_a_wrong_size_is_named(tmp_path):
    (tmp_path / "my.toml").write_text('memory = "much"')
    with pytest.raises(UsageError, match=r"my.toml: --memory: cannot read 'much': expected a size"):
        toml.load(tmp_path / "my.toml")


def test_what_is_needed_is_rounded_up_and_what_there_is_down():
    assert [megabytes(size) for size in (0, 1, 329_000_000, 329_000_001)] == [
        "0 MB",
        "1 MB",
        "329 MB",
        "330 MB",
    ]
    assert megabytes(329_999_999, up=False) == "329 MB"


def test_python_takes_and_refuses_what_the_command_line_does():
    for value, size in (("1.5G", 1_500_000_000), (1.5e9, 1_500_000_000), (800, 800), (None, None)):
        assert Options(memory=value).memory == size
    with pytest.raises(UsageError, match=r"^--memory: cannot read 'much': expected a size"):
        Options(memory="much")
