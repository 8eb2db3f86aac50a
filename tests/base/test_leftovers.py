"""What a killed run has left goes with the next run to the same place; what a living one writes stays."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from render_kit import names

from bgsub.base.leftovers import leftovers
from bgsub.base.publish import GONE, HIDDEN, Publication
from bgsub.errors import OutputError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="only POSIX tells whether a process lives")

WRITER = """
import sys, time
from pathlib import Path
from bgsub.base.publish import Publication
files = Publication()
files.write(Path(sys.argv[1]) / "mask.mkv", b"half")
(files.make(Path(sys.argv[1]) / "frames", is_folder=True) / "000001.png").write_bytes(b"half")
print("ready", flush=True)
time.sleep(60)
"""


def writer(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def killed(folder: Path) -> list[str]:
    """Return the names that a process which was killed has left."""
    with writer(folder) as process:
        process.kill()
    return names(folder)


def publish(place: Path) -> None:
    with Publication() as files:
        files.write(place, "whole")
        files.publish()


def test_the_next_run_removes_what_a_killed_one_has_left(tmp_path: Path) -> None:
    assert [name[: len(HIDDEN)] for name in killed(tmp_path)] == [HIDDEN]
    publish(tmp_path / "other")
    assert names(tmp_path) == ["other"]


KILLED_BETWEEN = """
import os, signal, sys
from pathlib import Path
from bgsub.base.publish import Publication
files = Publication()
(files.make(Path(sys.argv[1]) / "frames", is_folder=True) / "1.png").write_bytes(b"new")
Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
files.publish()
"""


def test_a_folder_whose_name_was_free_when_the_process_died_is_brought_back(tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames" / "1.png").write_bytes(b"old")
    subprocess.run([sys.executable, "-c", KILLED_BETWEEN, str(tmp_path)], check=False)
    assert "frames" not in names(tmp_path)
    publish(tmp_path / "other")
    assert names(tmp_path) == ["frames", "other"]
    assert (tmp_path / "frames" / "1.png").read_bytes() == b"old"


def test_what_was_set_aside_stays_in_the_hidden_folder_as_long_as_its_name_cannot_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "frames"
    place.mkdir()
    (place / "1.png").write_bytes(b"old")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refused)
        with Publication() as files:
            files.make(place, is_folder=True)
            with pytest.raises(OutputError):
                files.publish()
    (left,) = names(tmp_path)
    assert (tmp_path / left / "earlier" / "frames" / "1.png").read_bytes() == b"old"


def refused(path: Path, target: Path) -> None:
    raise OSError(errno.EIO, "x")


def test_what_was_on_its_way_out_when_the_process_died_goes_too(tmp_path: Path) -> None:
    (left,) = killed(tmp_path)
    (tmp_path / left).rename(tmp_path / (GONE + left.removeprefix(HIDDEN)))
    publish(tmp_path / "other")
    assert names(tmp_path) == ["other"]


def test_what_a_living_process_writes_is_left_alone(tmp_path: Path) -> None:
    with writer(tmp_path) as process:
        (before,) = names(tmp_path)
        publish(tmp_path / "mask.mkv")
        assert names(tmp_path) == [before, "mask.mkv"]
        process.kill()


def test_what_is_another_programs_or_another_machines_or_only_looks_alike_is_left_alone(
    tmp_path: Path,
) -> None:
    (left,) = killed(tmp_path)
    number, serial, host = left.removeprefix(HIDDEN).split("-")
    others = [
        f".other-{number}-{serial}-{host}",
        f"{HIDDEN}{number}-{serial}-{'0' * 8 if host != '0' * 8 else '1' * 8}",
        f"{HIDDEN}{number}-{serial}",
        f"{HIDDEN}{number}-{serial}-{host}.mkv",
        f"{HIDDEN[1:]}{number}-{serial}-{host}",
        f"{HIDDEN}1-0-{host}",
    ]
    for name in others:
        (tmp_path / name).touch()
    publish(tmp_path / "mask.mkv")
    assert names(tmp_path) == sorted([*others, "mask.mkv"])


def test_a_folder_that_must_not_be_listed_holds_nothing_to_remove(tmp_path: Path) -> None:
    assert list(leftovers(tmp_path / "none", HIDDEN)) == []
