"""Human-readable results of a comparison: tables in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bgsub.comparison.methods import BGSUB
from bgsub.comparison.scores import MEASURES, Comparison, SequenceScores, averages, mean, speed
from bgsub.version import __version__

HEADS = {
    "recall": "recall",
    "specificity": "specificity",
    "fpr": "FPR",
    "fnr": "FNR",
    "pwc": "PWC, %",
    "precision": "precision",
    "f": "F",
}
NOTES = """\
Pixels are pooled over the scored frames of a sequence. Every mean is the mean of the sequences, each of which counts
alike, that of all of them too (it is no mean of the categories). Scored are frames with ground truth within
temporalROI.txt; labels 0 and 50 are background, 255 foreground, others and what is outside of the ROI picture are left
out. Every system sees all frames of `input` in order, with its default parameters, and all masks are cleaned alike.
frames/s: from decoded frames in a file to masks, the fit of bgsub and of the median included; reading and decoding the
pictures is not.
"""


def summary(comparison: Comparison) -> str:
    """Return F by sequence and system, with means, and the means of the seven measures; Markdown."""
    return f"{_f_table(comparison)}\n{_best(comparison)}\n{_means_table(comparison)}"


def markdown(comparison: Comparison) -> str:
    """Return the whole report: :func:`summary`, the seven measures of every sequence, and what was measured."""
    return (
        f"# bgsub {__version__} beside other subtractors\n\n## F\n\n{_f_table(comparison)}\n{_best(comparison)}\n"
        f"## Means of the sequences\n\n{_means_table(comparison)}\n"
        f"## Every sequence\n\n{_detail_table(comparison)}\n## What was measured\n\n{NOTES}"
    )


def _f_table(comparison: Comparison) -> str:
    methods = comparison.methods
    rows = [["sequence", *methods], ["---", *["---:"] * len(methods)]]
    for category, own in comparison.categories().items():
        for each in own:
            rows.append([_text(each.label), *_bold([each.methods[name].measure("f") for name in methods])])
        rows.append([f"*{_text(category)}, mean*", *_mean_cells(own, methods)])
    count = len(comparison.sequences)
    rows.append(
        [
            f"**all, mean of {count} sequence{'s' * (count != 1)}**",
            *_mean_cells(comparison.sequences, methods),
        ]
    )
    rows.append(["frames/s", *(f"{speed(comparison.sequences, name):.0f}" for name in methods)])
    return _table(rows)


def _mean_cells(sequences: Sequence[SequenceScores], methods: Sequence[str]) -> list[str]:
    return _bold([mean(sequences, name, "f") for name in methods])


def _best(comparison: Comparison) -> str:
    best = comparison.best_single()
    if best is None:
        return ""
    text = f"Best single OpenCV method: {best['method']}, mean F {best['f']:.3f}"
    own = comparison.mean_f().get(BGSUB)
    return text + (f"; bgsub {own:.3f} ({own - best['f']:+.3f}).\n" if own is not None else ".\n")


def _means_table(comparison: Comparison) -> str:
    def cells(name: str) -> dict[str, float]:
        return averages(comparison.sequences, name)

    return _measures_table("method", [(name, cells(name)) for name in comparison.methods])


def _detail_table(comparison: Comparison) -> str:
    rows = [
        (
            f"{_text(each.label)}, {name}",
            {**{key: score.measure(key) for key in MEASURES}, "frames_per_s": score.frames_per_s},
        )
        for each in comparison.sequences
        for name, score in each.methods.items()
    ]
    return _measures_table("sequence, method", rows)


def _measures_table(first: str, values: list[tuple[str, dict[str, float]]]) -> str:
    rows = [[first, *(HEADS[key] for key in MEASURES), "frames/s"], ["---", *["---:"] * (len(MEASURES) + 1)]]
    for name, found in values:
        cells = [f"{found[key]:.{3 if key == 'pwc' else 4}f}" for key in MEASURES]
        rows.append([name, *cells, f"{found['frames_per_s']:.0f}"])
    return _table(rows)


def _bold(values: list[float]) -> list[str]:
    """Return values with three decimals, the best in bold, including any that look the same."""
    shown = [f"{value:.3f}" for value in values]
    best = f"{max(values):.3f}"
    return [f"**{text}**" if text == best and len(values) > 1 else text for text in shown]


def _text(name: str) -> str:
    """Return a folder's name, escaped for Markdown."""
    return re.sub(r"([\\|*`<_])", r"\\\1", " ".join(name.split()))


def _table(rows: list[list[str]]) -> str:
    return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)
