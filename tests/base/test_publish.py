"""Files appear together, whole, or not at all."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path

import pytest
from render_kit import names

from bgsub.base.publish import Publication
from bgsub.base.write_errors import output_error, writing
from bgsub.errors import OutputError


def made(files: Publication, *places: Path, text: str = "new") -> None:
    """Write a file, or a folder of one picture where the name has no suffix, for each place."""
    for place in places:
        if place.suffix:
            files.write(place, text)
        else:
            (files.make(place, is_folder=True) / "1.png").write_text(text)


def everything(folder: Path) -> dict[str, str]:
    """Return the text of every file by its path, hidden ones too."""
    return {
        path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()
    }


def test_nothing_is_seen_before_all_is_published_and_nothing_hidden_stays(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    places = [tmp_path / "a.json", tmp_path / "frames", tmp_path / "other" / "b.json"]
    with Publication() as files:
        made(files, *places)
        assert [name for name in names(tmp_path) if not name.startswith(".bgsub-")] == ["other"]
        files.publish()
    assert everything(tmp_path) == {"a.json": "new", "frames/1.png": "new", "other/b.json": "new"}
    assert names(tmp_path) == ["a.json", "frames", "other"]


def test_an_exception_leaves_nothing_and_what_was_asked_for_but_not_written_does_not_appear(
    tmp_path: Path,
) -> None:
    def run() -> None:
        with Publication() as files:
            made(files, tmp_path / "a.json", tmp_path / "frames")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run()
    assert names(tmp_path) == []
    with Publication() as files:
        files.make(tmp_path / "never.json")
        made(files, tmp_path / "a.json")
        files.publish()
    assert names(tmp_path) == ["a.json"]


def test_one_that_cannot_have_its_name_takes_all_back_and_brings_back_what_was_there(tmp_path: Path) -> None:
    places = [tmp_path / "a.json", tmp_path / "frames", tmp_path / "b.json"]
    with Publication() as files:
        made(files, *places, text="old")
        files.publish()
    with Publication() as files:
        made(files, *places, tmp_path / "last.json")
        (tmp_path / "last.json").mkdir()
        with pytest.raises(OutputError, match=r"last\.json: it is a folder"):
            files.publish()
    assert everything(tmp_path) == {"a.json": "old", "frames/1.png": "old", "b.json": "old"}
    assert names(tmp_path) == ["a.json", "b.json", "frames", "last.json"]


def test_a_file_that_cannot_be_renamed_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.json").write_text("old")
    replace = Path.replace

    def failing(path: Path, target: Path) -> Path:
        if path.name == "0.json":
            raise OSError(errno.EIO, "x")
        return replace(path, target)

    with Publication() as files:
        made(files, tmp_path / "a.json")
        monkeypatch.setattr(Path, "replace", failing)
        with pytest.raises(OutputError, match=r"cannot write .*a\.json: "):
            files.publish()
    assert everything(tmp_path) == {"a.json": "old"}


def test_a_file_that_is_replaced_never_lacks_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    for name in ("rename", "replace"):
        move = getattr(Path, name)

        def watched(path: Path, target: Path, move=move) -> Path:
            moved = move(path, target)
            seen.append((tmp_path / "a.json").exists())
            return moved

        monkeypatch.setattr(Path, name, watched)
    for text in ("old", "new"):
        with Publication() as files:
            made(files, tmp_path / "a.json", text=text)
            files.publish()
    assert seen
    assert all(seen)
    assert everything(tmp_path) == {"a.json": "new"}


def test_paths_are_those_of_the_folder_it_was_begun_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with Publication() as files:
        monkeypatch.chdir(tmp_path / "elsewhere")
        made(files, Path("a.json"))
        files.publish()
    assert everything(tmp_path) == {"a.json": "new"}


def test_a_link_is_replaced_and_what_it_points_to_is_not(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("old")
    for target in ("elsewhere", "gone"):
        (tmp_path / "a.json").unlink(missing_ok=True)
        (tmp_path / "a.json").symlink_to(tmp_path / target)
        with Publication() as files:
            made(files, tmp_path / "a.json")
            files.publish()
        assert not (tmp_path / "a.json").is_symlink()
        assert everything(tmp_path) == {"a.json": "new", "elsewhere": "old"}


def test_what_may_not_be_replaced_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine.txt").touch()
    (tmp_path / "file").touch()
    for name, is_folder, says in (
        ("folder", False, "it is a folder; give a file name"),
        ("folder", True, r"it holds 'mine\.txt', which no run of bgsub"),
        ("file", True, "a file has this name"),
        ("absent/a", False, "its folder does not exist; create it first"),
        ("file/a", False, "cannot write"),
    ):
        with pytest.raises(OutputError, match=says), Publication() as files:
            files.make(tmp_path / name, is_folder)
        assert names(tmp_path) == ["file", "folder"], name


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no device files here")
def test_a_device_is_not_replaced() -> None:
    with pytest.raises(OutputError, match="not a regular file"), Publication() as files:
        files.make(Path("/dev/null"))


def test_one_place_is_for_one_output_however_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Publication() as files:
        files.make(tmp_path / "a.png")
        with pytest.raises(OutputError, match="two outputs have the same path"):
            files.make("a.png")


def test_two_of_one_process_do_not_meet(tmp_path: Path) -> None:
    with Publication() as one, Publication() as two:
        made(one, tmp_path / "a.json", text="one")
        made(two, tmp_path / "a.json", text="two")
        two.publish()
        one.publish()
    assert everything(tmp_path) == {"a.json": "one"}


def test_an_interrupt_while_files_are_renamed_comes_too_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, before = Path.replace, signal.getsignal(signal.SIGINT)

    def interrupted(path: Path, target: Path) -> Path:
        signal.raise_signal(signal.SIGINT)
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with Publication() as files:
        made(files, tmp_path / "a.json", tmp_path / "b.json")
        files.publish()
    assert names(tmp_path) == ["a.json", "b.json"]
    assert signal.getsignal(signal.SIGINT) is before


def test_the_usual_failures_say_what_to_do() -> None:
    told = {errno.ENOSPC: "the disk is full", errno.EACCES: "no permission", errno.EROFS: "read-only"}
    for number, advice in told.items():
        with pytest.raises(OutputError, match=advice) as caught, writing(Path("out/a.mp4")):
            raise OSError(number, "x")
        assert str(caught.value).startswith("cannot write out/a.mp4: "), advice


def test_other_failures_are_said_in_the_systems_words() -> None:
    assert (
        str(output_error(Path("a"), OSError(errno.EIO, "x"))) == f"cannot write a: {os.strerror(errno.EIO)}"
    )
    assert str(output_error(Path("a"), ValueError("odd"))) == "cannot write a: odd"
