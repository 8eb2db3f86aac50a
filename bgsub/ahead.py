"""The first run on a machine: a second process compiles half of the kernels, while the run compiles the others."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from bgsub.jit import on_first_compilation
from bgsub.render.unfinished import begun, over

COUNT, HEIGHT, WIDTH = 30, 24, 32
"""Frames of the clip that is compiled on; what is compiled does not depend on them."""


@contextmanager
def compiling_beside() -> Iterator[None]:
    """Let a second process compile ahead as soon as something inside the block is not in the cache on disk.

    The compiler is held by one thread at a time, so that threads gain nothing. The process compiles what a run needs
    last, and leaves it in the cache; what the run has come to by then, it compiles itself. It is stopped at the end of
    the block, says nothing, and if it fails the run is none the worse. It takes about 250 MB of memory and a processor
    for some seconds, once on a machine.
    """
    started: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        with suppress(OSError):
            started.append(_start())
            begun(started[-1], started[-1].kill)

    with on_first_compilation(start):
        try:
            _try_cache()
            yield
        finally:
            for process in started:
                process.kill()
                with process:
                    over(process)


def _try_cache() -> None:
    """Take a pass that every run takes: if it is not in the cache, there is time until the footage has been read."""
    import numpy as np

    from bgsub.frames.difference import channel_difference

    pixel = np.zeros((1, 1, 3), np.uint8)
    channel_difference(pixel, pixel)


def _start() -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    # The pipe ends with the run, however that ends. The session is one of its own: Ctrl-C at the terminal is for the
    # run, which stops the process when it ends.
    return subprocess.Popen(
        [sys.executable, "-P", "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=quiet,
        stderr=quiet,
        start_new_session=True,
    )


def compile_ahead() -> None:
    """Compile what a run needs after its first steps, by taking these steps on a few small frames."""
    import numpy as np

    from bgsub.background.coefficients import Coefficients
    from bgsub.background.predict import predict
    from bgsub.background.split import split
    from bgsub.frames.difference import channel_difference
    from bgsub.masks.ripples import Ripples
    from bgsub.options import Options

    shape = (HEIGHT, WIDTH, 3)
    clip = np.random.default_rng(0).integers(60, 80, (COUNT, *shape)).astype(np.uint8)
    clip[::3, 4:9, 4:9] = 200
    Ripples.of(np.ones(shape[:2], bool)).put(clip[0], clip[1], np.empty(shape[:2], np.uint8))
    channel_difference(clip[0], clip[1])
    rows = clip.reshape(COUNT, -1)
    offset, components = rows[1].astype(np.float32), np.full((rows.shape[1], 1), 0.02, np.float32)
    predict(offset, np.ascontiguousarray(components.T), np.ones(1, np.float32), rows[0].copy())
    split(rows, 3, Options())
    Coefficients.of(offset, components, 8.0, 0)(rows[0])


def _end_with_the_run() -> None:
    # Not through sys.stdin, whose lock the end of the interpreter would find held.
    os.read(0, 1)
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_end_with_the_run, daemon=True).start()
    compile_ahead()
