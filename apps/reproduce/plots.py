"""The paper's Figures 1 and 2: a row for every configuration; iterations on the left, time on the right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from reproduce.experiments import CONFIGURATIONS, METHODS, PAPER_METHODS, Plan
from reproduce.summary import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLES = {
    "alt-cgpg": ("tab:red", "-"),
    "alt-pgcg": ("tab:blue", "-"),
    "cgcg": ("black", "--"),
    "cgcg-p": ("tab:green", "--"),
    "fista": ("tab:gray", ":"),
    "alt-pgpg": ("tab:purple", "-."),
}

ROOM_BELOW = 30.0
"""The axis ends so far below the lowest of the paper's methods: FISTA and ALT-PGPG leave it at the bottom."""


def draw_figure(plan: Plan, figure: int, curves: dict[tuple[int, str], Curve], file: Path) -> bool:
    """Draw a figure of the configurations that have curves; tell whether there was anything to draw."""
    # The canvas of a file, whatever screen there is or is not.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    numbers = [
        number
        for number, row in CONFIGURATIONS.items()
        if row.figure == figure and any(key[0] == number for key in curves)
    ]
    if not numbers:
        return False
    picture = Figure(figsize=(11, 3.2 * len(numbers) + 0.6), layout="constrained")
    FigureCanvasAgg(picture)
    rows = picture.subplots(len(numbers), 2, squeeze=False)
    for number, axes in zip(numbers, rows, strict=True):
        _row(
            plan,
            number,
            {method: curves[number, method] for method in METHODS if (number, method) in curves},
            axes,
        )
    lines, names = rows[0][0].get_legend_handles_labels()
    picture.legend(lines, names, loc="outside upper center", ncols=len(names), frameon=False)
    picture.savefig(file, dpi=120)
    return True


def _row(plan: Plan, number: int, curves: dict[str, Curve], axes: Any) -> None:
    by_iteration, by_time = axes
    for method, curve in curves.items():
        color, line = STYLES[method]
        style = {"color": color, "linestyle": line, "label": method.upper()}
        by_iteration.plot(range(len(curve.objective)), curve.objective, **style)
        by_time.plot(curve.seconds, curve.objective, **style)
    shown = [curve for method, curve in curves.items() if method in PAPER_METHODS] or list(curves.values())
    by_iteration.set_xlabel("iterations")
    by_time.set_xlabel("seconds")
    by_iteration.set_xlim(0, plan.iterations)
    by_time.set_xlim(0, max(float(curve.seconds[-1]) for curve in shown))
    lowest = min(float(curve.objective.min()) for curve in shown)
    for axis in axes:
        _finish(axis, plan, number, lowest)


def _finish(axis: Axes, plan: Plan, number: int, lowest: float) -> None:
    configuration = CONFIGURATIONS[number]
    axis.set_yscale("log")
    axis.set_ylim(max(lowest, 1e-300) / ROOM_BELOW, 1.5)
    axis.set_ylabel("objective / objective at zero")
    axis.set_title(
        f"configuration {number}: r = {plan.rank(configuration)}, p = {configuration.density:g}", fontsize=10
    )
    axis.grid(alpha=0.3)
