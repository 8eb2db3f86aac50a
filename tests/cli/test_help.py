"""What people read about the program is what the program does."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from bgsub import Options, __version__
from bgsub.cli.main import program
from bgsub.options.table import flag, spec_of
from bgsub.options.toml import load

ROOT = Path(__file__).resolve().parents[2]


def test_help_names_every_command(call):
    done = call("--help")
    assert (done.code, done.err) == (0, "")
    assert [name for name in program.commands if name not in done.out] == []


@pytest.mark.parametrize(
    ("words", "encoding"), [(["--print-config"], "ascii"), (["--help"], "cp1252"), (["--help"], "ascii")]
)
def test_standard_output_need_not_be_utf_8(words, encoding, tmp_path):
    command = [sys.executable, "-m", "bgsub", "separate", *words]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, env=environment, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")
    if "--print-config" in words:
        # A file of options is UTF-8, whatever standard output is.
        (tmp_path / "my.toml").write_bytes(done.stdout)
        assert load(tmp_path / "my.toml").keys() == {item.name for item in fields(Options)}
    assert done.stdout.decode("utf-8")


def test_no_words_at_all_are_answered_with_the_help(call):
    done = call()
    assert (done.code, done.err) == (2, "")
    assert done.out == call("--help").out


def test_the_version_is_told(call):
    assert call("--version").out == f"bgsub, version {__version__}\n"


def test_every_option_of_the_table_is_in_the_help_with_range_and_default(call):
    for command in ("separate", "info"):
        text = " ".join(call(command, "--help").out.split())
        for item in fields(Options):
            spec = spec_of(item)
            assert flag(item.name) in text
            assert spec.help in text
            assert spec.range in text
            assert not spec.automatic or f"default: {spec.automatic}" in text


def test_help_needs_no_other_argument(call):
    for command in program.commands:
        done = call(command, "-h")
        assert done.code == 0
        assert done.out.startswith(f"Usage: bgsub {command} ")
