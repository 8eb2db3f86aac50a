"""What a process prints, by whichever way: Python or a library in C."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path


@contextmanager
def captured() -> Iterator[list[str]]:
    """Hold back standard output and standard error; the list holds the two texts afterwards."""
    texts: list[str] = []
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("out", "err")]
        try:
            with ExitStack() as stack:
                for number, (file, redirect) in enumerate(
                    zip(files, (redirect_stdout, redirect_stderr), strict=True), 1
                ):
                    stream = stack.enter_context(file.open("a", encoding="utf-8"))
                    stack.enter_context(redirect(stream))
                    stack.enter_context(_instead_of(number, stream.fileno()))
                yield texts
        finally:
            texts += [file.read_text(encoding="utf-8", errors="replace") for file in files]


@contextmanager
def _instead_of(number: int, other: int) -> Iterator[None]:
    """Let what is written to a file descriptor go to another."""
    kept = os.dup(number)
    os.dup2(other, number)
    try:
        yield
    finally:
        os.dup2(kept, number)
        os.close(kept)
