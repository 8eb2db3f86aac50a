"""Run what has not finished yet, with a progress bar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from tqdm import tqdm

from reproduce.experiments import Plan
from reproduce.jobs import Job
from reproduce.runs import execute
from reproduce.store import Store


def finish(plan: Plan, store: Store, jobs: Sequence[Job], what: str) -> None:
    """Run all *jobs* that *store* does not hold; comparisons of speed always one at a time, in this process."""
    missing = [job for job in jobs if store.load(job) is None]
    alone = plan.jobs == 1 or (bool(jobs) and jobs[0].experiment == "speed")
    with tqdm(total=len(jobs), initial=len(jobs) - len(missing), desc=what, unit="run") as bar:
        for job, result in _one_by_one(plan, missing, bar) if alone else _several(plan, missing):
            store.save(job, result)
            bar.update()


def _one_by_one(plan: Plan, jobs: Iterable[Job], bar: Any) -> Iterator[tuple[Job, dict[str, Any]]]:
    for job in jobs:
        bar.set_postfix_str(job.name, refresh=False)
        yield job, execute(plan, job)


def _several(plan: Plan, jobs: Iterable[Job]) -> Iterator[tuple[Job, dict[str, Any]]]:
    # A fork would copy the threads' locks in whatever state they are.
    with ProcessPoolExecutor(plan.jobs, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(execute, plan, job): job for job in jobs}
        try:
            for done in as_completed(running):
                yield running[done], done.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
