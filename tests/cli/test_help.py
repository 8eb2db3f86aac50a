"""What people read about the program is what the program does."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import cv2
import pytest
from clip_kit import names, scene, write_video

from bgsub import Options, __version__
from bgsub.cli.main import program
from bgsub.options.table import flag, spec_of
from bgsub.options.toml import load

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


def readme_tool():
    spec = importlib.util.spec_from_file_location("readme_options", ROOT / "apps" / "readme_options.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


@pytest.fixture
def beside_assets(tmp_path):
    """An empty folder in which ``assets/`` is where the README says."""
    (tmp_path / "assets").symlink_to(ROOT / "assets", target_is_directory=True)
    return tmp_path


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


def test_the_table_in_the_readme_is_the_option_table():
    assert readme_tool().updated(README) == README, "run: python apps/readme_options.py"


def test_the_table_in_the_readme_has_one_row_an_option():
    rows = readme_tool().table().splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == [flag(item.name) for item in fields(Options)]
    assert {row.replace("\\|", "").count("|") for row in rows} == {6}


def test_a_readme_without_markers_is_refused():
    with pytest.raises(ValueError, match="options: begin"):
        readme_tool().updated("no table here")


def test_the_readme_has_the_two_quick_start_commands():
    section = README.split("## Quick start")[1].split("\n## ")[0]
    assert "pip install . && bgsub separate assets/demo.mp4 -o out\n" in section
    assert "<!-- test -->\n```sh\npip install '.[dev]' && python -m pytest\n```" in section


def test_the_flags_that_the_readme_shows_exist():
    known = {name for command in program.commands.values() for item in command.params for name in item.opts}
    shown = [word for block in blocks("sh") for word in re.findall(r"(?<=\s)--[a-z][a-z0-9-]*", block)]
    assert [word for word in shown if word not in known] == []


def commands() -> list[str]:
    lines = [line.split("#")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    parts = [part.strip() for line in lines for part in line.split("&&")]
    return [part for part in parts if part.startswith("bgsub ")]


def stand_ins(folder: Path) -> dict[str, str]:
    """Make a clip and its truth in *folder*; return what stands in their place in the README's commands."""
    made = scene()
    write_video(folder / "cam.mp4", made.frames)
    (folder / "truth").mkdir()
    for number, mask in enumerate(made.mask, 1):
        cv2.imwrite(str(folder / "truth" / f"gt{number:06d}.png"), mask)
    words = {"VIDEO": "cam.mp4", "OUT": "results", "GROUNDTRUTH": "truth"}
    words |= {"00:01:00": "00:00.2", "00:02:00": "00:01.4", "100,50,640,400": "10,5,40,36"}
    return words | {"100,50 740,80 700,450 90,420": "10,5 60,8 56,45 9,42", "300,60,40,30": "30,6,4,3"}


@pytest.mark.slow
def test_the_commands_of_the_readme_run(beside_assets):
    places = stand_ins(beside_assets)
    shown = commands()
    assert len(shown) >= 5
    for command in shown:
        words, _, target = command.partition(" > ")
        line = [sys.executable, "-m", *(places.get(word, word) for word in shlex.split(words))]
        done = subprocess.run(line, cwd=beside_assets, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        if target:
            (beside_assets / target).write_text(done.stdout, encoding="utf-8")


@pytest.mark.slow
def test_the_python_of_the_readme_runs(beside_assets):
    script = "\n".join(blocks("python"))
    assert "bgsub.separate(" in script
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=beside_assets,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.splitlines()[-1]) > 0.8
    assert names(beside_assets) == ["assets", "camera.npz", "out"]
