"""The files of a comparison appear together."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from bgsub.comparison.output import Results
from bgsub.render.staging import Staged


def test_a_ctrl_c_while_files_are_placed_comes_too_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    paths = [tmp_path / "a.json", tmp_path / "b.md"]
    place = Staged.place

    def interrupted(staged: Staged) -> None:
        signal.raise_signal(signal.SIGINT)
        place(staged)

    monkeypatch.setattr(Staged, "place", interrupted)
    files = Results(paths)
    files.prepare()
    for path in paths:
        files.write(path, "new")
    files.place()
    assert sorted(tmp_path.iterdir()) == paths
