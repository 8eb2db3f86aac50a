"""A run as lines of JSON on standard output, for programs: an object a line, each with its ``event`` (schema 1)."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bgsub.cli.say import give
from bgsub.version import __version__

if TYPE_CHECKING:
    from bgsub.run.result import Separation

SCHEMA = 1
PAUSE = 0.25
"""Seconds between two lines of progress at least."""


def put(event: str, **facts: Any) -> None:
    """Print one event; StandardOutput (or BrokenPipeError) if it cannot be written."""
    # In ASCII: what a terminal would obey is escaped as JSON does it.
    give(json.dumps({"event": event, **facts}) + "\n")


class JsonLines:
    """A :class:`bgsub.run.progress.Progress` that prints events.

    Parameters
    ----------
    quiet
        Print results only.
    verbose
        Print details, too.
    """

    def __init__(self, quiet: bool, verbose: bool = False) -> None:
        self.quiet, self.verbose = quiet, verbose
        self._phase: str = ""
        self._total: int | None = None
        self._done, self._told, self._at = 0, 0, 0.0

    def start(self, source: str, output: Path) -> None:
        """Print what is going to be done."""
        put("start", schema=SCHEMA, version=__version__, input=source, output=str(output))

    def begin(self, phase: str, total: int | None) -> None:
        """Print that *phase* begins."""
        self.end()
        self._phase, self._total, self._done, self._told = phase, total, 0, 0
        self._at = time.monotonic()
        if not self.quiet:
            put("phase", phase=phase, total=total)

    def step(self) -> None:
        """Print how far it is, every now and then."""
        self._done += 1
        if time.monotonic() - self._at >= PAUSE:
            self._tell()

    def say(self, text: str) -> None:
        """Print a note."""
        if not self.quiet:
            put("note", message=text.strip())

    def detail(self, text: str) -> None:
        """Print a note, if details are wanted."""
        if self.verbose:
            self.say(text)

    def end(self) -> None:
        """Print how far the phase has come, if that has not been told."""
        if self._done > self._told:
            self._tell()

    def _tell(self) -> None:
        self._told, self._at = self._done, time.monotonic()
        if not self.quiet:
            put("progress", phase=self._phase, done=self._done, total=self._total)

    def result(self, result: Separation, output: Path, stay: list[str]) -> None:
        """Print what has come of it."""
        report = result.report
        put(
            "result",
            schema=SCHEMA,
            output=str(output),
            outputs={name: str(path) for name, path in result.outputs.items()},
            report=str(output / "run.json"),
            model=report["options"]["save_model"],
            frames=report["frames"]["count"],
            seconds=round(sum(report["seconds"].values()), 3),
            foreground_share=report["foreground_share"],
            events=report["events"],
            objects=report["objects"],
            summary=result.log.summary(),
            earlier_outputs=stay,
        )
