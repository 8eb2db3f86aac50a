"""What is half done goes when the program ends at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from render_kit import names

from bgsub.base.cleanup import begun, over, sweep
from bgsub.base.staging import Staged
from bgsub.errors import OutputError
from bgsub.render.folder import output_folder


def test_the_latest_goes_first_and_what_cannot_go_keeps_nothing_else():
    gone: list[str] = []

    def fail() -> None:
        gone.append("tried")
        raise OSError("busy")

    begun("folder", lambda: gone.append("folder"))
    begun("busy", fail)
    begun("file", lambda: gone.append("file"))
    begun("done", lambda: gone.append("done"))
    over("done")
    over("never begun")
    sweep()
    sweep()
    assert gone == ["file", "tried", "folder"]


def test_partials_and_the_folders_made_for_them_go(tmp_path: Path):
    with pytest.raises(OutputError), output_folder(tmp_path / "a" / "b") as folder:  # noqa: PT012
        for name, is_folder in (("video.mp4", False), ("frames", True)):
            Staged(folder / name, is_folder).prepare()
        (next(path for path in folder.iterdir() if "frames" in path.name) / "1.png").touch()
        assert len(names(folder)) == 2
        sweep()
        assert names(tmp_path) == []
        raise OutputError("ended")


def test_what_was_placed_or_discarded_is_left_alone(tmp_path: Path):
    for place, is_folder in (("files", False), ("folders", True)):
        folder = tmp_path / place
        folder.mkdir()
        placed, dropped = (Staged(folder / name, is_folder) for name in ("placed", "dropped"))
        for staged in (placed, dropped):
            staged.prepare()
        placed.place()
        placed.settle()
        dropped.discard()
        dropped.partial.touch()
        sweep()
        assert names(folder) == sorted([dropped.partial.name, "placed"]), place


def test_nothing_is_added_to_a_folder_that_goes(tmp_path: Path):
    staged = Staged(tmp_path / "frames", is_folder=True)
    staged.prepare()
    before = staged.partial
    sweep()
    with pytest.raises(FileNotFoundError):
        (before / "000001.png").write_bytes(b"late")
    assert names(tmp_path) == []
