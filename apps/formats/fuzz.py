"""Damaged files of every kind, given to the program by processes that may crash or hang."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

from formats.hunt import hunt
from formats.process import Process
from formats.seal import resealed
from formats.seeds import PICTURES, PLAIN, Seed, seeds, write_plain

STARTING, HANGING = 120, 20
"""Seconds that a process may take to compile, and a file to be refused or read."""
WHOLE = 4
"""Pictures beside one that is damaged."""
BEGUN = -1
"""What a process says when it is ready."""

Outcome = dict[str, Any]


def prepare(folder: Path) -> None:
    """Write the whole files."""
    folder.mkdir(parents=True, exist_ok=True)
    write_plain(folder / PLAIN)
    for number, seed in enumerate(seeds()):
        seed.write(_original(folder, number, seed))


def serve(connection: Connection, folder: Path, seed: int) -> None:
    """Answer numbers of cases, until None comes, with what came of each."""
    _warm_up(folder)
    connection.send(BEGUN)
    while (case := connection.recv()) is not None:
        path, kind = write_case(folder, seed, case)
        found = asdict(hunt(path, kind))
        if not found["faults"]:
            rmtree(path.parent)
        connection.send(found)


def write_case(folder: Path, seed: int, case: int) -> tuple[Path, Seed]:
    """Write the damaged file of a case: each kind has its turn."""
    number = case % len(seeds())
    kind = seeds()[number]
    place = folder / f"{case:05d}"
    place.mkdir(exist_ok=True)
    path = place / f"file{kind.suffix}"
    whole = _original(folder, number, kind).read_bytes()
    path.write_bytes(resealed(whole, f"{seed} {case}"))
    for beside in range(WHOLE if kind.role == PICTURES else 0):
        path.with_stem(f"whole{beside}").write_bytes(whole)
    return path, kind


def _original(folder: Path, number: int, seed: Seed) -> Path:
    return folder / f"whole{number:02d}{seed.suffix}"


def _warm_up(folder: Path) -> None:
    """Run once on a whole file, so that no case is charged with imports and compilation."""
    with TemporaryDirectory(dir=folder) as place:
        path = Path(place) / PLAIN
        write_plain(path)
        hunt(path, seeds()[0])


def work(folder: Path, cases: int, seed: int, jobs: int) -> Iterator[Outcome]:
    """Yield what came of each case, in their order."""
    own, processes = threading.local(), list[Process]()

    def one(case: int) -> Outcome:
        if not hasattr(own, "process"):
            own.process = Process(serve, (folder, seed), STARTING)
            processes.append(own.process)
        found = own.process.ask(case, HANGING)
        if "failed" in found:
            found = {"codes": [], "refused": "", "faults": [f"the program {found['failed']}"]}
        elif found["faults"]:
            own.process.restart()  # the memory that one case takes is not counted against the next
        return {"case": case, "kind": seeds()[case % len(seeds())].name} | found

    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(one, range(cases))
        finally:
            pool.shutdown(cancel_futures=True)
            for process in processes:
                process.close()


def by_kind(outcomes: list[Outcome]) -> str:
    """Return a table: of each kind how many files were read, refused, and led to what must not be."""
    lines = [f"{'kind':<22} {'cases':>6} {'read':>6} {'refused':>8} {'faults':>7}"]
    for name in [*(seed.name for seed in seeds()), ""]:
        mine = [each for each in outcomes if name in ("", each["kind"])]
        wrong = sum(bool(each["faults"]) for each in mine)
        refused = sum(bool(each["refused"]) for each in mine if not each["faults"])
        counts = f"{len(mine):>6} {len(mine) - wrong - refused:>6} {refused:>8} {wrong:>7}"
        lines.append(f"{name or 'all':<22} {counts}")
    return "\n".join(lines)
