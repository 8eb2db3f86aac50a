"""Finished runs, one small JSON file each, so that an interrupted command goes on where it was."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import click

from reproduce.experiments import Plan
from reproduce.jobs import Job, digest, identity


class Store:
    """The finished runs of a plan in ``folder/runs``.

    A file is named after the run and a digest of its identity, and holds the identity in full; it is written beside and
    renamed, so that it is whole or absent. Runs of other plans may lie in the same folder and are not seen.

    Raises
    ------
    OSError
        The folder cannot be made or written into; from :meth:`save`, too.
    """

    def __init__(self, folder: Path, plan: Plan) -> None:
        self._runs = folder / "runs"
        self._plan = plan
        self._told: set[Path] = set()
        self._runs.mkdir(parents=True, exist_ok=True)
        # Not to be found out after the first run.
        with tempfile.TemporaryFile(dir=self._runs), tempfile.TemporaryFile(dir=folder):
            pass

    def load(self, job: Job) -> dict[str, Any] | None:
        """Return what a run has found, or None where it has not finished; a broken file is told of, once."""
        found = identity(self._plan, job)
        file = self._file(job, found)
        try:
            stored = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError):
            stored = None
        if isinstance(stored, dict) and stored.get("identity") == found:
            result = stored.get("result")
            if isinstance(result, dict) and result:
                return result
        if file not in self._told:
            self._told.add(file)
            click.echo(f"{file} is broken and does not count: the run has to be done again", err=True)
        return None

    def save(self, job: Job, result: dict[str, Any]) -> None:
        """Keep what a run has found."""
        found = identity(self._plan, job)
        file = self._file(job, found)
        beside = file.with_suffix(f".{os.getpid()}.part")
        beside.write_text(json.dumps({"identity": found, "result": result}) + "\n", encoding="utf-8")
        beside.replace(file)

    def _file(self, job: Job, found: dict[str, Any]) -> Path:
        return self._runs / f"{job.name}-{digest(found)}.json"
