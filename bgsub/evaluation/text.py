"""Evaluation results for people and programs: a table for a terminal, and JSON."""

from __future__ import annotations

import json

from bgsub.base.plural import plural
from bgsub.evaluation.cdnet import Evaluation


def table(evaluation: Evaluation) -> str:
    """Return an evaluation as one screen of text, ending with a newline.

    Measures have four decimals (percentages three); pixel counts have thousands separators.
    """
    counts = evaluation.counts
    rows = [
        ("precision", f"{counts.precision:.4f}"),
        ("recall", f"{counts.recall:.4f}"),
        ("F-measure", f"{counts.f_measure:.4f}"),
        ("wrong pixels", f"{counts.pwc:.3f} %"),
        ("TP", f"{counts.tp:,}"),
        ("FP", f"{counts.fp:,}"),
        ("FN", f"{counts.fn:,}"),
        ("TN", f"{counts.tn:,}"),
        ("frames scored", f"{evaluation.frames_scored:,}"),
        ("frames missing", f"{evaluation.frames_missing:,}{_missing_note(evaluation)}"),
    ]
    head = [f"masks         {evaluation.masks}", f"ground truth  {evaluation.groundtruth}", ""]
    if place := _region(evaluation):
        head.insert(2, f"only inside   {place}")
    width = max(len(value.split(" (")[0]) for _, value in rows)
    return "\n".join(head + [f"{name:<14}{_align(value, width)}" for name, value in rows]) + "\n"


def to_json(evaluation: Evaluation) -> str:
    """Return an evaluation as indented JSON (``schema`` 1), ending with a newline."""
    return json.dumps(evaluation.to_dict(), indent=2, ensure_ascii=False) + "\n"


def _region(evaluation: Evaluation) -> str:
    """Describe what was scored; empty for the whole picture."""
    words = ""
    if evaluation.region is not None:
        words = "{},{},{},{} (x,y,width,height: the run's region)".format(*evaluation.region)
    if evaluation.region_pixels is not None:
        pixels = f"{evaluation.region_pixels:,} {plural('pixel', evaluation.region_pixels)} of "
        words = pixels + (words or "the picture (the run's region)")
    return words


def _missing_note(evaluation: Evaluation) -> str:
    return " (ground truth without a mask, not scored)" if evaluation.frames_missing else ""


def _align(value: str, width: int) -> str:
    number, bracket, note = value.partition(" (")
    return f"{number:>{width}}{bracket}{note}"
