"""Run the jobs, every one in a process of its own, round after round; keep the fastest of each."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmark.jobs import SLOW, WHOLE, Job, Plan, jobs
from benchmark.program import separate, watched
from benchmark.worker import footage_of

Row = dict[str, Any]

APPS = Path(__file__).resolve().parents[1]


def measure(plan: Plan, folder: Path) -> list[Row]:
    """Measure everything; *folder* is to be empty, and takes up to about BYTES for each size."""
    todo = jobs(plan)
    prepare(todo, folder)
    # Compiles what has not been compiled on this machine yet.
    run(next(job for job in todo if job.stage in WHOLE), folder)
    found: dict[Job, list[Row]] = {job: [] for job in todo}
    with tqdm(total=plan.rounds * len(todo), desc="measuring", unit="run") as bar:
        # All systems in every round: what else the machine does in the meantime meets them all.
        for _ in range(plan.rounds):
            for job in todo:
                bar.set_postfix_str(job.name)
                if not (found[job] and found[job][0]["seconds"] > SLOW):
                    found[job].append(run(_aimed(job, found), folder))
                bar.update()
    return [row_of(job, results) for job, results in found.items()]


def prepare(todo: Sequence[Job], folder: Path) -> None:
    """Render all footage that the jobs need."""
    longest: dict[Any, int] = {}
    for job in todo:
        footage = footage_of(folder, job)
        longest[footage] = max(longest.get(footage, 0), job.frames)
    with tqdm(total=sum(longest.values()), desc="rendering", unit=" frames") as bar:
        for footage, frames in longest.items():
            footage.write(frames, bar.update)
            if not footage.gray:
                footage.write_video(frames)


def run(job: Job, folder: Path) -> Row:
    """Do a job in a process of its own; return what it says, with its peak memory."""
    threads = str(job.threads)
    # Read before NumPy is loaded, by whichever BLAS it has.
    settings = {f"{name}_NUM_THREADS": threads for name in ("OPENBLAS", "OMP", "MKL", "VECLIB_MAXIMUM")}
    if job.stage in WHOLE:
        return _whole(job, folder, settings)
    settings["PYTHONPATH"] = os.pathsep.join(filter(None, (str(APPS), os.environ.get("PYTHONPATH"))))
    given, answer = folder / "job.json", folder / "result.json"
    given.write_text(json.dumps(asdict(job)))
    command = [sys.executable, "-m", "benchmark.worker", *map(str, (folder, given, answer))]
    _, peak = watched(command, settings)
    return {**json.loads(answer.read_text()), "peak_mb": peak}


def _whole(job: Job, folder: Path, settings: dict[str, str]) -> Row:
    out = folder / "out"
    words = ("--threads", str(job.threads), "--end", str(job.frames), *WHOLE[job.stage])
    seconds, peak = separate(footage_of(folder, job).video, out, *words, settings=settings)
    shutil.rmtree(out)
    return {"seconds": seconds, "peak_mb": peak}


def _aimed(job: Job, found: dict[Job, list[Row]]) -> Job:
    """Return the job with the objective and the F that bgsub has reached on its clip."""
    if job.stage != "objective" or job.system == "bgsub":
        return job
    reached = found[replace(job, system="bgsub")][0]
    return replace(job, target=reached["objective"], f=reached["f"])


def row_of(job: Job, results: list[Row]) -> Row:
    """Return the fastest of several results as a row, with the largest of their peaks."""
    best = min(results, key=lambda result: result["seconds"])
    return {
        "system": job.system,
        "width": job.width,
        "height": job.height,
        "frames": job.frames,
        "stage": job.stage,
        "frames_per_s": job.frames / best["seconds"],
        **best,
        "peak_mb": max(result["peak_mb"] for result in results),
        "threads": job.threads,
        "measured": len(results),
    }
