"""Saved models that somebody sent: nothing is unpacked that no model holds."""

from __future__ import annotations

import io
import resource
import zipfile
from pathlib import Path

import numpy as np
import pytest

from bgsub.background.model import BackgroundModel
from bgsub.background.store import members
from bgsub.background.store.members import check_sizes
from bgsub.errors import CannotOpen, InputError


def array(values: np.ndarray) -> bytes:
    with io.BytesIO() as file:
        np.save(file, values)
        return file.getvalue()


def packed(path: Path, **contents: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(f"{name}.npy", content)
    return path


def check(path: Path, *names: str) -> None:
    with zipfile.ZipFile(path) as archive:
        check_sizes(archive, names)


def test_what_unpacks_to_far_more_than_it_holds_is_refused_unpacked(tmp_path):
    path = packed(tmp_path / "a.npz", meta=array(np.zeros(members.SMALL // 4 + 1, np.float32)))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(
        InputError, match=f"has {path.stat().st_size} bytes and unpacks to {str(members.SMALL)[:5]}"
    ):
        check(path, "meta")
    with pytest.raises(CannotOpen, match="unpacks"):
        BackgroundModel.load(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < members.SMALL // 4096


def test_what_the_file_says_is_stored_does_not_count(tmp_path, monkeypatch):
    monkeypatch.setattr(members, "SMALL", 1000)
    path = packed(tmp_path / "a.npz", meta=array(np.zeros(100_000, np.uint8)))
    with zipfile.ZipFile(path) as archive:
        archive.getinfo("meta.npy").compress_size = 10**6
        with pytest.raises(InputError, match="unpacks"):
            check_sizes(archive, ["meta"])


def test_a_header_that_claims_another_size_is_no_array(tmp_path):
    whole = array(np.zeros((4, 5), np.float32))
    check(packed(tmp_path / "whole.npz", meta=whole), "meta")
    for wrong in (
        whole.replace(b"(4, 5)", b"(4, 6)"),
        whole[:-1],
        whole + b"0",
        whole.replace(b"<f4", b"|O8"),
    ):
        with pytest.raises(ValueError, match=r"^$"):
            check(packed(tmp_path / "wrong.npz", meta=wrong), "meta")


@pytest.mark.parametrize("wrong", [b"\0", b"\x11", b"(" * 90])
def test_a_damaged_header_is_no_model(tmp_path, wrong):
    whole = array(np.array("{}"))
    place = whole.index(b"{")
    path = packed(tmp_path / "a.npz", meta=whole[:place] + wrong + whole[place + len(wrong) :])
    with pytest.raises(CannotOpen, match="not a background model"):
        BackgroundModel.load(path)


def test_a_device_is_no_model(tmp_path):
    (tmp_path / "link.npz").symlink_to("/dev/zero")
    with pytest.raises(CannotOpen, match="device or a pipe"):
        BackgroundModel.load(tmp_path / "link.npz")
