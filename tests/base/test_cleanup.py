"""What is half done goes when the program ends at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from render_kit import names

from bgsub.base.cleanup import begun, over, sweep
from bgsub.base.publish import Publication
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
        files = Publication()
        files.write(folder / "video.mp4", b"half")
        (files.make(folder / "frames", is_folder=True) / "1.png").touch()
        assert len(names(folder)) == 1
        sweep()
        assert names(tmp_path) == []
        raise OutputError("ended")


def test_what_was_published_or_discarded_is_left_alone(tmp_path: Path):
    for name in ("published", "discarded"):
        with Publication() as files:
            place = files.make(tmp_path / name)
            place.touch()
            if name == "published":
                files.publish()
    place.parent.mkdir()
    sweep()
    assert names(tmp_path) == sorted([place.parent.name, "published"])


def test_nothing_is_added_to_a_folder_that_goes(tmp_path: Path):
    before = Publication().make(tmp_path / "frames", is_folder=True)
    sweep()
    with pytest.raises(FileNotFoundError):
        (before / "000001.png").write_bytes(b"late")
    assert names(tmp_path) == []
