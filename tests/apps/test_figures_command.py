"""The command that measures the figures runs, with or without local footage."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_figures_of_the_demo_clip_are_measured_where_there_is_no_local_footage(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "apps/benchmark/figures.py"), "--data", str(tmp_path / "none")]
    subprocess.run([*command, "--json", str(tmp_path / "figures.json")], check=True, capture_output=True)
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures["sequences"] == {}
    assert figures["demo"]["f"] >= 0.95
    assert figures["demo"]["background_psnr_db"] >= 35
    assert figures["demo"]["peak_mb"] > 50
