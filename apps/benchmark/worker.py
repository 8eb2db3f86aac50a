"""``python -m benchmark.worker FOLDER JOB RESULT``: do one job; both files are JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from benchmark.footage import Footage
from benchmark.jobs import Job


def footage_of(folder: Path, job: Job) -> Footage:
    """Return the footage of a job in the folder that all of it is in."""
    kind = "gray" if job.is_gray else "colour"
    return Footage(folder / f"{kind}-{job.width}x{job.height}", job.width, job.height, job.is_gray)


def model_of(folder: Path, job: Job) -> Path:
    """Return where a fitted system is kept."""
    return folder / f"{job.system}-{job.width}x{job.height}-{job.frames}.npz"


def execute(folder: Path, job: Job) -> dict[str, Any]:
    """Do a job. What it does not need is not imported: it would be in its memory."""
    footage = footage_of(folder, job)
    if job.stage == "objective":
        from benchmark.objective import to_objective

        return to_objective(job, footage)
    if job.stage == "iteration":
        from benchmark.iteration import iteration_over_copy

        return iteration_over_copy(job, footage)
    from benchmark.stages import fit_and_masks, masks

    do = {"mask": masks, "fit+mask": fit_and_masks}[job.stage]
    return do(job, footage, model_of(folder, job))


if __name__ == "__main__":
    place, given, answer = map(Path, sys.argv[1:])
    found = execute(place, Job(**json.loads(given.read_text())))
    answer.write_text(json.dumps(found))
