"""Write what was measured: JSON, Markdown and a picture."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmark.jobs import Plan, missing
from benchmark.machine import surroundings
from benchmark.plots import draw
from benchmark.ratios import held, ratios
from benchmark.report import report

Row = dict[str, Any]


def write_all(plan: Plan, rows: list[Row], folder: Path) -> list[Path]:
    """Write everything into *folder*; return the files."""
    found = held(plan, rows)
    about = {**asdict(plan), "missing": missing()}
    content = {"plan": about, "surroundings": surroundings(), "rows": rows, "ratios": ratios(found)}
    files = [folder / name for name in ("speed.json", "speed.md", "speed.png")]
    files[0].write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    files[1].write_text(report(about, rows, found), encoding="utf-8")
    draw(rows, files[2])
    return files
