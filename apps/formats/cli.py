"""The program."""

from __future__ import annotations

import json
import os
import re
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
from common.writing import writing

from formats.catalogue import catalogue
from formats.fuzz import by_kind, prepare
from formats.fuzz import work as hunted
from formats.recipe import Recipe
from formats.table import Row, by_group, closing, line_of
from formats.worker import Worker


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option("--out", type=click.Path(path_type=Path), help="keep the files in this folder")
@click.option("--json", "report", type=click.Path(path_type=Path), help="write what was found there, too")
@click.option(
    "--only", default="", metavar="PATTERN", help="only files whose row holds this regular expression"
)
@click.option("--jobs", default=min(2, os.cpu_count() or 1), show_default=True, help="processes")
@click.option("--separate/--no-separate", default=True, help="also separate some of them")
@click.pass_context
def main(
    context: click.Context, out: Path | None, report: Path | None, only: str, jobs: int, separate: bool
) -> None:
    """Write a file in every container and video codec that FFmpeg has, and odd ones besides; try each.

    Each is described and read, some are separated; the program ends with 1 if one of them is neither read nor refused
    in one line.
    """
    if context.invoked_subcommand:
        return
    began = time.monotonic()
    chosen = [index for index, recipe in enumerate(catalogue()) if re.search(only, _words(recipe))]
    with tempfile.TemporaryDirectory() as folder, writing(out or Path(folder)):
        rows = []
        for row in _work(chosen, out or Path(folder), jobs, separate):
            rows.append(row)
            click.echo(line_of(row))
    click.echo(f"\n{by_group(rows)}\n{closing(rows, time.monotonic() - began)}")
    if report:
        report.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    raise SystemExit(any(row.get("faults") for row in rows))


@main.command("fuzz")
@click.option("--cases", default=600, show_default=True, help="damaged files")
@click.option("--seed", default=0, show_default=True, help="of the damage")
@click.option(
    "--out", type=click.Path(path_type=Path), help="keep the files that lead to a fault in this folder"
)
@click.option("--jobs", default=min(2, os.cpu_count() or 1), show_default=True, help="processes")
def fuzz(cases: int, seed: int, out: Path | None, jobs: int) -> None:
    """Damage small files of every kind, and give each to `bgsub info` and `bgsub separate`.

    The program ends with 1 if anything but results or a refusal in one line came of one of them.
    """
    began, outcomes = time.monotonic(), []
    with tempfile.TemporaryDirectory() as folder, writing(out or Path(folder)):
        place = out or Path(folder)
        prepare(place)
        for outcome in hunted(place, cases, seed, jobs):
            outcomes.append(outcome)
            for fault in outcome["faults"]:
                click.echo(f"{outcome['case']:05d} {outcome['kind']}: {fault}")
    click.echo(f"{by_kind(outcomes)}\n{time.monotonic() - began:.0f} s")
    raise SystemExit(any(outcome["faults"] for outcome in outcomes))


def _words(recipe: Recipe) -> str:
    return f"{recipe.group} {recipe.container} {recipe.codec} {recipe.pixel_format} {recipe.note}"


def _work(chosen: list[int], folder: Path, jobs: int, separate: bool) -> Iterator[Row]:
    """Yield the rows in the order of the catalogue."""
    own, workers = threading.local(), []

    def work(index: int) -> Row:
        if not hasattr(own, "worker"):
            own.worker = Worker(folder, separate)
            workers.append(own.worker)
        return _describe(catalogue()[index], separate) | own.worker.work(index)

    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(work, chosen)
        finally:
            pool.shutdown(cancel_futures=True)
            for worker in workers:
                worker.close()


def _describe(recipe: Recipe, separate: bool) -> Row:
    names = ("group", "container", "codec", "pixel_format", "note")
    return {name: getattr(recipe, name) for name in names} | {"separate": recipe.separate and separate}
