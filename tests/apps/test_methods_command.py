"""The command that puts one clip through every method and pair of terms."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest
from benchmark import methods

ROOT = Path(__file__).resolve().parents[2]


def run(out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "apps/benchmark/methods.py"), "--out", str(out)]
    command += ["--data", str(out / "none"), "--scale", "0.2", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_trial_writes_numbers_a_table_and_a_picture_and_a_second_call_goes_on(tmp_path: Path) -> None:
    assert run(tmp_path, "--only", "alt-pgcg nuclear l", "--without", "lp").returncode == 0
    first = json.loads((tmp_path / "methods.json").read_text())
    assert [(row["method"], row["low_rank"], row["sparse"]) for row in first] == [
        ("alt-pgcg", "nuclear", "l1")
    ]
    (tmp_path / "page.md").write_text("before\n<!-- table: begin -->\nold\n<!-- table: end -->\nafter\n")
    to = ("--picture", str(tmp_path / "copy.png"), "--table", str(tmp_path / "page.md"))
    done = run(tmp_path, "--only", "alt-pgcg nuclear l", *to)
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "methods.json").read_text())
    assert [row["sparse"] for row in rows] == ["l1", "lp"]
    assert rows[0] == first[0]
    assert all(0 <= row["gap"] <= 1 and row["iterations"] > 0 for row in rows)
    assert (tmp_path / "methods.md").read_text().count("\n") == 4
    assert (tmp_path / "methods.md").read_text() in done.stdout
    page = (tmp_path / "page.md").read_text()
    assert page.splitlines()[0::7] == ["before", "after"]
    assert "old" not in page
    picture = cv2.imread(str(tmp_path / "copy.png"))
    assert picture.std() > 20
    assert (picture == cv2.imread(str(tmp_path / "methods.png"))).all()


def test_a_choice_that_there_is_not_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert methods.main(["--out", str(tmp_path), "--only", "simplex"]) == 1
    assert capsys.readouterr().err == "no choice holds 'simplex'\n"
