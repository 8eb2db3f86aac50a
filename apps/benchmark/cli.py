"""The command line of ``python apps/benchmark``."""

from __future__ import annotations

import importlib
import re
import sys
import tempfile
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


@main.command(help="What each stage contributes to the F-measure: all on, then one at a time left out.")
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder to write into."
)
@click.option(
    "--dataset",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Also on these: a tree in CDnet's layout, category/sequence/{input,groundtruth}.",
)
@click.option("--quick", is_flag=True, help="Two small scenes of 48 frames: seconds, to see it work.")
@click.option("--readme", is_flag=True, help="Also put the tables into apps/benchmark/README.md.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, help="To compute with (default: 1).")
def ablation(out: Path, dataset: Path | None, quick: bool, readme: bool, threads: int) -> None:
    """Measure, write, and print the tables."""
    # Late: --help needs neither NumPy nor OpenCV.
    from benchmark import ablation as program

    if dataset is not None and not program.find_sequences(dataset):
        raise click.ClickException(
            f"--dataset {dataset}: no category/sequence with input and groundtruth in this folder"
        )
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    scenes = program.QUICK_SCENES if quick else program.Scenes()
    content = program.ablation(dataset, scenes, threads)
    with writing(out):
        files = program.write_all(content, out, readme)
    click.echo(program.tables(content))
    for file in files:
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
