"""``bgsub benchmark``: compare bgsub with other subtractors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bgsub.base.plural import count_of
from bgsub.cli.names import Name
from bgsub.cli.say import give, tell
from bgsub.errors import BgsubError, InputError, UsageError

if TYPE_CHECKING:
    from bgsub.comparison.dataset import Sequence
    from bgsub.comparison.output import Results, Wanted
    from bgsub.comparison.run import Request

FILE = Name()


@click.command(
    help="Compare bgsub with other subtractors on DATASET: category/sequence/{input,groundtruth}, as CDnet has it; "
    "one category or one sequence will do."
)
@click.argument("dataset", metavar="DATASET", type=Name(str))
@click.option(
    "--methods",
    metavar="NAMES",
    default="all",
    show_default=True,
    help="bgsub, median, mog2, knn; with opencv-contrib also cnt, mog, gmg, lsbp, gsoc; all: every one available",
)
@click.option("--json", "json_file", metavar="FILE", type=FILE, help="write all measures to FILE")
@click.option("--markdown", metavar="FILE", type=FILE, help="write tables to FILE")
@click.option(
    "-o", "--out", "folder", metavar="DIR", type=FILE, help="write both, and pictures of errors, into DIR"
)
@click.option(
    "--curve", is_flag=True, help="into DIR, too: precision and recall of bgsub over its sensitivity"
)
@click.option(
    "--sensitivities",
    metavar="VALUES",
    default=".5,.7,1,1.4,2",
    show_default=True,
    help="points of the curve",
)
@click.option("--threads", metavar="N", help="threads of bgsub and OpenCV  [default: all processors]")
@click.option("-q", "--quiet", is_flag=True, help="no progress; the table, warnings and errors only")
@click.option("--debug", is_flag=True, help="print the traceback of an error")
def benchmark(
    dataset: str,
    methods: str,
    json_file: Path | None,
    markdown: Path | None,
    folder: Path | None,
    curve: bool,
    sensitivities: str,
    threads: str | None,
    quiet: bool,
    debug: bool,
) -> None:
    """Compare on all sequences of a data set."""
    from bgsub.comparison.curve import parse_sensitivities, require_matplotlib
    from bgsub.comparison.dataset import find_sequences
    from bgsub.comparison.methods import parse_methods
    from bgsub.comparison.output import Wanted, results
    from bgsub.comparison.run import Request
    from bgsub.options.table import Options
    from bgsub.options.toml import parse

    names = parse_methods(methods)
    points = parse_sensitivities(sensitivities)
    limit = None if threads is None else Options(threads=parse("threads", threads)).threads
    if curve and folder is None:
        raise UsageError("--curve is written into a folder; give one with --out")
    if curve:
        require_matplotlib()
    found = find_sequences(dataset)
    wanted = Wanted(json_file, markdown, folder, curve)
    with results(wanted, found) as files:
        failed = _compare(found, Request(names, limit, points if curve else ()), wanted, files, quiet)
    if failed:
        labels = ", ".join(sequence.label for sequence in failed)
        raise InputError(f"{len(failed)} of {count_of(len(found), 'sequence')} left out: {labels}")


def _compare(
    found: list[Sequence], request: Request, wanted: Wanted, files: Results, quiet: bool
) -> list[Sequence]:
    """Run the comparison, write and print the results; return the sequences that were left out."""
    from bgsub.cli.bars import Bars
    from bgsub.comparison.curve import Curve, draw, to_json
    from bgsub.comparison.output import JSON, MARKDOWN
    from bgsub.comparison.pictures import encode, error_picture
    from bgsub.comparison.run import Findings, compare
    from bgsub.comparison.tables import markdown, summary

    failed: list[Sequence] = []
    pictures, curve, bars = wanted.pictures(found), Curve(request.sensitivities), Bars(quiet)

    def look(findings: Findings) -> None:
        label = findings.sequence.label
        curve.add(label, findings.sensitivities)
        files.write(pictures[label], encode(error_picture(findings)))

    def leave_out(sequence: Sequence, error: BgsubError) -> None:
        bars.end()
        tell(f"bgsub: {sequence.label} is left out: {' '.join(str(error).split())}")
        failed.append(sequence)

    try:
        done = compare(found, request, bars, look=look if pictures else None, failed=leave_out)
    finally:
        bars.end()
    if not done.sequences:
        raise InputError("no sequence could be compared")
    for path in wanted.reports(MARKDOWN):
        files.write(path, markdown(done))
    if wanted.curves():
        content = curve.to_dict(done)
        picture, data = wanted.curves()
        files.write(picture, draw(content))
        files.write(data, to_json(content))
    listed = files.listed(wanted.folder)
    for path in wanted.reports(JSON):
        files.write(path, done.to_json(listed))
    files.place()
    if (stay := listed.get("earlier_outputs")) and not quiet:
        tell(f"of earlier comparisons, and left in {wanted.folder}: {', '.join(stay)}")
    give(summary(done))
    return failed
