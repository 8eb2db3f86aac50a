"""README and docs: links lead somewhere, commands run, tables are those of the program."""

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
import numpy as np
import pytest
from clip_kit import names, scene, write_video

from bgsub import Options
from bgsub.cli.main import program
from bgsub.options.table import flag

ROOT = Path(__file__).resolve().parents[1]
GUIDE = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
"""What is for users."""
PAGES = [*GUIDE, ROOT / "CONTRIBUTING.md"]
TEXTS = {page: page.read_text(encoding="utf-8") for page in PAGES}
README = TEXTS[ROOT / "README.md"]


def blocks(language: str) -> list[str]:
    found = (
        re.findall(rf"^```{language}\n(.*?)^```$", TEXTS[page], flags=re.DOTALL | re.MULTILINE)
        for page in GUIDE
    )
    return [block for page in found for block in page]


def options_tool():
    spec = importlib.util.spec_from_file_location("docs_options", ROOT / "apps" / "docs_options.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


@pytest.fixture
def beside_assets(tmp_path):
    """A folder with ``assets/``, where the README says, and an array of thermal pictures."""
    frames = np.random.default_rng(0).integers(29_500, 30_000, (20, 40, 40), dtype=np.uint16)
    np.save(tmp_path / "thermal.npy", frames)
    (tmp_path / "assets").symlink_to(ROOT / "assets", target_is_directory=True)
    return tmp_path


def test_links_to_files_and_headings_lead_somewhere():
    lost = []
    for page, text in TEXTS.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if "://" in link:
                continue
            file, _, heading = link.partition("#")
            target = page.parent / file if file else page
            known = target.exists() and (
                not heading
                or heading in map(anchor, re.findall(r"^#+ (.*)$", TEXTS[target.resolve()], re.MULTILINE))
            )
            lost += [] if known else [f"{page.name}: {link}"]
    assert lost == []


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def test_every_page_is_in_the_navigation_and_the_other_way_round():
    listed = re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(page.name for page in (ROOT / "docs").glob("*.md"))


def test_modules_named_in_prose_are_there():
    text = "\n".join(TEXTS.values())
    files = set(re.findall(r"`(bgsub/[\w/]+\.py|tests/[\w/]+\.py|apps/[\w/]+(?:\.py|\.md))`", text))
    assert files
    assert [file for file in sorted(files) if not (ROOT / file).exists()] == []


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_asks_no_other_host(tmp_path):
    pytest.importorskip("material", reason="needs the extra 'docs'")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path / "site")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 15
    for page in pages:
        html = page.read_text(encoding="utf-8")
        assert (
            re.findall(r"<(?:script|img|link|iframe)[^>]*(?:src|href)=\"(?:https?:)?//[^\"]*", html) == []
        ), page


def test_the_table_of_options_is_that_of_the_program():
    text = TEXTS[ROOT / "docs" / "options.md"]
    assert options_tool().updated(text) == text, "run: python apps/docs_options.py"


def test_the_table_of_options_has_one_row_an_option():
    rows = options_tool().table().splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == [flag(item.name) for item in fields(Options)]
    assert {row.replace("\\|", "").count("|") for row in rows} == {6}


def test_a_page_without_markers_is_refused():
    with pytest.raises(ValueError, match="options: begin"):
        options_tool().updated("no table here")


def test_the_readme_has_the_two_quick_start_commands():
    section = README.split("## Quick start")[1].split("\n## ")[0]
    assert "pip install . && bgsub assets/demo.mp4 -o out\n" in section
    assert "<!-- test -->\n```sh\npip install '.[dev]' && python -m pytest\n```" in section


def test_the_flags_that_are_shown_exist():
    known = {name for command in program.commands.values() for item in command.params for name in item.opts}
    shown = [word for block in blocks("sh") for word in re.findall(r"(?<=\s)--[a-z][a-z0-9-]*", block)]
    assert [word for word in shown if word not in known] == []


def commands() -> list[str]:
    lines = [line.split("#")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    parts = [part.strip() for line in lines for part in line.split("&&")]
    # There is no camera here.
    return list(dict.fromkeys(part for part in parts if part.startswith("bgsub ") and "://" not in part))


def stand_ins(folder: Path) -> dict[str, str]:
    """Make a clip and its truth in *folder*; return what stands in their place in the README's commands."""
    made = scene()
    write_video(folder / "cam.mp4", made.frames)
    (folder / "truth").mkdir()
    for number, mask in enumerate(made.mask, 1):
        cv2.imwrite(str(folder / "truth" / f"gt{number:06d}.png"), mask)
    cv2.imwrite(str(folder / "empty.jpg"), made.wall[0])
    words = {"VIDEO": "cam.mp4", "OUT": "results", "GROUNDTRUTH": "truth"}
    words |= {"00:01:00": "00:00.2", "00:02:00": "00:01.4", "100,50,640,400": "10,5,40,36"}
    words |= {
        "door=10,80,40,120": "door=10,8,40,12",
        "lawn=0,200 320,160 320,240 0,240": "lawn=0,20 32,16 32,24 0,24",
    }
    return words | {"100,50 740,80 700,450 90,420": "10,5 60,8 56,45 9,42", "300,60,40,30": "30,6,4,3"}


@pytest.mark.slow
def test_the_commands_that_are_shown_run(beside_assets):
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
def test_the_python_that_is_shown_runs(beside_assets):
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
    assert names(beside_assets) == ["assets", "camera.npz", "out", "thermal.npy"]
