from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from render_kit import names

from bgsub.base.staging import Staged
from bgsub.base.write_errors import output_error, writing
from bgsub.errors import OutputError


def staged(path: Path, text: str = "new") -> Staged:
    result = Staged(path)
    result.prepare()
    result.partial.write_text(text)
    return result


def test_two_writers_of_one_process_do_not_share_a_partial(tmp_path: Path) -> None:
    assert staged(tmp_path / "a").partial != staged(tmp_path / "a").partial


def test_a_stale_partial_is_replaced(tmp_path: Path) -> None:
    staged(tmp_path / "a", "stale")
    again = Staged(tmp_path / "a")
    again.prepare()
    assert again.partial.read_bytes() == b""


def test_a_failed_place_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    result = staged(tmp_path / "a")
    result.partial.unlink()
    with pytest.raises(OutputError, match="cannot write"):
        result.place()
    result.settle()
    assert (tmp_path / "a").read_text() == "old"
    assert names(tmp_path) == ["a"]


def test_a_link_is_replaced_and_what_it_points_to_is_not(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("old")
    (tmp_path / "a").symlink_to(tmp_path / "elsewhere")
    result = staged(tmp_path / "a")
    result.place()
    result.settle()
    assert (tmp_path / "a").read_text() == "new"
    assert not (tmp_path / "a").is_symlink()
    assert (tmp_path / "elsewhere").read_text() == "old"


def test_a_folder_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(OutputError, match="it is a folder; give a file name"):
        Staged(tmp_path / "a")


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no device files here")
def test_a_device_is_not_replaced() -> None:
    with pytest.raises(OutputError, match="not a regular file"):
        Staged(Path("/dev/null"))


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
