"""Writing that fails half-way. A limit on the size of files stands in for a full disk: the system call fails alike."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from render_kit import names

pytest.importorskip("resource", reason="limits on the size of files need POSIX")

SCRIPT = """
import resource, sys
from fractions import Fraction
from pathlib import Path
import numpy as np
from bgsub.errors import OutputError
from bgsub.render.sinks import open_sink

path, kind, limits = sys.argv[1], sys.argv[2], sys.argv[3:]
rng = np.random.default_rng(0)
masks = np.where(rng.random((40, 64, 64)) < 0.5, 255, 0).astype(np.uint8)
for limit in map(int, limits):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    sink = open_sink(path, kind)
    try:
        with sink:
            for index, mask in enumerate(masks):
                sink.write(mask, Fraction(index, 25))
    except OutputError as error:
        print("failed", error)
    else:
        size = Path(path).stat().st_size if Path(path).is_file() else 0
        print("written", size)
        break
    if any(Path(path).parent.iterdir()):
        print("left", list(Path(path).parent.iterdir()))
"""


def run(path: Path, kind: str, limits: list[int]) -> list[str]:
    command = [sys.executable, "-c", SCRIPT, str(path), kind, *map(str, limits)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), [("a.mp4", "video"), ("a.mkv", "mask"), ("a.png", "picture")])
def test_wherever_the_space_ends_nothing_is_left_and_it_is_said(name: str, kind: str, tmp_path: Path) -> None:
    tmp_path = tmp_path / "out"
    tmp_path.mkdir()
    [whole] = run(tmp_path / name, kind, [10_000_000])
    size = int(whole.split()[1])
    (tmp_path / name).unlink()
    # The last bytes matter most: the index of a video is written when all frames are in.
    shares = sorted(
        {0, 1, 100, size // 10, size // 2, size - 2000, size - 300, size - 20, size - 1} & set(range(size))
    )
    # x264 may spend a few bytes more in another run, so the last limit leaves room.
    lines = run(tmp_path / name, kind, [*shares, 2 * size])
    for line in lines[:-1]:
        assert line.startswith(f"failed cannot write {tmp_path / name}: the file is larger than")
    assert lines[-1].startswith("written ")
    assert len(lines) == len(shares) + 1


def test_a_folder_of_pictures_is_not_left_half_written(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    [line] = run(folder / "mask", "mask", [100])
    assert line.startswith(f"failed cannot write {folder / 'mask'}: the file is larger than")
    assert names(folder) == []
