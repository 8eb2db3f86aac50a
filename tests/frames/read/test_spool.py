"""Frames that can be had only once: kept on disk, bounded in memory, and gone afterwards."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest

from bgsub.errors import CannotDecode, InputError, OutputError
from bgsub.frames.read.open import open_source


@pytest.mark.parametrize("dtype", ["u1", "u2", "f4", "?"])
@pytest.mark.parametrize("channels", [(), (1,), (3,), (4,)])
def test_an_iterator_is_read_as_the_array_of_its_frames(dtype, channels):
    frames = (np.random.default_rng(0).random((7, 12, 15, *channels)) * 255).astype(dtype)
    given = {"range": (0, 300)} if dtype != "?" else {}
    for iterator in ((frame for frame in frames), iter(list(frames)), map(np.asfortranarray, frames)):
        source = open_source(iterator, **given)
        for _ in range(2):
            expected = [frame.image for frame in open_source(frames, **given)]
            np.testing.assert_array_equal([frame.image for frame in source], expected)


def test_one_frame_is_in_memory_at_a_time():
    def frames() -> Iterator[np.ndarray]:
        for level in range(60):
            yield np.full((500, 600), level, np.uint8)

    tracemalloc.start()
    source = open_source(frames())
    assert sum(int(frame.image[0, 0]) for frame in source) == sum(range(60))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * 500 * 600


def test_nothing_stays_in_the_temporary_folder(tmp_path, monkeypatch, clip):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def broken() -> Iterator[np.ndarray]:
        yield from clip
        raise RuntimeError("the camera is gone")

    source = open_source(iter(clip))
    assert list(source)
    del source
    with pytest.raises(RuntimeError, match="the camera is gone"):
        open_source(broken())
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_line(tmp_path):
    pytest.importorskip("resource")
    script = (
        "import resource, signal, numpy, bgsub; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY));"
        "bgsub.open_source(numpy.zeros((100, 100), 'u1') for _ in range(50))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"{OutputError.__module__}.{OutputError.__name__}: cannot keep the frames")
    assert str(tmp_path) in last
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_picture_is_named_with_its_place(clip):
    for wrong, words in [
        ("a.png", "a str at frame 2"),
        (clip[0, :, :5], r"frame 2 is \(32, 5, 3\)"),
        (clip[0].astype(float), "frame 2 is float64"),
        (clip[0, 0, 0], "expected pictures of shape"),
    ]:
        with pytest.raises(InputError, match=words):
            open_source(iter([clip[0], clip[1], wrong]))
    with pytest.raises(InputError, match=r"channels are last here"):
        open_source(frame.transpose(2, 0, 1) for frame in clip)


def test_an_iterator_without_frames_cannot_be_decoded():
    with pytest.raises(CannotDecode, match="no frame"):
        open_source(iter([]))
