"""Write what the finished runs say: JSON, CSV, pictures and the report."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from reproduce.checks import checks
from reproduce.experiments import Plan
from reproduce.jobs import surroundings
from reproduce.plots import draw_figure
from reproduce.report import report
from reproduce.store import Store
from reproduce.summary import Curve, configuration_rows, curves, speed_rows, table_rows

Row = dict[str, Any]


def write_all(plan: Plan, store: Store, folder: Path) -> list[Path]:
    """Write everything that the finished runs of *plan* allow into *folder*; return the files."""
    configurations, speed = configuration_rows(plan, store), speed_rows(plan, store)
    rows = {
        "table": table_rows(plan, store),
        "configs": configurations,
        "checks": checks(plan, configurations, speed),
        "speed": speed,
    }
    files = [folder / "plan.json", folder / "report.md"]
    _write_json(files[0], {"plan": asdict(plan), **surroundings()})
    for name, found in rows.items():
        if found:
            _write_json(folder / f"{name}.json", found)
            _write_csv(folder / f"{name}.csv", [_flat(row) for row in found])
            files += [folder / f"{name}.json", folder / f"{name}.csv"]
    means = curves(plan, store)
    if means:
        _write_csv(folder / "curves.csv", _points(means))
        files.append(folder / "curves.csv")
    pictures = [(figure, folder / f"figure{figure}.png") for figure in (1, 2)]
    files += [file for figure, file in pictures if draw_figure(plan, figure, means, file)]
    files[1].write_text(report(plan, rows), encoding="utf-8")
    return files


def _points(means: dict[tuple[int, str], Curve]) -> list[Row]:
    return [
        {"config": number, "method": method, "iteration": k, "objective": float(f), "seconds": float(s)}
        for (number, method), mean in means.items()
        for k, (f, s) in enumerate(zip(mean.objective, mean.seconds, strict=True))
    ]


def _write_json(file: Path, content: Any) -> None:
    file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _write_csv(file: Path, rows: list[Row]) -> None:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns)
        writer.writeheader()
        writer.writerows(rows)


def _flat(row: Row) -> Row:
    """Return a row in which ``{"objective": {"10": f}}`` has become ``{"objective_10": f}``."""
    out: Row = {}
    for name, value in row.items():
        out |= (
            {f"{name}_{key}": item for key, item in value.items()}
            if isinstance(value, dict)
            else {name: value}
        )
    return out
