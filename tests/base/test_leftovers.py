"""What a killed run has left goes with the next run to the same place; what a living one writes stays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from render_kit import names

from bgsub.base.leftovers import leftovers
from bgsub.base.staging import Staged

pytestmark = pytest.mark.skipif(os.name != "posix", reason="only POSIX tells whether a process lives")

WRITER = """
import sys, time
from pathlib import Path
from bgsub.base.staging import Staged
for name in sys.argv[2:]:
    staged = Staged(Path(sys.argv[1]) / name, is_folder=name == "frames")
    staged.prepare()
    if name == "frames":
        (staged.partial / "000001.png").write_bytes(b"half")
print("ready", flush=True)
time.sleep(60)
"""


def writer(folder: Path, *targets: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), *targets], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def killed(folder: Path, *targets: str) -> list[str]:
    """Return the names that a process which was killed has left."""
    with writer(folder, *targets) as process:
        process.kill()
    return names(folder)


def begin(target: Path, is_folder: bool = False) -> Staged:
    staged = Staged(target, is_folder)
    staged.prepare()
    return staged


def test_the_next_run_removes_what_a_killed_one_has_left(tmp_path: Path) -> None:
    assert len(killed(tmp_path, "mask.mkv", "frames")) == 2
    begin(tmp_path / "mask.mkv").discard()
    assert [name.split(".part")[0] for name in names(tmp_path)] == [".frames"]
    begin(tmp_path / "frames", is_folder=True).discard()
    assert names(tmp_path) == []


def test_what_a_living_process_writes_is_left_alone(tmp_path: Path) -> None:
    with writer(tmp_path, "mask.mkv") as process:
        before = names(tmp_path)
        begin(tmp_path / "mask.mkv").discard()
        assert names(tmp_path) == before
        process.kill()


def test_what_is_another_targets_or_another_machines_or_only_looks_alike_is_left_alone(
    tmp_path: Path,
) -> None:
    (left,) = killed(tmp_path, "mask.mkv")
    number, serial, host = left.removeprefix(".mask.mkv.part-").split("-")
    others = [
        f".other.mkv.part-{number}-{serial}-{host}",
        f".mask.mkv.part-{number}-{serial}-{'0' * 8 if host != '0' * 8 else '1' * 8}",
        f".mask.mkv.part-{number}-{serial}",
        f".mask.mkv.part-{number}-{serial}-{host}.mkv",
        f"mask.mkv.part-{number}-{serial}-{host}",
        ".mask.mkv.part-1-0-" + host,
    ]
    for name in others:
        (tmp_path / name).touch()
    begin(tmp_path / "mask.mkv").discard()
    assert names(tmp_path) == sorted(others)


def test_a_folder_that_must_not_be_listed_holds_nothing_to_remove(tmp_path: Path) -> None:
    assert list(leftovers(tmp_path / "none", ".mask.mkv.part-")) == []
