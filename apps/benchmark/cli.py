"""The command line of ``python apps/benchmark``."""

from __future__ import annotations

import importlib
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from common.writing import writing

from benchmark.clip import SMALLEST
from benchmark.jobs import FEWEST, Plan, missing

QUICK = Plan(
    sizes=((96, 72), (160, 120)), frames=60, threads=1, rounds=1, limit=5.0, objectives=((96, 72, 60),)
)
LARGEST = 8192
"""Pixels of a side."""


class Sizes(click.ParamType):
    """Sizes such as 320x240, with commas between them; even, as H.264 wants them."""

    name = "WIDTHxHEIGHT,…"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[tuple[int, int], ...]:
        """Return pairs of numbers, or fail."""
        if not isinstance(value, str):
            return tuple(value)
        sizes = []
        for word in value.split(","):
            found = re.fullmatch(r"([0-9]{1,6})[x×]([0-9]{1,6})", word.strip(), re.IGNORECASE)
            if found is None:
                self.fail(f"'{word}' is no size such as 320x240.", param, ctx)
            width, height = map(int, found.groups())
            if not all(SMALLEST <= side <= LARGEST and side % 2 == 0 for side in (width, height)):
                self.fail(f"'{word}': sides are even numbers of {SMALLEST} … {LARGEST} pixels.", param, ctx)
            sizes.append((width, height))
        if len(set(sizes)) < len(sizes):
            self.fail(f"'{value}' names a size twice.", param, ctx)
        return tuple(sizes)


@click.group(help="Measure bgsub.")
def main() -> None:
    """Hold the commands together."""


@main.command(help="Speed beside MOG2, KNN, the temporal median and other robust PCA programs.")
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder to write into."
)
@click.option("--quick", is_flag=True, help="Small pictures, few frames: seconds, to see it work.")
@click.option(
    "--threads", type=click.IntRange(1, 1024), help="Of every system (default: all processors, 1 if --quick)."
)
@click.option("--sizes", type=Sizes(), help="Colour clips (default: 320x240,640x480,1920x1080).")
@click.option(
    "--frames",
    type=click.IntRange(FEWEST, 100_000),
    help="Of each clip (default: 600; large pictures fewer).",
)
@click.option("--rounds", type=click.IntRange(1, 100), help="How often; the fastest counts (default: 3).")
@click.option(
    "--limit",
    type=click.FloatRange(0, 1e6, min_open=True),
    help="Seconds after which another robust PCA program is stopped (default: 120).",
)
def speed(out: Path, quick: bool, **given: Any) -> None:
    """Measure, write, and print the report."""
    # Late: --help needs neither NumPy nor OpenCV.
    from benchmark.measure import measure
    from benchmark.output import write_all

    plan = plan_of(quick, given)
    for name in missing():
        click.echo(f"{name} is not installed, so it is left out: pip install '.[benchmark]'", err=True)
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="footage-", dir=out) as folder:
            rows = measure(plan, Path(folder))
        files = write_all(plan, rows, out)
    click.echo(files[1].read_text(encoding="utf-8"))
    for file in files:
        click.echo(str(file))


DATA = click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A tree in CDnet's layout, category/sequence/{input,groundtruth} (default: ../shared/data/sequences).",
)
PROCESSES = click.option(
    "--processes", type=click.IntRange(1, 256), default=2, help="Sequences at a time (default: 2)."
)
JSON = click.option("--json", "file", type=click.Path(dir_okay=False, path_type=Path), help="File to write.")
NAMES = click.argument("names", nargs=-1, metavar="[NAME]…")


@main.command(
    help="F of every sequence, or of those named, and of five variants, beside median, MOG2 and KNN."
)
@NAMES
@DATA
@JSON
@click.option(
    "--pictures",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write the worst frame of each sequence into.",
)
@click.option("--quick", is_flag=True, help="No variants, and 40 scored frames at most of each sequence.")
@PROCESSES
def validate(
    names: tuple[str, ...],
    data: Path | None,
    file: Path | None,
    pictures: Path | None,
    quick: bool,
    processes: int,
) -> None:
    """Measure, and print the table."""
    # Late: --help needs neither NumPy nor OpenCV.
    from benchmark import sequences, validate_report
    from benchmark import validate as program

    wanted = sequences.find(data or sequences.DATA, names)
    _begin_json(file)
    if pictures is not None:
        with _written("--pictures", pictures):
            pictures.mkdir(parents=True, exist_ok=True)
    rows = program.validate(wanted, quick, pictures, processes)
    click.echo(validate_report.tables(rows))
    _write_json(file, validate_report.report(rows, quick))


