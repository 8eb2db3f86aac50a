"""``bgsub evaluate``: score masks against ground truth."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bgsub.cli.names import Name
from bgsub.cli.say import give
from bgsub.errors import OutputError


@click.command(help="Score MASKS (a video, a folder, or a run's folder) against GROUNDTRUTH (CDnet labels).")
@click.argument("masks", metavar="MASKS", type=Name(str))
@click.argument("groundtruth", metavar="GROUNDTRUTH", type=Name(str))
@click.option("--json", "file", metavar="FILE", type=Name(), help="write the scores to FILE")
@click.option("--debug", is_flag=True, help="print the traceback of an error")
def evaluate(masks: str, groundtruth: str, file: Path | None, debug: bool) -> None:
    """Print precision, recall and F, pooled over all frames."""
    from bgsub.evaluation.cdnet import evaluate as score
    from bgsub.evaluation.text import table, to_json

    if file is not None:
        _refuse_to_overwrite(file)
    evaluation = score(masks, groundtruth)
    if file is not None:
        from bgsub.base.publish import Publication

        with Publication() as files:
            files.write(file, to_json(evaluation))
            files.publish()
    give(table(evaluation))


def _refuse_to_overwrite(file: Path) -> None:
    """Raise OutputError if the scores would replace anything but scores: a mask, a label, a run's report."""
    if file.name == "run.json" or (file.is_file() and not _holds_scores(file)):
        raise OutputError(f"will not write the scores over {file}; give another name with --json")


def _holds_scores(file: Path) -> bool:
    try:
        return {"measures", "per_frame"} <= set(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return False
