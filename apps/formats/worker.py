"""Write and try files in a process of its own, which may crash or hang without doing harm."""

from __future__ import annotations

import gc
import shutil
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from formats.capture import captured
from formats.catalogue import catalogue
from formats.encode import CannotWrite, write
from formats.known import suffix_of
from formats.process import Process
from formats.trial import attempt

WRITING, TRYING = 30, 120
"""Seconds after which a file counts as one that is not written, or on which the program hangs; the first one to be
separated may compile."""

Outcome = dict[str, Any]


def serve(connection: Connection, folder: Path, separate: bool) -> None:
    """Answer numbers of recipes, until None comes: first how the file was written, then what came of it."""
    while (index := connection.recv()) is not None:
        place = folder / f"{index:04d}"
        place.mkdir(parents=True, exist_ok=True)
        recipe = catalogue()[index]
        path = place / ("file" + (recipe.suffix or suffix_of(recipe.container)))
        try:
            with captured():
                write(recipe, path)
                gc.collect()  # some encoders print when they are let go
        except CannotWrite as error:
            connection.send({"unwritten": str(error)})
            continue
        connection.send({"file": str(path.relative_to(folder)), "bytes": path.stat().st_size})
        connection.send(asdict(attempt(path, place / "out" if recipe.separate and separate else None)))
        shutil.rmtree(place / "out", ignore_errors=True)


class Worker:
    """A process that serves."""

    def __init__(self, folder: Path, separate: bool) -> None:
        self._process = Process(serve, (folder, separate))

    def work(self, index: int) -> Outcome:
        """Return what came of a recipe."""
        written = self._process.ask(index, WRITING)
        if "failed" in written:
            return {"unwritten": f"the writer {written['failed']}"}
        if "unwritten" in written:
            return written
        tried = self._process.answer(TRYING)
        if "failed" in tried:
            tried = {"frames": 0, "refused": "", "warned": [], "faults": [f"the reader {tried['failed']}"]}
        return written | tried

    def close(self) -> None:
        """End the process."""
        self._process.close()
