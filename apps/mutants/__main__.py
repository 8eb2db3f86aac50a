"""Show that the tests have teeth: put one mistake after the other into a copy of the program, and run them.

python apps/mutants                     all of them, a table by package
python apps/mutants diameter rounding   those whose name holds one of these words
python apps/mutants --tree CHECKOUT     the program and the tests of another checkout
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", "__pycache__", ".*_cache", "*.egg-info", "build", "out")
SECONDS = 1800
"""After so long a run of the tests counts as one that failed: a mistake may make a loop endless."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake: see ``mutants.toml``."""

    name: str
    file: str
    right: str
    wrong: str
    tests: list[str]

    @property
    def package(self) -> str:
        """The package it is in, or ``bgsub`` for a module at the top."""
        return self.file.partition("/")[0] if "/" in self.file else "bgsub"


def mutants() -> list[Mutant]:
    """Return all of them."""
    text = Path(__file__).with_name("mutants.toml").read_text(encoding="utf-8")
    return [Mutant(**each) for each in tomllib.loads(text)["mutant"]]


def main() -> None:
    """Run, and exit with 1 if a mutant was not killed."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("names", nargs="*", metavar="WORD", help="only mutants whose name holds one of these")
    words.add_argument("--tree", type=Path, default=ROOT, metavar="DIR", help="another checkout")
    words.add_argument("--slow", action="store_true", help="with the tests that are marked slow")
    words.add_argument(
        "--first",
        action="store_true",
        help="only the tests that are likely to fail, and those of the package",
    )
    words.add_argument("--json", type=Path, metavar="FILE", help="write what was found there, too")
    given = words.parse_args()
    chosen = [each for each in mutants() if not given.names or any(word in each.name for word in given.names)]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(given.tree, copy, ignore=LEFT_OUT)
        found = [_try(each, copy, given.slow, given.first) for each in chosen]
    if given.json:
        given.json.write_text(json.dumps(found, indent=1, ensure_ascii=False), encoding="utf-8")
    _table(found)
    sys.exit(any(not each["killed"] for each in found))


def _try(mutant: Mutant, copy: Path, slow: bool, first: bool) -> dict[str, object]:
    path = copy / "bgsub" / mutant.file
    text = path.read_text(encoding="utf-8")
    if text.count(mutant.right) != 1:
        raise SystemExit(
            f"{mutant.name}: '{mutant.right}' stands {text.count(mutant.right)} times in {mutant.file}"
        )
    began = time.monotonic()
    try:
        path.write_text(text.replace(mutant.right, mutant.wrong), encoding="utf-8")
        _forget(copy, text)
        by = _killed_by(mutant, copy, slow, first)
    finally:
        path.write_text(text, encoding="utf-8")
        _forget(copy, text)
    seconds = time.monotonic() - began
    print(
        f"{'killed  ' if by else 'SURVIVED'} {seconds:5.0f} s  {mutant.file}: {mutant.name}  {by}", flush=True
    )
    return {
        "name": mutant.name,
        "package": mutant.package,
        "killed": bool(by),
        "by": by,
        "seconds": round(seconds),
    }


def _forget(copy: Path, text: str) -> None:
    """Delete compiled passes if what has changed is a part of some: those of other files hold a copy of it."""
    if "@inlined" not in text:
        return
    for cache in (*copy.rglob("*.nbi"), *copy.rglob("*.nbc")):
        cache.unlink()


def _killed_by(mutant: Mutant, copy: Path, slow: bool, first: bool) -> str:
    likely = sorted({str(path) for each in mutant.tests for path in (copy / "tests").glob(each)})
    own = [f"tests/{mutant.package}"] if (copy / "tests" / mutant.package).is_dir() else []
    for tests in filter(None, (likely, own)):
        if failed := _failure(tests, copy, slow):
            return failed
    return "" if first else _failure([], copy, slow)


def _failure(tests: list[str], copy: Path, slow: bool) -> str:
    """Return the first test that fails; empty if none does."""
    marks = ["-m", ""] if slow else []
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "--tb=no",
        "--ignore=tests/apps/test_mutants.py",  # It fails whatever a mutant does.
        *marks,
        *tests,
    ]
    try:
        run = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "no end"
    if run.returncode not in (0, 1, 2):
        raise SystemExit(f"the tests could not be run: {run.stdout[-2000:]}{run.stderr[-2000:]}")
    failed = [line.split()[1] for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (failed or ["a test that ended the run"])[0] if run.returncode else ""


def _table(found: list[dict[str, object]]) -> None:
    killed = Counter(each["package"] for each in found if each["killed"])
    print("\n| package | mutants | killed |\n|---|---|---|")
    for package, count in sorted(Counter(str(each["package"]) for each in found).items()):
        print(f"| {package} | {count} | {killed[package]} |")
    print(f"| all | {len(found)} | {sum(killed.values())} |")


if __name__ == "__main__":
    main()
