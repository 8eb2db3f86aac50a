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
from bgsub.render.sinks.open import Encoding, open_sink

rng = np.random.default_rng(0)
masks = np.where(rng.random((40, 64, 64)) < 0.5, 255, 0).astype(np.uint8)
folder = Path(sys.argv[1])

def write(name, kind, limit):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        with open_sink(folder / name, kind, encoding=Encoding(threads=1)) as sink:
            for index, mask in enumerate(masks):
                sink.write(mask, Fraction(index, 25))
    except OutputError as error:
        said = str(error)
    else:
        said = "written"
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return said

for name, kind in (("a.mp4", "video"), ("a.mkv", "mask"), ("a.png", "picture")):
    assert write(name, kind, 10_000_000) == "written"
    size = (folder / name).stat().st_size
    (folder / name).unlink()
    # The last bytes matter most: the index of a video is written when all frames are in.
    limits = {0, 1, 100, size // 10, size // 2, size - 2000, size - 300, size - 20, size - 1}
    for limit in sorted(limits & set(range(size))):
        said = write(name, kind, limit)
        assert said.startswith(f"cannot write {folder / name}: the file is larger than"), (name, limit, size, said)
        assert not any(folder.iterdir()), (name, limit, size)
    assert write(name, kind, size) == "written", name
    (folder / name).unlink()
said = write("mask", "mask", 100)
assert said.startswith(f"cannot write {folder / 'mask'}: the file is larger than"), said
print("done")
"""


def test_wherever_the_space_ends_nothing_is_left_and_it_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    command = [sys.executable, "-c", SCRIPT, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr
    assert names(folder) == []