@main.command(help="The three numbers of the threshold, chosen on all scenes but one and scored on that one.")
@NAMES
@DATA
@JSON
@PROCESSES
def tune(names: tuple[str, ...], data: Path | None, file: Path | None, processes: int) -> None:
    """Measure, and print the tables."""
    # Late: --help needs neither NumPy nor OpenCV.
    from benchmark import sequences
    from benchmark import tune as program
    from benchmark.curves import curves

    wanted = sequences.find(data or sequences.DATA, names)
    _begin_json(file)
    content = program.report(curves(wanted, processes))
    click.echo(program.tables(content))
    _write_json(file, content)


@main.command(help="Each number that decides about ground and masks made smaller and larger, on every scene.")
@NAMES
@DATA
@JSON
@PROCESSES
def numbers(names: tuple[str, ...], data: Path | None, file: Path | None, processes: int) -> None:
    """Measure, and print the table."""
    # Late: --help needs neither NumPy nor OpenCV.
    from benchmark import effects as program
    from benchmark import sequences

    wanted = sequences.find(data or sequences.DATA, names)
    _begin_json(file)
    content = program.report(program.score(wanted, processes))
    click.echo(program.tables(content))
    _write_json(file, content)


@main.command(
    help="Events against known visits, and tracks against known animals, in two long made-up scenes."
)
@click.option(
    "--seed", "seeds", multiple=True, type=click.IntRange(0), default=(1,), help="May be given several times."
)
@click.option("--quick", is_flag=True, help="A quarter of the length.")
@JSON
def events(seeds: tuple[int, ...], quick: bool, file: Path | None) -> None:
    """Measure, and print the tables."""
    # Late: --help needs neither NumPy nor OpenCV.
    from benchmark import events as program

    _begin_json(file)
    text, content = program.measure(list(seeds), quick)
    click.echo(text)
    _write_json(file, content)


@main.command(help="What each stage contributes to the F-measure: all on, then one at a time left out.")
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder to write into."
)
@DATA
@click.option(
    "--quick",
    is_flag=True,
    help="Two small scenes of 48 frames, and what --data names: only shows that it works.",
)
@click.option("--readme", is_flag=True, help="Also put the tables into apps/benchmark/README.md.")
@PROCESSES
def ablation(out: Path, data: Path | None, quick: bool, readme: bool, processes: int) -> None:
    """Measure, write, and print the tables."""
    # Late: --help needs neither NumPy nor OpenCV.
    from benchmark import ablation as program
    from benchmark import sequences

    folder = data if data or quick or not sequences.DATA.is_dir() else sequences.DATA
    wanted = [] if folder is None else sequences.find(folder)
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    content = program.ablation(wanted, program.QUICK_SCENES if quick else program.Scenes(), processes)
    with writing(out):
        files = program.write_all(content, out, readme)
    click.echo(program.tables(content))
    for written in files:
        click.echo(str(written))


@contextmanager
def _written(option: str, place: Path) -> Iterator[None]:
    """Say in one line that what an option names cannot be written."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(
            f"{option} {place}: cannot be written: {error.strerror or error}"
        ) from error


def _begin_json(file: Path | None) -> None:
    """Fail now, not after minutes, where the file cannot be written."""
    if file is not None:
        with _written("--json", file):
            file.touch()


def _write_json(file: Path | None, content: dict[str, Any]) -> None:
    """Write *content*, if there is a file to write it into, and say so."""
    if file is not None:
        with _written("--json", file):
            file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        click.echo(str(file))


def plan_of(quick: bool, given: dict[str, Any]) -> Plan:
    """Return the plan that the options describe."""
    from bgsub.base.parallel import processors

    plan = QUICK if quick else Plan(threads=processors())
    return replace(plan, **{name: value for name, value in given.items() if value is not None})


def _script(name: str, text: str) -> click.Command:
    """Return a command that is a script with options of its own."""

    @click.command(name, help=text, add_help_option=False, context_settings={"ignore_unknown_options": True})
    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def run(words: tuple[str, ...]) -> None:
        sys.argv[:] = [f"{sys.argv[0]} {name}", *words]
        sys.exit(importlib.import_module(f"benchmark.{name}").main())

    return run


main.add_command(_script("figures", "The figures of the main job: see figures.py."))
main.add_command(_script("methods", "One clip through every method and pair of terms: see methods.py."))
