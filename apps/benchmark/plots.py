"""Three panels: cost of a frame against the number of frames, against the pixels, and robust PCA to one objective."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmark.names import STAGES, SYSTEMS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = dict[str, Any]

STYLES = {
    ("bgsub", "mask"): ("tab:blue", "-", "o"),
    ("bgsub", "fit+mask"): ("tab:blue", "--", "s"),
    ("bgsub", "end-to-end, mask"): ("tab:cyan", "--", "D"),
    ("bgsub", "end-to-end"): ("tab:cyan", "-", "^"),
    ("mog2", "mask"): ("tab:red", "-", "o"),
    ("mog2-no-shadows", "mask"): ("tab:orange", "-", "v"),
    ("knn", "mask"): ("tab:green", "-", "P"),
    ("median", "fit+mask"): ("tab:gray", "--", "s"),
    ("median", "mask"): ("tab:gray", "-", "o"),
}
COLOURS = {"bgsub": "tab:blue", "alm": "tab:purple", "tensorly": "tab:brown", "sporco": "tab:olive"}


def draw(rows: list[Row], file: Path) -> None:
    """Draw all rows of an output into a picture."""
    # The canvas of a file, whatever screen there is or is not.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    picture = Figure(figsize=(15, 5.4), layout="constrained")
    FigureCanvasAgg(picture)
    by_frames, by_pixels, objectives = picture.subplots(1, 3)
    judged = [row for row in rows if row["stage"] in STAGES]
    width, height = judged[0]["width"], judged[0]["height"]
    first = [row for row in judged if (row["width"], row["height"]) == (width, height)]
    longest = _longest(judged)
    # What has been measured at one length only is the same at every length.
    _lines(by_frames, first, lambda row: float(row["frames"]), least=2)
    _lines(by_pixels, longest, lambda row: float(row["width"] * row["height"]))
    _finish(by_frames, "frames of the clip", f"cost of a frame against frames, {width}×{height} colour")
    _finish(by_pixels, "pixels of a frame", "cost of a frame against pixels, colour")
    _bars(objectives, [row for row in rows if row["stage"] == "objective"])
    lines, names = by_pixels.get_legend_handles_labels()
    picture.legend(lines, names, loc="outside lower center", ncols=5, frameon=False)
    picture.savefig(file, dpi=110)


def _longest(rows: list[Row]) -> list[Row]:
    """Return the rows of the longest clip of each size."""
    most: dict[tuple[int, int], int] = {}
    for row in rows:
        size = row["width"], row["height"]
        most[size] = max(most.get(size, 0), row["frames"])
    return [row for row in rows if row["frames"] == most[row["width"], row["height"]]]


def _lines(axis: Axes, rows: list[Row], place: Callable[[Row], float], least: int = 1) -> None:
    for (system, stage), (colour, line, marker) in STYLES.items():
        points = sorted(
            (place(row), 1000 / row["frames_per_s"])
            for row in rows
            if (row["system"], row["stage"]) == (system, stage)
        )
        if len(points) >= least:
            name = f"{SYSTEMS[system]}: {STAGES[stage]}"
            style: dict[str, Any] = {
                "color": colour,
                "linestyle": line,
                "marker": marker,
                "markersize": 5,
                "label": name,
            }
            axis.plot(*zip(*points, strict=True), **style)


def _finish(axis: Axes, label: str, title: str) -> None:
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axis.set_xscale("log")
    axis.set_yscale("log")
    values = sorted({float(x) for line in axis.get_lines() for x in np.asarray(line.get_xdata())})
    axis.set_xticks(values, [f"{value:,.0f}" for value in values])
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.yaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5)))
    axis.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.yaxis.set_minor_formatter(NullFormatter())
    axis.set_xlabel(label)
    axis.set_ylabel("milliseconds per frame")
    axis.set_title(title, fontsize=11)
    axis.grid(alpha=0.3)


def _bars(axis: Axes, rows: list[Row]) -> None:
    clips = list(dict.fromkeys((row["width"] * row["height"], row["frames"]) for row in rows))
    names: list[str] = []
    for place, row in enumerate(reversed(rows)):
        bar = axis.barh(place, row["seconds"], color=COLOURS[row["system"]])
        axis.bar_label(bar, [f" {'> ' if row['at_least'] else ''}{row['seconds']:.3g} s"], fontsize=9)
        alone = row.get("seconds_to_objective")
        if alone is not None and alone < row["seconds"]:
            axis.plot([alone, alone], [place - 0.4, place + 0.4], color="black")
        shape = f"{row['width'] * row['height']:,} × {row['frames']}"
        names.append(f"{SYSTEMS[row['system']]}\n{shape}" if len(clips) > 1 else SYSTEMS[row["system"]])
    axis.set_yticks(range(len(names)), names, fontsize=9)
    axis.set_xscale("log")
    shown = [
        row[name] for row in rows for name in ("seconds", "seconds_to_objective") if row.get(name) is not None
    ]
    # Room for the longest label.
    axis.set_xlim(min(shown) / 3, max(shown) * 8)
    axis.set_xlabel("seconds (black line: to the objective alone)")
    axis.set_title("robust PCA to bgsub's objective and F, gray", fontsize=11)
    axis.grid(axis="x", alpha=0.3)
