"""Precision–recall curve of bgsub over its sensitivity, with one point for each other system."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Iterable
from statistics import fmean
from typing import Any

from bgsub.comparison.methods import BGSUB
from bgsub.comparison.scores import Comparison, mean
from bgsub.errors import OptionError, UsageError
from bgsub.evaluation.counts import Counts
from bgsub.options.table import Options

SCHEMA = 1
POINT = ("precision", "recall", "f")


def parse_sensitivities(text: str) -> tuple[float, ...]:
    """Parse comma-separated numbers; return them in increasing order, without duplicates.

    Raises
    ------
    UsageError
        An item is not a number.
    OptionError
        A value is out of range.
    """
    try:
        values = sorted({float(word) for word in text.split(",")})
    except ValueError:
        raise UsageError(f"--sensitivities: cannot read '{text}'; give numbers between commas") from None
    for value in values:
        try:
            Options(sensitivity=value)
        except OptionError as error:
            raise type(error)(str(error).replace("--sensitivity", "--sensitivities")) from None
    return tuple(values)


def require_matplotlib() -> None:
    """Raise UsageError unless matplotlib, which draws the curve, is installed."""
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError("--curve draws with matplotlib, which is not installed: pip install matplotlib")


class Curve:
    """Collects the counts of each sequence at each sensitivity."""

    def __init__(self, sensitivities: Iterable[float]) -> None:
        self.sensitivities = tuple(sensitivities)
        self._found: dict[str, dict[float, Counts]] = {}

    def add(self, label: str, counts: dict[float, Counts]) -> None:
        """Add the counts of a sequence."""
        self._found[label] = counts

    def to_dict(self, comparison: Comparison) -> dict[str, Any]:
        """Return the points (means over sequences) and the values of each sequence, as plain values (``schema`` 1)."""
        return {
            "schema": SCHEMA,
            "sensitivities": [self._at(value) for value in self.sensitivities],
            "methods": {
                name: {key: mean(comparison.sequences, name, key) for key in POINT}
                for name in comparison.methods
            },
        }

    def _at(self, value: float) -> dict[str, Any]:
        points = {label: _point(counts[value]) for label, counts in self._found.items()}
        means = {key: fmean(point[key] for point in points.values()) for key in POINT}
        return {"sensitivity": value, **means, "sequences": points}


def to_json(content: dict[str, Any]) -> str:
    """Return the data of a curve as indented JSON."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def draw(content: dict[str, Any]) -> bytes:
    """Return a plot of :meth:`Curve.to_dict` as PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 5), layout="constrained")
    axes = figure.add_subplot(xlabel="recall", ylabel="precision", title="means of the sequences")
    points = content["sensitivities"]
    axes.plot([each["recall"] for each in points], [each["precision"] for each in points], "o-", label=BGSUB)
    for each in points:
        place = each["recall"], each["precision"]
        axes.annotate(f"{each['sensitivity']:g}", place, (4, 4), textcoords="offset points", fontsize=8)
    for name, each in content["methods"].items():
        if name != BGSUB:
            axes.plot([each["recall"]], [each["precision"]], "s", label=name)
    axes.grid(alpha=0.3)
    axes.legend(title="numbers: --sensitivity", fontsize=8, title_fontsize=8)
    picture = io.BytesIO()
    figure.savefig(picture, format="png")
    return picture.getvalue()


def _point(counts: Counts) -> dict[str, float]:
    return {"precision": counts.precision, "recall": counts.recall, "f": counts.f_measure}
