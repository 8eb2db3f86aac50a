"""``bgsub evaluate``: score masks against ground truth."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(help="Score MASKS (a video, a folder, or a run's folder) against GROUNDTRUTH (CDnet labels).")
@click.argument("masks", metavar="MASKS")
@click.argument("groundtruth", metavar="GROUNDTRUTH")
@click.option(
    "--json", "file", metavar="FILE", type=click.Path(path_type=Path), help="write the scores to FILE"
)
@click.option("--debug", is_flag=True, help="print the traceback of an error")
def evaluate(masks: str, groundtruth: str, file: Path | None, debug: bool) -> None:
    """Print precision, recall and F, pooled over all frames."""
    from bgsub.evaluation.cdnet import evaluate as score
    from bgsub.evaluation.report import table, to_json

    evaluation = score(masks, groundtruth)
    if file is not None:
        from bgsub.render.sink_report import ReportSink

        with ReportSink(file, lambda: to_json(evaluation)):
            pass
    click.echo(table(evaluation), nl=False)
