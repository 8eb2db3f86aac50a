"""apps/structure: what it counts in a small program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_a_small_program_is_measured(tmp_path: Path) -> None:
    package = tmp_path / "bgsub"
    for name, text in {
        "__init__.py": "",
        "loose.py": "MOST = 3\nfrom bgsub.room import one\n",
        "room/__init__.py": "",
        "room/one.py": "from bgsub.room import two\n",
        "room/two.py": "def f():\n    from bgsub.room import one\n",
    }.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    (tmp_path / "README.md").write_text("one\ntwo\n")
    command = [sys.executable, str(ROOT / "apps" / "structure"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = {
        cells[1].strip(): cells[2].strip() for cells in (line.split("|") for line in done.stdout.splitlines())
    }
    assert rows["modules"] == "5"
    assert rows["modules loose at the top"] == rows["named numbers"] == rows["circles of modules"] == "1"
    assert rows["arrows between rooms"] == "1"
    assert rows["circles of rooms"] == "0"
    assert rows["lines of README.md"] == "2"
