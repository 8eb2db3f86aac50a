"""Files and folders that hold footage in a way that is not read: one line says what to do."""

from __future__ import annotations

import gzip
import shutil
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from bgsub.errors import CannotOpen
from bgsub.frames.read.open import open_source


def zipped(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.png", b"picture")


def tarred(path: Path, how: str = "w") -> None:
    (path.parent / "inside.txt").write_text("picture")
    with tarfile.open(path, how) as file:
        file.add(path.parent / "inside.txt")


CASES = {
    "a.npy": (lambda path: np.save(path, np.zeros((4, 5, 6), np.uint8)), "numpy.load"),
    "a.npz": (lambda path: np.savez(path, frames=np.zeros((4, 5, 6), np.uint8)), "numpy.load"),
    "a.zip": (zipped, "unpack it first"),
    "a.tar": (tarred, "unpack it first"),
    "a.tar.gz": (lambda path: tarred(path, "w:gz"), "unpack it first"),
    "a.txz": (lambda path: tarred(path, "w:xz"), "unpack it first"),
    "a.gz": (lambda path: path.write_bytes(gzip.compress(b"film")), "unpack it first"),
    "a.h5": (lambda path: path.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(500)), "h5py"),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("called", ["", "film.mp4", "picture.png"])
def test_archives_and_arrays_are_told_from_footage_under_any_name(tmp_path, name, called):
    make, words = CASES[name]
    path = tmp_path / name
    make(path)
    if called:
        if name == "a.npz":
            pytest.skip("only its name tells an archive of arrays from others")
        path = Path(shutil.move(path, tmp_path / called))
    with pytest.raises(CannotOpen, match=words) as caught:
        open_source(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_an_array_s_line_says_works(tmp_path, clip):
    np.save(tmp_path / "a.npy", clip)
    read = [frame.image for frame in open_source(np.load(tmp_path / "a.npy", mmap_mode="r"))]
    np.testing.assert_array_equal(read, clip)


@pytest.mark.parametrize("suffix", [".mkv", ".GIF", ".MP4"])
def test_a_folder_of_videos_names_one_of_them(tmp_path, suffix):
    for name in ("cam10", "cam2"):
        (tmp_path / f"{name}{suffix}").touch()
    with pytest.raises(CannotOpen, match=r"2 videos; name one at a time") as caught:
        open_source(tmp_path)
    assert str(caught.value).endswith(str(tmp_path / f"cam2{suffix}"))


def test_a_wildcard_over_several_animations_names_one_of_them(tmp_path, clip):
    first, *others = (Image.fromarray(image) for image in clip)
    for name in ("a.gif", "b.gif"):
        first.save(tmp_path / name, save_all=True, append_images=others)
    with pytest.raises(CannotOpen, match="name one video at a time") as caught:
        open_source(tmp_path / "*.gif")
    named = str(caught.value).rpartition(" ")[2]
    assert len(list(open_source(named))) == len(clip)
    assert len(list(open_source(tmp_path / "a*.gif"))) == len(clip)


@pytest.mark.parametrize("name", ["cam[1].png", "[a] b[2].png", "[[.png", "a[!b].png"])
def test_brackets_that_match_nothing_say_how_they_are_written(tmp_path, name, clip, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CannotOpen) as caught:
        open_source("no" + name)
    if "is written" not in str(caught.value):
        return
    written = str(caught.value).split("is written ")[1]
    Image.fromarray(clip[0]).save(tmp_path / ("no" + name))
    source = open_source(written)
    np.testing.assert_array_equal([frame.image for frame in source], clip[:1])


def test_a_file_that_has_brackets_is_named_literally(tmp_path, clip):
    Image.fromarray(clip[0]).save(tmp_path / "cam[1].png")
    Image.fromarray(clip[1]).save(tmp_path / "cam1.png")
    [frame] = open_source(tmp_path / "cam[1].png")
    np.testing.assert_array_equal(frame.image, clip[0])


def test_things_held_by_name_are_refused(clip):
    for target in ({"frames": clip}, {1, 2}):
        with pytest.raises(CannotOpen, match="cannot read footage from a"):
            open_source(target)
