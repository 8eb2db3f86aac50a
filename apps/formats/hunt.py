"""One damaged file, given to the program: what must never come of it."""

from __future__ import annotations

import resource
import shutil
import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from formats.capture import captured
from formats.seeds import FOOTAGE, MASK, PICTURES, PLAIN, Seed
from formats.trial import only_ours

MOST_MEMORY = 1 << 30
"""Bytes that the process may have taken at most."""
MOST_PIXELS = 4_000_000
"""Of a picture: with the default, sizes that are allowed would take more than MOST_MEMORY."""
OUT = "out"
CODES = (0, 1, 2)
WARNING, ERROR = "bgsub: warning: ", "bgsub: "
NEVER = ("unexpected", "Traceback", "out of memory")


@dataclass(slots=True)
class Hunted:
    """What came of a file: the codes of the commands, the line that refused it, and what must not be."""

    codes: list[int] = field(default_factory=list)
    refused: str = ""
    faults: list[str] = field(default_factory=list)


def hunt(path: Path, seed: Seed) -> Hunted:
    """Give the file to ``info`` and ``separate``; results go beside it, and are deleted."""
    found, out, before = Hunted(), path.parent / OUT, _peak()
    given = sorted(path.parent.iterdir())
    for words in commands(path, seed, out):
        _command(words, found)
        _look_around(out, given, words[0], found)
        shutil.rmtree(out, ignore_errors=True)
    if (peak := _peak()) > max(before, MOST_MEMORY):
        found.faults.append(f"{peak >> 20} MB of memory")
    return found


def _peak() -> int:
    """Return the most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def commands(path: Path, seed: Seed, out: Path) -> list[list[str]]:
    """Return the words of the commands that a file is given to."""
    limits = ["--max-pixels", str(MOST_PIXELS), "--threads", "1"]
    footage, given = str(path), []
    if seed.role == PICTURES:
        footage = str(path.with_name(f"*{path.suffix}"))
    elif seed.role != FOOTAGE:
        footage = str(path.parent.parent / PLAIN)
        given = [seed.role, f"@{path}" if seed.role == MASK else str(path)]
    run = ["separate", footage, "-o", str(out), "--outputs", "mask,mask-png,plate", "--quiet"]
    return [["info", footage, *given, *limits], [*run, *given, *limits]]


def _command(words: list[str], found: Hunted) -> None:
    from bgsub.cli.main import run

    with captured() as texts, warnings.catch_warnings():
        only_ours()
        code = run(words)
    found.codes.append(code)
    errors = [line for line in texts[1].splitlines() if not line.startswith(WARNING)]
    odd = [line for line in errors if not line.startswith(ERROR) or any(word in line for word in NEVER)]
    found.faults += [f"{words[0]}: {line}" for line in odd]
    if code not in CODES or len(errors) != (code != 0):
        found.faults.append(f"{words[0]} ends with {code} and {len(errors)} lines")
    found.refused = errors[-1] if errors else found.refused


def _look_around(out: Path, given: list[Path], command: str, found: Hunted) -> None:
    """Note files that a command has left behind, and results of one that failed."""
    failed = found.codes[-1] != 0 or command == "info"
    left = [each.relative_to(out.parent) for each in sorted(out.parent.rglob("*")) if each not in given]
    odd = [str(name) for name in left if failed or "/." in f"/{name}"]
    found.faults += [f"{command} leaves {name}" for name in odd]
    if not failed and not (out / "run.json").is_file():
        found.faults.append(f"{command} ends with 0, and there is no report")
