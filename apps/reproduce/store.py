"""Finished runs, one small JSON file each, so that an interrupted command goes on where it was."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from reproduce.experiments import Plan
from reproduce.jobs import Job, digest, identity


class Store:
    """The finished runs of a plan in ``folder/runs``.

    A file is named after the run and a digest of its identity, and holds the identity in full; it is written beside and
    renamed, so that it is whole or absent. Runs of other plans may lie in the same folder and are not seen.
    """

    def __init__(self, folder: Path, plan: Plan) -> None:
        self._runs = folder / "runs"
        self._plan = plan
        self._runs.mkdir(parents=True, exist_ok=True)

    def load(self, job: Job) -> dict[str, Any] | None:
        """Return what a run has found, or None where it has not finished."""
        found = identity(self._plan, job)
        try:
            stored = json.loads(self._file(job, found).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if not isinstance(stored, dict) or stored.get("identity") != found:
            return None
        result: dict[str, Any] = stored["result"]
        return result

    def save(self, job: Job, result: dict[str, Any]) -> None:
        """Keep what a run has found."""
        found = identity(self._plan, job)
        file = self._file(job, found)
        beside = file.with_suffix(f".{os.getpid()}.part")
        beside.write_text(json.dumps({"identity": found, "result": result}) + "\n", encoding="utf-8")
        beside.replace(file)

    def _file(self, job: Job, found: dict[str, Any]) -> Path:
        return self._runs / f"{job.name}-{digest(found)}.json"
